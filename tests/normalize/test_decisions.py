"""Requests for decisions and decisions in messages."""

from typing import Any

from collector.normalize.decisions import told
from collector.normalize.messages import parse
from collector.tree import Approval

CALL = {"type": "tool-call", "toolCallId": "c1", "toolName": "refund", "input": {"amount": 5}}
REQUEST = {"type": "tool-approval-request", "approvalId": "a1", "toolCallId": "c1"}


def decided(*messages: tuple[str, list[dict[str, Any]]]) -> list[Approval]:
    """The approvals that messages of these roles and blocks tell of."""
    return told(parse([{"role": role, "content": blocks} for role, blocks in messages]))


def test_a_request_names_its_call() -> None:
    """A request alone is pending, with the tool and the arguments of its call."""
    (one,) = decided(("assistant", [CALL, REQUEST]))
    assert (one.tool, one.call_id, one.requested_arguments, one.decision) == ("refund", "c1", {"amount": 5}, "pending")


def test_a_response_decides_the_request_that_it_names() -> None:
    """`approved` decides, by a person."""
    for approved, decision in ((True, "approve"), (False, "reject")):
        response = {"type": "tool-approval-response", "approvalId": "a1", "approved": approved}
        (one,) = decided(("assistant", [CALL, REQUEST]), ("tool", [response]))
        assert (one.decision, one.source) == (decision, "human")


def test_a_response_without_a_decision_is_not_guessed() -> None:
    """A response that says nothing leaves no pending request, and the call's result tells that it was approved."""
    bare, answer = {"type": "tool-approval-response"}, {"type": "tool_call_response", "id": "c1", "response": "done"}
    request = {"type": "tool-approval-request"}
    assert decided(("assistant", [CALL, request]), ("tool", [bare])) == []
    (one,) = decided(("assistant", [CALL, request]), ("tool", [bare]), ("tool", [answer]))
    assert (one.call_id, one.decision, one.source) == ("c1", "approve", "unknown")


def test_a_denied_result_is_a_rejection() -> None:
    """`{"denied": true}` in place of a result rejects, with its reason."""
    denied = {"type": "tool_call_response", "id": "c1", "response": {"denied": True, "reason": "too much"}}
    (one,) = decided(("assistant", [CALL, REQUEST]), ("tool", [denied]))
    assert (one.decision, one.reason) == ("reject", "too much")


def test_older_turns_are_history() -> None:
    """What was decided before the model last spoke is no approval of this run."""
    response = {"type": "tool-approval-response", "approvalId": "a1", "approved": True}
    said = {"type": "text", "text": "Done."}
    assert decided(("assistant", [CALL, REQUEST]), ("tool", [response]), ("assistant", [said]), ("user", [said])) == []


def test_a_response_may_name_the_call_itself() -> None:
    """Microsoft's response carries the call, and its request may stand in another run."""
    call = {"type": "function_call", "call_id": "c1", "name": "refund", "arguments": '{"amount": 5}'}
    (one,) = decided(
        ("user", [{"type": "function_approval_response", "id": "r", "approved": True, "function_call": call}])
    )
    assert (one.tool, one.call_id, one.decision) == ("refund", "c1", "approve")
