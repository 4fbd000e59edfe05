"""The edge from a job to its child."""

from typing import Any

import pytest

from collector.tree import Delegation, Job
from tests.normalize.spans import agent, chat, job, tool, user


def edge(root: Job) -> Delegation:
    """The delegation to the first child."""
    found = root.jobs[0].delegation
    assert found is not None
    return found


def test_a_child_below_a_tool_was_called_by_it() -> None:
    """The tool's call, its id and its arguments are the delegation's; the parent waited."""
    root = job(
        agent("a"),
        tool("t", "ask_refunds", "c1", {"task": "refund"}, "ok", parent="a"),
        agent("b", "refunds", parent="t"),
    )
    assert root.jobs[0].via == "tool"
    assert edge(root) == Delegation("waited", "c1", "ask_refunds", {"task": "refund"}, "present", "nested")


def test_a_child_without_a_tool_has_its_input_as_payload() -> None:
    """An agent right below an agent was started by code; what it was asked is the payload."""
    root = job(agent("a"), agent("b", "child", parent="a"), chat("m", [user("do it")], parent="b"))
    assert root.jobs[0].via == "agent"
    assert (edge(root).mode, edge(root).tool, edge(root).payload) == ("waited", None, "do it")


def test_a_child_that_outlives_its_call_was_not_waited_for() -> None:
    """A background job ends after the tool that started it."""
    root = job(
        agent("a", start=1, end=90),
        tool("t", "start", "c1", parent="a", start=2, end=9),
        agent("b", "x", parent="t", start=3, end=50),
    )
    assert edge(root).mode == "fire_and_forget"


@pytest.mark.parametrize("on", ["tool", "child"])
def test_a_declared_mode_and_payload_win(on: str) -> None:
    """`tracegrade.delegation.*` on the tool's span or on the child's overrides what would be inferred."""
    declared: dict[str, Any] = {"tracegrade.delegation.mode": "scheduled", "tracegrade.delegation.payload": '{"a": 1}'}
    start = tool("t", "start", "c1", {"other": 2}, None, declared if on == "tool" else None, parent="a")
    root = job(agent("a"), start, agent("b", "x", declared if on == "child" else None, parent="t"))
    assert (edge(root).mode, edge(root).payload, edge(root).tool) == ("scheduled", {"a": 1}, "start")


def test_unreadable_arguments_are_a_payload_that_cannot_be_read() -> None:
    """A cut-off payload is malformed, never empty."""
    root = job(agent("a"), tool("t", "start", "c1", '{"task": "ref', parent="a"), agent("b", "x", parent="t"))
    assert (edge(root).payload, edge(root).payload_capture) == (None, "malformed")


def test_a_root_has_no_delegation() -> None:
    """Nothing above, nothing delegated."""
    assert job(agent("a")).delegation is None
