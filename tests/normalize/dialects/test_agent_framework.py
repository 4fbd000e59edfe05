"""Microsoft Agent Framework: workflows, approvals, handoffs."""

import json

from tests.normalize.spans import agent, job, row, runs, says, seen, tool, user

SCOPE = "agent_framework"
CALL = {"type": "function_call", "call_id": "c1", "name": "refund", "arguments": '{"n": 1}', "id": "af-call-1"}


def test_a_workflow_holds_the_agents_of_its_executors() -> None:
    """`workflow.run` is asked what its first agent is asked, and answers with the last one's words."""
    first = {
        "gen_ai.input.messages": json.dumps([user("find it")]),
        "gen_ai.output.messages": json.dumps([says("found")]),
    }
    last = {
        "gen_ai.input.messages": json.dumps([user("find it")]),
        "gen_ai.output.messages": json.dumps([says("told")]),
    }
    found = job(
        row("w", {"workflow.id": "w1"}, name="workflow.run", scope=SCOPE),
        row("e", {"executor.id": "a"}, name="executor.process a", parent="w", scope=SCOPE),
        agent("a", "finder", first, parent="e", scope=SCOPE),
        row("f", {"executor.id": "b"}, name="executor.process b", parent="w", scope=SCOPE),
        agent("b", "teller", last, parent="f", scope=SCOPE),
    )
    assert [child.agent for child in found.jobs] == ["finder", "teller"]
    assert (found.agent, found.input, found.reply) == (None, "find it", "told")


def test_building_a_workflow_is_no_run() -> None:
    """The trace in which a workflow is built tells of nothing that an agent did."""
    assert runs(row("b", {"workflow.id": "w1"}, name="workflow.build", scope=SCOPE)) == []


def test_a_request_for_approval_names_the_call() -> None:
    """The call's own id counts, not that of the request."""
    asks = {
        "role": "assistant",
        "parts": [{"type": "function_approval_request", "function_call": CALL, "id": "af-call-1"}],
    }
    found = job(agent("a", "clerk", {"gen_ai.output.messages": json.dumps([asks])}, scope=SCOPE))
    assert [(a.tool, a.call_id, a.decision, a.requested_arguments) for a in found.approvals] == [
        ("refund", "c1", "pending", {"n": 1})
    ]
    assert found.status == "awaiting_approval"


def test_a_handoff_is_a_tool_named_after_its_target() -> None:
    """`handoff_to_clerk` hands over to the clerk."""
    said = seen(tool("x", "handoff_to_clerk", "c1", None, None, {}, scope=SCOPE))
    assert said.handed_to is not None
    assert said.handed_to.value == "clerk"
