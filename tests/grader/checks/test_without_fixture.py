"""`without_fixture`: an empty context where there was none to record."""

import pytest

from grader.checks.without_fixture import WithoutFixture
from grader.condition import Condition
from grader.outcome import Truth
from grader.scene import Scene
from tests.grader.trees import child, job, run


@pytest.mark.parametrize(
    ("source", "context", "bare", "wrapped"),
    [
        ("not context.id", None, None, True),
        ("context.id == 1", None, None, False),
        ("context.id == 1", {"id": 1}, True, True),
        ("not context.id", {"id": 1}, False, False),
    ],
)
def test_a_missing_context_is_empty(source: str, context: object, bare: Truth, wrapped: Truth) -> None:
    """One that was recorded, or given, stands."""
    check = Condition(source=source, roots=("context",), scope="job")
    for found in (Scene(run(job(context=context))), Scene(run(job()), context=context)):
        assert check.decide(found).truth is bare
        assert WithoutFixture(then=check).decide(found).truth is wrapped


def test_the_job_is_the_same() -> None:
    """A child stays the one that is looked at."""
    below = child("s", status="failed", error="e")
    at = Scene(run(job(jobs=[below]))).at(below)
    check = Condition(source='status == "failed"', roots=("status", "context"), scope="job")
    assert WithoutFixture(then=check).decide(at).truth is True
