"""`not_called`: refuted by one call, proved by complete capture alone."""

from typing import Any

import pytest

from grader.checks.not_called import NotCalled
from grader.forms import Defaults
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import call, captured, scene


def decide(where: Scene, **form: object) -> Finding:
    return NotCalled.model_validate(form).compile(Defaults()).decide(where)


def test_a_call_is_a_violation_whatever_was_captured():
    """One witness refutes it, and is pointed at."""
    finding = decide(scene(call("email.send"), capture=captured(tools="partial")), not_called=["x", "email.send"])
    assert finding.truth is False
    assert finding.sentence == "email.send was called once; expected never"
    assert finding.spans


def test_complete_capture_without_a_call_holds():
    """Captured, none called."""
    assert decide(scene("a"), not_called="b").truth is True


@pytest.mark.parametrize("state", ["absent", "partial", "malformed"])
def test_incomplete_capture_is_unknown_never_green(state: Any):
    """Zero evidence is no proof."""
    assert decide(scene(capture=captured(tools=state)), not_called="b").truth is None


def test_uncaptured_arguments_leave_it_open():
    """The call may be the forbidden one."""
    where = scene(call("f", arguments_capture="absent"))
    assert decide(where, not_called="f", **{"with": {"a": 1}}).truth is None


def test_a_requested_call_is_attempted_but_not_executed():
    """The state says what counts as a violation."""
    where = scene(call("f", state="denied"))
    assert decide(where, not_called="f").truth is False
    assert decide(where, not_called="f", state="executed").truth is True


@pytest.mark.parametrize(
    ("state", "truth"),
    [("attempted", None), ("denied", None), ("executed", True), ("succeeded", True), ("failed", True)],
)
def test_unknown_requests_leave_open_what_may_never_have_run(state: str, truth: Any):
    """A refused call has no span: without the model's words only executions are known."""
    finding = decide(scene("a", capture=captured(requests="partial")), not_called="b", state=state)
    assert finding.truth is truth
    if truth is None:
        assert finding.sentence.endswith(
            "requests for calls that never ran were captured in part only; "
            "record the models' messages (or, in a native suite, look at `state: executed` alone)"
        )
