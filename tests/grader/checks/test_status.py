"""`status`: how the job ended."""

from typing import Any

import pytest

from grader.checks.status import StatusItem
from grader.forms import Defaults
from grader.outcome import Finding
from tests.grader.trees import scene


def decide(ended: str, error: str | None = None, **form: object) -> Finding:
    return StatusItem.model_validate(form).compile(Defaults()).decide(scene(status=ended, error=error))


@pytest.mark.parametrize(
    ("status", "allowed", "truth"),
    [
        ("completed", "completed", True),
        ("failed", "completed", False),
        ("failed", ["completed", "failed"], True),
        ("running", "completed", None),
        ("unknown", "completed", None),
        ("unknown", "failed", None),
    ],
)
def test_status(status: Any, allowed: Any, truth: Any):
    """A job whose end was not seen is undecided."""
    assert decide(status, status=allowed).truth is truth


def test_the_miss_tells_the_error():
    """A failed job says why."""
    assert (
        decide("failed", "no vendor", status="completed").sentence
        == "the job ended failed (no vendor); expected completed"
    )


def test_error_contains():
    """The error's text is asked for; one that was not captured is unknown."""
    assert decide("failed", "missing vendor", status="failed", error_contains="vendor").truth is True
    assert decide("failed", "other", status="failed", error_contains="vendor").truth is False
    assert decide("failed", None, status="failed", error_contains="vendor").truth is None
