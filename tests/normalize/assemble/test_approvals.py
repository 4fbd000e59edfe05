"""Requests for a decision, and the decisions."""

from typing import Any

import pytest

from collector.tree import Approval
from tests.normalize.spans import agent, asks, chat, event, job, tool, user

ASKED = chat("m", [user("x")], [asks(("c1", "refund", {"amount": 50}))], parent="a")


def approval(decision: str, at: int, **more: Any) -> dict[str, Any]:
    """Our own event."""
    held = {"gen_ai.tool.name": "refund", "gen_ai.tool.call.id": "c1", "tracegrade.approval.decision": decision}
    return event("tracegrade.approval", held | {f"tracegrade.approval.{k}": v for k, v in more.items()}, at)


def test_a_request_and_its_decision_are_one_approval() -> None:
    """Pending, then approved with other arguments by a person: one approval that knows both sides."""
    told = [
        approval("pending", 5, arguments='{"amount": 50}'),
        approval("edit", 9, source="human", arguments='{"amount": 40}'),
    ]
    (found,) = job(agent("a", events=told), ASKED).approvals
    assert found == Approval(
        "refund", "c1", "tool", "edit", "human", {"amount": 50}, {"amount": 40}, None, 5, 9, ["a"]
    )  # fmt: skip


@pytest.mark.parametrize("order", [1, -1])
def test_a_decision_beats_pending_in_any_order(order: int) -> None:
    """Which event comes first in the list makes no difference."""
    told = [approval("pending", 5), approval("reject", 9, source="policy")][::order]
    assert [(a.decision, a.source) for a in job(agent("a", events=told), ASKED).approvals] == [("reject", "policy")]


def test_a_deferred_call_asks_for_an_approval() -> None:
    """Pydantic AI marks the tool's span; the call waits, and so does the job."""
    held = {"pydantic_ai.tool.deferral.name": "ApprovalRequired"}
    root = job(
        agent("a", scope="pydantic-ai"),
        ASKED,
        tool("t", "refund", "c1", {"amount": 50}, None, held, parent="a", scope="pydantic-ai"),
    )
    assert [(a.tool, a.decision, a.requested_arguments) for a in root.approvals] == [
        ("refund", "pending", {"amount": 50})
    ]
    assert (root.status, root.tool_calls[0].state) == ("awaiting_approval", "awaiting_approval")


def test_a_pending_call_that_ran_was_approved_by_somebody() -> None:
    """Who decided is not told."""
    told = [approval("pending", 5)]
    root = job(agent("a", events=told), ASKED, tool("t", "refund", "c1", {"amount": 50}, "ok", parent="a"))
    assert [(a.decision, a.source) for a in root.approvals] == [("approve", "unknown")]


@pytest.mark.parametrize("odd", [{"decision": "perhaps"}, {"source": 5}, {"reason": ["x"]}, {"kind": 1}])
def test_odd_events_are_pending_requests(odd: dict[str, Any]) -> None:
    """What cannot be read of an approval is unknown, and the approval stays."""
    held = {"tracegrade.approval.decision": "pending"} | {f"tracegrade.approval.{k}": v for k, v in odd.items()}
    (found,) = job(agent("a", events=[event("tracegrade.approval", held)])).approvals
    assert (found.decision, found.source, found.reason, found.kind) == ("pending", "unknown", None, "tool")


PAUSE = "(Interrupt(value={'action_requests': [{'name': 'refund', 'args': {'amount': 50}}]}, id='1'),)"


@pytest.mark.parametrize(("amount", "decision"), [(50, "approve"), (40, "pending")])
def test_what_ran_after_its_request_was_approved(amount: int, decision: str) -> None:
    """A request that names no call is about the call of that tool that ran later with the arguments that were shown."""
    told = [event("exception", {"exception.type": "GraphInterrupt", "exception.message": PAUSE}, at=1)]
    root = job(
        agent("a", events=told, scope="opentelemetry.instrumentation.langchain"),
        tool("t", "refund", "c1", {"amount": amount}, "ok", parent="a"),
    )
    assert [(a.tool, a.decision) for a in root.approvals] == [("refund", decision)]
