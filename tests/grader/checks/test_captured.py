"""`captured`: the evidence itself."""

from typing import Any

import pytest
from pydantic import ValidationError

from collector.tree import Capture
from grader.checks.captured import CapturedItem
from grader.forms import Defaults
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import captured, child, job, run, scene


def decide(where: Scene, *kinds: str) -> Finding:
    return CapturedItem.model_validate({"captured": list(kinds)}).compile(Defaults()).decide(where)


def test_all_present_passes():
    """Everything asked for was captured in full."""
    assert decide(scene(), "tools", "tool_args").truth is True


@pytest.mark.parametrize("state", ["partial", "absent", "malformed"])
def test_anything_less_fails_and_is_never_unknown(state: Any):
    """What is missing is the very thing asked for."""
    finding = decide(scene(capture=captured(tool_args=state)), "tools", "tool_args")
    assert finding.truth is False
    assert finding.sentence.startswith("tool arguments were")
    assert finding.value == 0.5


def test_the_reason_codes_are_told():
    """Why it was not captured helps to repair the recorder."""
    capture = captured() | {"tools": Capture("absent", ["no_tool_spans"])}
    assert "no_tool_spans" in decide(scene(capture=capture), "tools").sentence


def test_one_child_without_capture_makes_the_tree_partial():
    """The meet over the jobs."""
    where = Scene(run(job(jobs=[child("helper", capture=captured(tools="absent"))])))
    assert where.capture("tools", "tree") == "partial"
    assert decide(where, "tools").truth is False


def test_unknown_kinds_are_refused_with_the_nearest():
    """A misspelt kind would never fail."""
    with pytest.raises(ValidationError, match="did you mean 'tools'"):
        CapturedItem.model_validate({"captured": ["tool"]})
