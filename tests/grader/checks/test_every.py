"""`every … preceded_by`: universal, so decided by complete capture alone."""

from typing import Any

import pytest

from grader.checks.every import Every
from grader.forms import Defaults
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import call, captured, scene


def decide(where: Scene, **more: object) -> Finding:
    form = {"every": "refund", "preceded_by": "lookup", **more}
    return Every.model_validate(form).compile(Defaults()).decide(where)


@pytest.mark.parametrize(
    ("calls", "truth"),
    [
        (["refund", "lookup", "refund"], False),
        (["lookup", "refund", "refund"], True),
        (["lookup"], True),
        ([], True),
        (["refund"], False),
    ],
)
def test_every_call_needs_an_earlier_one(calls: Any, truth: Any):
    """[refund, lookup, refund] fails here, though the subsequence exists."""
    assert decide(scene(*calls)).truth is truth


def test_the_same_tool_cannot_precede_itself():
    """The first call has nothing before it."""
    assert decide(scene("refund", "refund"), preceded_by="refund").truth is False


@pytest.mark.parametrize("calls", [["refund"], ["lookup", "refund"], []])
def test_incomplete_capture_is_always_unknown(calls: Any):
    """An unseen call could break it, an unseen earlier one could save it."""
    assert decide(scene(*calls, capture=captured(tools="partial"))).truth is None


def test_an_earlier_call_that_may_count_leaves_it_open():
    """A predecessor whose success was not captured neither saves nor breaks it."""
    where = scene(call("lookup", state="answered"), call("refund"))
    assert decide(where, state="succeeded").truth is None


def test_the_miss_points_at_the_first_bare_call():
    """The spans are those of the call without a predecessor."""
    bare = call("refund", spans=["f" * 16])
    finding = decide(scene(bare, "lookup", "refund"))
    assert list(finding.spans) == ["f" * 16]
    assert "call 1 of the run" in finding.sentence


def test_unknown_requests_leave_attempts_open():
    """A refused call without a predecessor may be missing; of executions all are known."""
    where = scene("lookup", "refund", capture=captured(requests="partial"))
    assert (decide(where).truth, decide(where, state="executed").truth) == (None, True)
