"""A trajectory: reported steps, else the calls of the trace."""

from typing import Any

import pytest

from collector.tree import Job, Run
from grader.checks.called import Count
from grader.checks.limits import SameCall
from grader.checks.trajectory import Trajectory
from grader.outcome import Finding
from grader.scene import Scene
from grader.wanted import NOT_STOPPED, Wanted
from tests.grader.trees import call, captured, child, job, run

STEPS = [{"tool": "lookup", "args": {"id": 1}}, {"tool": "refund"}]


def count(tool: str, least: int = 1, most: int | None = None) -> Count:
    wanted = Wanted(tool=tool, names="exact", states=NOT_STOPPED)
    return Count(wanted=wanted, least=least, most=most, scope="tree")


def decide(inner: Any, root: Job, **attributes: Any) -> Finding:
    made: Run = run(root, attributes=attributes)
    return Trajectory(key="steps", inner=inner, scope="tree").decide(Scene(made))


def test_steps_of_the_reply_stand_for_the_calls() -> None:
    """Also where the trace shows others, and where it shows none at all."""
    root = job("other", reply={"answer": "x", "steps": STEPS}, capture=captured(tools="absent"))
    assert decide(count("refund"), root).truth is True
    assert decide(count("other"), root).truth is False


def test_a_reply_that_is_json_text_is_read() -> None:
    """A trace often holds structured output as text."""
    assert decide(count("refund", 0, 0), job(reply='{"steps": [{"tool": "refund"}]}')).truth is False


def test_steps_may_stand_in_an_attribute_of_the_run() -> None:
    """As a list or as its JSON; anything else there is no trajectory."""
    assert decide(count("refund"), job(), steps=STEPS).truth is True
    assert decide(count("refund"), job(), steps='[{"tool": "refund"}]').truth is True
    assert decide(count("refund"), job("refund"), steps="12").truth is True
    assert decide(count("refund"), job("refund"), steps="[").truth is None


def test_without_reported_steps_the_calls_of_the_whole_tree_count() -> None:
    """Those of delegated work as well."""
    root = job("lookup", jobs=[child("refunder", "refund")])
    assert decide(count("refund"), root).truth is True


@pytest.mark.parametrize("state", ["absent", "malformed"])
def test_no_trajectory_leaves_all_open(state: Any) -> None:
    """Also what an empty one would meet."""
    finding = decide(count("refund", 0), job(capture=captured(tools=state)))
    assert finding.truth is None
    assert finding.sentence.startswith("there is no trajectory: tool calls were")


@pytest.mark.parametrize("steps", [{}, None, "x", [1], [{}], [{"tool": ""}], [{"tool": 1}], [{"name": "refund"}]])
def test_steps_that_cannot_be_read_leave_all_open(steps: Any) -> None:
    """They are there, so the trace's calls do not stand for them."""
    assert decide(count("refund"), job("refund", reply={"steps": steps})).truth is None


def test_a_step_without_arguments_has_none() -> None:
    """Missing, null and {} are alike."""
    repeated = SameCall(most=1, states=NOT_STOPPED, scope="tree")
    steps = [{"tool": "a"}, {"tool": "a", "args": {}}]
    assert decide(repeated, job(reply={"steps": steps})).truth is False
    assert decide(repeated, job(reply={"steps": [{"tool": "a", "args": {"x": 1}}, {"tool": "a"}]})).truth is True


def test_a_cut_reply_tells_no_steps() -> None:
    """The calls of the trace do."""
    root = job("lookup", reply={"steps": STEPS}, capture=captured(reply="partial"))
    assert decide(count("refund"), root).truth is False


def test_a_call_that_was_stopped_is_no_step() -> None:
    """Denied, or waiting for a decision."""
    root = job(call("refund", state="denied"), call("refund", state="awaiting_approval"))
    assert decide(count("refund", 0, 0), root).truth is True
