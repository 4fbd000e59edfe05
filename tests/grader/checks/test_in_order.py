"""`in_order`: a subsequence exists."""

from typing import Any

import pytest

from grader.checks.in_order import InOrder
from grader.forms import Defaults
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import SECOND, call, captured, child, job, run, scene


def decide(where: Scene, *names: object) -> Finding:
    return InOrder.model_validate({"in_order": list(names)}).compile(Defaults()).decide(where)


@pytest.mark.parametrize(
    ("calls", "wanted", "truth"),
    [
        (["lookup", "policy", "refund"], ["lookup", "refund"], True),
        (["refund", "lookup", "refund"], ["lookup", "refund"], True),
        (["refund", "lookup"], ["lookup", "refund"], False),
        (["lookup"], ["lookup", "refund"], False),
        (["a"], ["a", "a"], False),
        (["a", "b", "a"], ["a", "a"], True),
    ],
)
def test_subsequence(calls: Any, wanted: Any, truth: Any):
    """Others may lie between; a repeated entry needs a call of its own."""
    assert decide(scene(*calls), *wanted).truth is truth


def test_a_missing_step_is_unknown_without_complete_capture():
    """A witness proves it, only completeness refutes it."""
    partial = captured(tools="partial")
    assert decide(scene("a", "b", capture=partial), "a", "b").truth is True
    assert decide(scene("a", capture=partial), "a", "b").truth is None


def test_the_sentence_tells_where_it_stopped():
    """The miss names the step that has no call."""
    finding = decide(scene("refund", "lookup"), "lookup", "refund")
    assert "no call of refund after lookup" in finding.sentence
    assert finding.value == 0.5


def test_steps_may_ask_for_arguments():
    """An entry may be { tool, with }."""
    where = scene(call("f", {"a": 1}), call("f", {"a": 2}))
    two, one = ({"tool": "f", "with": {"a": n}} for n in (2, 1))
    assert decide(where, one, two).truth is True
    assert decide(where, two, one).truth is False


def test_calls_of_children_are_merged_by_time():
    """Between jobs the start time decides, within a job its own order."""
    helper = child("helper", call("mid", started=102 * SECOND), started=101 * SECOND)
    root = job(call("first", started=101 * SECOND), call("last", started=103 * SECOND), jobs=[helper])
    assert decide(Scene(run(root)), "first", "mid", "last").truth is True


def test_unknown_requests_do_not_refute_an_order_of_attempts():
    """The missing step may have been asked for and refused."""
    where = scene("a", capture=captured(requests="partial"))
    assert decide(where, "a", "b").truth is None
    executed = InOrder.model_validate({"in_order": ["a", "b"], "state": "executed"}).compile(Defaults())
    assert executed.decide(where).truth is False
