"""Google ADK: its own spans in three generations, and through OpenInference."""

import json
from typing import Any

from tests.normalize.spans import Row, agent, job, row, seen, tool

SCOPE = "gcp.vertex.agent"
ASKED = {"contents": [{"role": "user", "parts": [{"text": "refund it"}]}]}
SAID = {"content": {"role": "model", "parts": [{"text": "done"}]}, "finish_reason": "STOP"}


def old_tool(name: str, given: Any, answer: Any, **held: Any) -> Row:
    """A tool's span of schema 1."""
    facts = {"gcp.vertex.agent.tool_call_args": json.dumps(given), "gcp.vertex.agent.tool_response": json.dumps(answer)}
    return tool("x", name, "c1", None, None, facts | held, parent="a", scope=SCOPE)


def call_llm(request: Any, response: Any, **held: Any) -> Row:
    """A model call of schema 1."""
    facts = {"gen_ai.request.model": "m", "gcp.vertex.agent.llm_request": json.dumps(request)}
    facts |= {"gcp.vertex.agent.llm_response": json.dumps(response)}
    return row("m", facts | held, name="call_llm", parent="a", scope=SCOPE)


def test_version_1_names_the_agent_in_the_spans_name() -> None:
    """`agent_run [NAME]` is the agent's run, and what its model said in Gemini's form is the reply."""
    found = job(
        row("i", name="invocation", scope=SCOPE),
        row("a", name="agent_run [clerk]", parent="i", scope=SCOPE),
        call_llm(ASKED, SAID),
    )
    assert (found.agent, found.input, found.reply) == ("clerk", "refund it", "done")


def test_empty_objects_stand_for_content_that_was_not_captured() -> None:
    """`{}` on a tool's span is unknown, never "called without arguments"."""
    said = seen(old_tool("look", {}, {}))
    assert (said.arguments, said.result) == (None, None)


def test_merged_tools_are_no_call() -> None:
    """The span that ADK adds for parallel calls is dropped."""
    found = job(agent("a", scope=SCOPE), tool("x", "(merged tools)", "u1", None, None, {}, parent="a", scope=SCOPE))
    assert found.tool_calls == []


def test_a_call_that_needs_a_confirmation_has_not_run() -> None:
    """Its span ended well, and its answer says that it waits."""
    waits = {"error": "This tool call requires confirmation, please approve or reject."}
    found = job(agent("a", scope=SCOPE), old_tool("refund", {"n": 1}, waits))
    assert (found.status, found.tool_calls[0].state) == ("awaiting_approval", "awaiting_approval")


def test_a_rejected_call_is_told_by_its_answer() -> None:
    """A person refused: the approval says so."""
    found = job(agent("a", scope=SCOPE), old_tool("refund", {"n": 1}, {"error": "This tool call is rejected."}))
    assert [(a.tool, a.decision) for a in found.approvals] == [("refund", "reject")]


def test_an_answer_that_is_nothing_but_an_error_failed() -> None:
    """Older versions report a tool's failure as a good answer."""
    assert seen(old_tool("look", {"n": 1}, {"error": "no such order"})).tool_failed
    assert not seen(old_tool("look", {"n": 1}, {"error": None, "order": 1})).tool_failed


def test_other_agents_events_are_not_the_users_words() -> None:
    """What ADK retells as "For context:" is left out of the history."""
    retold = {"role": "user", "parts": [{"text": "For context:"}, {"text": "[triage] said: hello"}]}
    said = seen(call_llm({"contents": [*ASKED["contents"], retold]}, SAID))
    assert [message.text() for message in said.messages_in or ()] == ["refund it"]


def test_openinference_writes_over_the_agents_span() -> None:
    """The agent's span of kind LLM is the agent, with the last request and response; its tokens are the last call's alone."""
    held = {
        "openinference.span.kind": "LLM",
        "gen_ai.operation.name": "generate_content",
        "gen_ai.agent.name": "clerk",
        "gen_ai.usage.input_tokens": 9,
        "input.value": json.dumps(ASKED),
        "output.value": json.dumps(SAID),
        "llm.output_messages.0.message.role": "model",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "stale",
    }
    found = job(row("a", held, name="invoke_agent clerk", scope=SCOPE))
    assert (found.agent, found.input, found.reply, found.tool_calls, found.model_calls) == (
        "clerk",
        "refund it",
        "done",
        [],
        [],
    )


def test_openinference_wraps_a_tools_answer() -> None:
    """`{id, name, response}` is the answer's wrapper."""
    wrapped = json.dumps({"id": "c1", "name": "look", "response": {"total": 5}})
    held = {"openinference.span.kind": "TOOL", "input.value": '{"n": 1}', "output.value": wrapped}
    said = seen(tool("x", "look", "c1", None, None, held, scope="openinference.instrumentation.google_adk"))
    assert said.result is not None
    assert said.result.value == {"total": 5}


def test_a_transfer_passes_control() -> None:
    """`transfer_to_agent` names the agent that takes over, whose span stands beside."""
    found = job(
        row("w", {"gen_ai.operation.name": "invoke_workflow"}, name="invoke_workflow triage", scope=SCOPE),
        agent("a", "triage", parent="w", scope=SCOPE),
        tool(
            "x", "transfer_to_agent", "c1", '{"agent_name": "clerk"}', '{"result": null}', {}, parent="a", scope=SCOPE
        ),
        agent("b", "clerk", parent="w", scope=SCOPE),
    )
    assert (found.agent, [(child.agent, child.via) for child in found.jobs]) == ("triage", [("clerk", "handoff")])
