"""The two of the 27 points that are about one dialect's own words (see test_points.py)."""

import json

from tests.normalize.spans import agent, asks, chat, event, job, row, says, told, tool, user

X = {"x": 1}
LOOP = "opentelemetry.instrumentation.openai_agents"


def test_09_22_geminis_call_id_has_a_key_of_its_own() -> None:
    """`gen_ai.tool.call_id`: request, execution, log and answer with that id are one call."""
    cli = {"scope": "gemini-cli"}
    held = {
        "gen_ai.operation.name": "tool_call",
        "gen_ai.tool.call_id": "look-17",
        "gen_ai.input.messages": json.dumps({"callId": "look-17", "name": "look", "args": X}),
    }
    decided = event("gemini_cli.tool_call", {"function_name": "look", "success": True, "decision": "accept"})
    asked = {"role": "model", "parts": [{"functionCall": {"id": "look-17", "name": "look", "args": X}}]}
    answer = {"role": "user", "parts": [{"functionResponse": {"id": "look-17", "name": "look", "response": {"ok": 1}}}]}
    hello, bye = ({"role": role, "parts": [{"text": role}]} for role in ("user", "model"))
    call = {"gen_ai.operation.name": "llm_call"}
    root = job(
        row("a", {"gen_ai.operation.name": "user_prompt", "gen_ai.input.messages": '"user"'}, **cli),
        chat("m", [hello], [asked], call, parent="a", **cli),
        row("t", held, parent="a", events=[decided], **cli),
        chat("n", [hello, asked, answer], [bye], call, parent="a", **cli),
    )
    (found,) = root.tool_calls
    assert (found.name, found.call_id, found.arguments, found.state) == ("look", "look-17", X, "succeeded")
    assert [(a.call_id, a.decision) for a in root.approvals] == [("look-17", "approve")]


def test_09_26_a_handoff_that_does_not_say_to_whom_leads_to_the_agent_that_comes_next() -> None:
    """Traceloop sets `to_agent` too late: the target is the agent that began when the handoff was done."""
    handoff = {
        "traceloop.span.kind": "handoff",
        "gen_ai.operation.name": "handoff",
        "gen_ai.agent.name": "triage",
        "gen_ai.handoff.from_agent": "triage",
    }
    asked = asks(("c1", "transfer_to_refunds", {}))
    root = job(
        row("w", {"traceloop.span.kind": "workflow", "traceloop.workflow.name": "Agent Workflow"}, scope=LOOP),
        agent("a", "triage", parent="w", scope=LOOP),
        chat("m", [user("refund")], [asked], parent="a", scope=LOOP),
        row("h", handoff, parent="a", scope=LOOP, name="triage → unknown.handoff"),
        agent("b", "refunds", parent="w", scope=LOOP),
        tool("t", "look", None, X, "ok", parent="b", scope=LOOP),
        chat("n", [user("refund"), asked, told("c1", "refunds")], [says("Done.")], parent="b", scope=LOOP),
    )
    (child,) = root.jobs
    assert (root.agent, child.agent, child.via) == ("triage", "refunds", "handoff")
    assert child.delegation is not None
    assert child.delegation.mode == "pass_control"
    assert [call.name for call in child.tool_calls] == ["look"]
    assert root.reply == "Done."
