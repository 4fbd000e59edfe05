"""`limits`: no more than so much."""

from typing import Any

import pytest
from pydantic import ValidationError

from grader.checks.limits import LimitsItem
from grader.forms import Defaults
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import SECOND, call, captured, model_call, scene


def decide(where: Scene, **limits: object) -> Finding:
    return LimitsItem.model_validate({"limits": limits}).compile(Defaults()).decide(where)


@pytest.mark.parametrize(("limit", "truth"), [(3, True), (2, True), (1, False)])
def test_tool_calls_are_inclusive(limit: Any, truth: Any):
    """As many calls as the limit pass a limit of n."""
    assert decide(scene("a", "b"), tool_calls=limit).truth is truth


def test_what_was_seen_can_break_a_limit_but_not_keep_it():
    """Partial capture: over the limit fails, within it is unknown."""
    where = scene("a", "b", capture=captured(tools="partial"))
    assert decide(where, tool_calls=1).truth is False
    assert decide(where, tool_calls=2).truth is None


def test_same_call_compares_arguments_as_json():
    """Key order and number form are irrelevant; other arguments are another call."""
    alike = [call("f", {"a": 1, "b": 2}), call("g"), call("f", {"b": 2.0, "a": 1})]
    assert decide(scene(*alike), same_call=1).truth is False
    assert decide(scene(*alike), same_call=2).truth is True
    assert decide(scene(call("f", {"a": 1}), call("f", {"a": 2})), same_call=1).truth is True
    assert decide(scene(call("f", {"a": 1}), call("f", {"a": True})), same_call=1).truth is True


def test_calls_with_uncaptured_arguments_may_be_alike():
    """Two calls of one tool, arguments unknown: undecided; one of each: fine."""
    hidden = [call(n, arguments_capture="absent") for n in ("f", "f")]
    assert decide(scene(*hidden), same_call=1).truth is None
    assert decide(scene(call("f", arguments_capture="absent"), "g"), same_call=1).truth is True


def test_model_calls_and_sums():
    """Dollars and tokens add up over the model calls."""
    where = scene(model_calls=[model_call(), model_call()])
    assert decide(where, model_calls=2, usd=0.02, input_tokens=20, output_tokens=10).truth is True
    assert decide(where, model_calls=1).truth is False
    assert decide(where, usd=0.019).truth is False


def test_a_call_without_its_cost_is_unknown_never_free():
    """Null is not 0; known costs can still break the limit."""
    where = scene(model_calls=[model_call(), model_call(cost_usd=None)])
    assert decide(where, usd=0.05).truth is None
    assert decide(where, usd=0.005).truth is False


def test_no_model_calls_captured_is_not_within_the_budget():
    """Zero evidence is never green."""
    assert decide(scene(capture=captured(model_calls="absent")), usd=1).truth is None


def test_seconds_are_wall_clock():
    """From start to end; an end that was not captured is unknown."""
    assert decide(scene(started=SECOND, ended=3 * SECOND), seconds=2).truth is True
    assert decide(scene(started=SECOND, ended=3 * SECOND), seconds=1.9).truth is False
    assert decide(scene(ended=None), seconds=1).truth is None


def test_several_limits_tell_those_that_broke():
    """The sentence has what failed alone."""
    finding = decide(scene("a", "b"), tool_calls=1, seconds=60)
    assert finding.sentence == "2 tool calls; the limit is 1"
    assert finding.value == 0.5


def test_limits_without_a_limit_are_refused():
    """An empty check would pass everything."""
    with pytest.raises(ValidationError):
        LimitsItem.model_validate({"limits": {}})


def test_a_job_without_a_span_took_at_least_what_was_seen() -> None:
    """It breaks a limit, and never keeps one."""
    where = scene(started=0, ended=2 * SECOND, synthetic=True)
    assert (decide(where, seconds=1).truth, decide(where, seconds=3).truth) == (False, None)


def test_a_job_of_which_something_is_lost_took_at_least_what_was_seen() -> None:
    """It may have begun before, or gone on after, in a trace that is not there."""
    where = scene(started=0, ended=2 * SECOND, capture=captured(model_calls="partial"))
    assert (decide(where, seconds=1).truth, decide(where, seconds=3).truth) == (False, None)


def test_unknown_requests_leave_attempts_open_and_executions_decided() -> None:
    """A call that never ran may be missing; what ran is known."""
    where = scene("a", "b", capture=captured(requests="partial"))
    assert decide(where, tool_calls=1).truth is False
    finding = decide(where, tool_calls=2, same_call=1)
    assert finding.truth is None
    assert "look at `state: executed` alone" in finding.sentence
    item = LimitsItem.model_validate({"limits": {"tool_calls": 2}, "state": "executed"})
    assert item.compile(Defaults()).decide(where).truth is True


def test_dollars_add_up_as_written() -> None:
    """Three times ten cents are thirty cents, though not as binary fractions."""
    where = scene(model_calls=[model_call(cost_usd=0.1)] * 3)
    assert decide(where, usd=0.3).truth is True
    assert decide(where, usd=0.29999).truth is False
    assert decide(scene(model_calls=[model_call(cost_usd=0.01), model_call(cost_usd=0.05)]), usd=0.06).truth is True
