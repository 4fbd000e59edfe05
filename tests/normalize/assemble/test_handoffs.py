"""Handoffs: who took over from whom."""

from typing import Any

import pytest

from collector.tree import Job
from tests.normalize.spans import Row, asks, chat, job, row, says, user


def oi(span_id: str, kind: str, more: dict[str, Any] | None = None, /, **fields: Any) -> Row:
    """A span as the OpenInference instrumentor of the OpenAI Agents SDK writes it."""
    scope = "openinference.instrumentation.openai_agents"
    return row(span_id, {"openinference.span.kind": kind, **(more or {})}, scope=scope, **fields)


def handoff(
    target: dict[str, Any] | None = None, lost: str = "", ask: tuple[str, Any] = ("transfer_to_refunds", {})
) -> Job:
    """A workflow in which `triage` hands over to `refunds`; one span may be lost."""
    rows = (
        oi("w", "AGENT", name="Agent workflow"),
        oi("a", "AGENT", {"graph.node.id": "triage"}, parent="w", name="triage"),
        chat("m", [user("refund")], [asks(("c1", *ask))], parent="a"),
        oi("h", "TOOL", {"input.value": "triage", "output.value": "refunds"}, parent="a", name="handoff to refunds"),
        oi("b", "AGENT", {"graph.node.id": "refunds", **(target or {})}, parent="w", name="refunds"),
        chat("n", [user("refund")], [says("Done.")], parent="b"),
    )
    return job(*(held for held in rows if held["span_id"] != lost))


def test_who_took_over_is_below_who_handed_off() -> None:
    """The later sibling is a child by handoff, with control passed, by the call that asked for it."""
    root = handoff()
    (child,) = root.jobs
    assert (root.agent, child.agent, child.via) == ("triage", "refunds", "handoff")
    assert child.delegation is not None
    assert (child.delegation.mode, child.delegation.tool, child.delegation.call_id) == (
        "pass_control",
        "transfer_to_refunds",
        "c1",
    )


def test_the_target_may_name_its_source() -> None:
    """`graph.node.parent_id` says who handed over."""
    (child,) = handoff({"graph.node.parent_id": "triage"}).jobs
    assert child.via == "handoff"


def test_the_handoff_is_a_call_of_its_own_kind() -> None:
    """The tool by which it was asked for stays in the list of calls, marked as a handoff."""
    (call,) = handoff().tool_calls
    assert (call.name, call.kind, call.call_id) == ("transfer_to_refunds", "handoff", "c1")


def test_the_reply_of_who_took_over_is_the_runs_reply() -> None:
    """After a handoff the last one to speak answers for the run."""
    root = handoff()
    assert (root.reply, root.reply_source, root.jobs[0].reply) == ("Done.", "inferred:handoff", "Done.")


def test_siblings_without_a_handoff_stay_siblings() -> None:
    """Two agents one after the other, with no sign of a handoff, are two children of their workflow."""
    root = job(
        oi("w", "AGENT", name="Agent workflow"),
        oi("a", "AGENT", {"graph.node.id": "one"}, parent="w"),
        oi("b", "AGENT", {"graph.node.id": "two"}, parent="w"),
    )
    assert [child.via for child in root.jobs] == ["agent", "agent"]


@pytest.mark.parametrize("ask", [("transfer_to_refunds", {}), ("handoff", {"to_agent": "refunds"})])
def test_a_handoff_that_was_asked_for_needs_no_span(ask: tuple[str, Any]) -> None:
    """Without the handoff's span, the model's call and the agent that began next tell of it."""
    root = handoff(lost="h", ask=ask)
    (child,) = root.jobs
    assert (root.agent, child.agent, child.via, root.reply) == ("triage", "refunds", "handoff", "Done.")


def test_a_call_for_somebody_else_is_no_handoff_to_who_came_next() -> None:
    """Beside each other they stay, below their workflow."""
    root = handoff(lost="h", ask=("transfer_to_billing", {}))
    assert [(child.agent, child.via) for child in root.jobs] == [("triage", "agent"), ("refunds", "agent")]
