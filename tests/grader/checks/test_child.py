"""`child`: each trigger judged on its own, one that satisfies everything is enough."""

from typing import Any

import pytest

from collector.tree import Capture, Delegation
from grader.forms import Defaults
from grader.outcome import Finding
from grader.pieces import forms
from grader.scene import Scene
from grader.schema import any_item
from tests.grader.trees import captured, child, job, run


def decide(root: object, **form: object) -> Finding:
    any_item()  # nested checks may be any of those that the scan finds
    return forms()["child"].model_validate(form).compile(Defaults()).decide(Scene(run(root)))  # ty: ignore


def test_one_clean_trigger_suffices():
    """Existential: another trigger may miss."""
    root = job(jobs=[child("s", "bad"), child("s", "good")])
    assert decide(root, child="s", expect=[{"called": "good"}, {"not_called": "bad"}]).truth is True


def test_all_conditions_must_hold_on_the_same_trigger():
    """Two halves on two triggers are no match; the nearest is told."""
    root = job(jobs=[child("s", "a"), child("s", "b")])
    finding = decide(root, child="s", expect=[{"called": "a"}, {"called": "b"}])
    assert finding.truth is False
    assert "the nearest" in finding.sentence


@pytest.mark.parametrize(
    ("triggered", "truth"),
    [(None, True), (2, True), ({"min": 3}, False), ({"max": 1}, False), ({"min": 1, "max": 2}, True)],
)
def test_triggered_counts(triggered: Any, truth: Any):
    """Without it at least once; bounds are inclusive."""
    root = job(jobs=[child("s"), child("s")])
    assert decide(root, child="s", triggered=triggered).truth is truth


def test_never_triggered_fails_only_with_all_children_known():
    """A child that was not seen may exist."""
    assert decide(job(), child="s").truth is False
    assert decide(job(capture=captured(children="partial")), child="s").truth is None


def test_a_job_without_an_agents_name_may_be_meant():
    """Nothing is guessed."""
    assert decide(job(jobs=[child("s", agent_id="x") for _ in "a"]), child="s").truth is True
    nameless = child("s")
    nameless.agent = None
    assert decide(job(jobs=[nameless]), child="s").truth is None


def test_mode_narrows_and_unknown_modes_leave_it_open():
    """Only jobs triggered that way."""
    assert decide(job(jobs=[child("s", mode="waited")]), child="s", mode="waited").truth is True
    assert decide(job(jobs=[child("s", mode="fire_and_forget")]), child="s", mode="waited").truth is False
    assert decide(job(jobs=[child("s", mode=None)]), child="s", mode="waited").truth is None


def test_nested_to_any_depth():
    """Children of children of children."""
    root = job(jobs=[child("a", jobs=[child("b", jobs=[child("c", "deep")])])])
    nested = {"child": "b", "expect": [{"child": "c", "expect": [{"called": "deep", "scope": "job"}]}]}
    assert decide(root, child="a", expect=[nested]).truth is True
    assert decide(root, child="a", expect=[{"child": "c"}]).truth is False


def test_none_triggered_where_that_is_allowed_passes():
    """`min: 0` with nothing there: nothing has to satisfy anything."""
    assert decide(job(), child="s", triggered={"min": 0}, expect=[{"called": "x"}]).truth is True


def test_a_childs_unknown_evidence_leaves_it_open():
    """An undecided body is not a miss."""
    root = job(jobs=[child("s", capture=captured(tools="absent"))])
    assert decide(root, child="s", expect=[{"called": "x"}]).truth is None


def test_an_upper_bound_needs_all_children() -> None:
    """One seen of at most one is unknown where others may be missing; two seen break it."""
    partial = captured(children="partial")
    bound = {"triggered": {"max": 1}}
    assert decide(job(jobs=[child("s")], capture=partial), child="s", **bound).truth is None
    assert decide(job(jobs=[child("s"), child("s")], capture=partial), child="s", **bound).truth is False


def test_who_triggered_whom_is_not_certain_where_a_span_is_missing() -> None:
    """A child that hangs below the job by nesting alone may be another's; one that a tool call started is its own."""
    lost = captured() | {"children": Capture("partial", ["parent_missing"])}
    for via, truth in (("agent", None), ("tool", True)):
        assert decide(job(jobs=[child("helper", via=via)], capture=lost), child="helper").truth is truth


def given(agent: str, payload: Any, *calls: str) -> Any:
    """A child that was started with a payload (None: it was not captured)."""
    state = "absent" if payload is None else "present"
    return child(agent, *calls, delegation=Delegation(mode="waited", payload=payload, payload_capture=state))


def test_the_payload_is_one_more_condition_on_the_same_trigger() -> None:
    """Payload of one and calls of another make no match."""
    root = job(jobs=[given("s", {"text": ""}, "a"), given("s", '{"text": "hi"}', "b")])
    holds = {"payload": 'payload.text != ""'}
    assert decide(root, child="s", **holds).truth is True
    assert decide(root, child="s", expect=[{"called": "b"}], **holds).truth is True
    miss = decide(root, child="s", expect=[{"called": "a"}], **holds)
    assert miss.truth is False
    assert 'payload.text != "" does not hold' in miss.sentence


def test_a_payload_that_was_not_captured_leaves_it_open() -> None:
    """Nor is a root job's own input a payload."""
    assert decide(job(jobs=[given("s", None)]), child="s", payload="payload.x == 1").truth is None
    assert decide(job(jobs=[given("s", "go")]), child="s", payload='"go" in payload_raw').truth is True
    assert decide(job(jobs=[given("s", {"x": 1})], context={"x": 1}), child="s", payload="payload.x == context.x").truth


def test_conditions_on_jobs_that_must_not_be_are_refused() -> None:
    """They would hold of nobody, and look as if they were checked."""
    any_item()
    for more in ({"payload": "payload"}, {"expect": [{"called": "f"}]}):
        with pytest.raises(ValueError, match="triggered allows no such job"):
            forms()["child"].model_validate({"child": "s", "triggered": 0} | more)
