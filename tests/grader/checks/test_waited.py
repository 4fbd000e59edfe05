"""`waited`: whether whoever triggered a job waited for its answer."""

from typing import Any

import pytest

from grader.checks.waited import Waited
from grader.outcome import Truth
from grader.scene import Scene
from tests.grader.trees import child, job, run


@pytest.mark.parametrize(
    ("mode", "truth"),
    [("waited", True), ("fire_and_forget", False), ("scheduled", False), ("pass_control", False), (None, None)],
)
def test_the_mode_of_the_trigger(mode: Any, truth: Truth) -> None:
    """One that was not captured leaves it open; a miss comes with advice."""
    below = child("s", mode=mode)
    found = Waited("wait for it").decide(Scene(run(job(jobs=[below]))).at(below))
    assert found.truth is truth
    assert ("wait for it" in found.sentence) is (truth is not True)


def test_a_root_was_triggered_by_nobody_that_is_known() -> None:
    """So nothing tells whether anybody waited."""
    assert Waited("").decide(Scene(run(job()))).truth is None
