"""Mastra: `mastra.span.type` tells what a span is."""

import json
from typing import Any

from tests.normalize.spans import Row, job, row, seen


def span(span_id: str, kind: str, held: dict[str, Any] | None = None, /, **fields: Any) -> Row:
    """A span of the exporter; values that are no text become JSON text."""
    told = {
        key: value if isinstance(value, str | bool | int) else json.dumps(value) for key, value in (held or {}).items()
    }
    return row(span_id, {"mastra.span.type": kind, **told}, scope="@mastra/otel-exporter", **fields)


CALL = {"toolCallId": "c1", "toolName": "look", "args": {"id": "A"}}
RUN = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Support", "mastra.agent_run.input": "Hi"}


def test_words_stand_on_the_run() -> None:
    """A question is text or messages; the answer is an object with text, or with an object."""
    for asked in ("Hi", [{"role": "user", "content": "Hi"}]):
        for answer, reply in (({"text": "Bye.", "files": []}, "Bye."), ({"text": "", "object": {"a": 1}}, {"a": 1})):
            made = job(
                span("a", "agent_run", {**RUN, "mastra.agent_run.input": asked, "mastra.agent_run.output": answer})
            )
            assert (made.agent, made.input, made.reply) == ("Support", "Hi", reply)


def test_calls_stand_on_the_step_around_the_inference() -> None:
    """The inference leaves its calls out; with the step around it there is one model call, and it asked."""
    made = job(
        span("a", "agent_run", RUN),
        span("s", "model_step", {"mastra.model_step.output": {"text": "", "toolCalls": [CALL]}}, parent="a"),
        span("m", "model_inference", {"gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt",
             "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": ""}]}]}, parent="s"),
        span("x", "tool_call", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "look",
             "gen_ai.tool.call.id": "c1", "gen_ai.tool.call.arguments": {"id": "A"}, "gen_ai.tool.call.result": '"ok"'},
             parent="s"),
    )  # fmt: skip
    assert [call.model for call in made.model_calls] == ["gpt"]
    (call,) = made.tool_calls
    assert (call.state, call.requested_arguments, call.result) == ("succeeded", {"id": "A"}, "ok")


def test_a_suspended_run_waits_though_its_status_is_ok() -> None:
    """The output says what the run waits for: one pending approval, and the call waits with it."""
    suspended = {"status": "suspended", "reason": "tool-call-approval", "toolName": "look"}
    made = job(
        span("a", "agent_run", {**RUN, "mastra.agent_run.output": suspended}, ok=True),
        span("s", "model_step", {"mastra.model_step.output": {"text": "", "toolCalls": [CALL]}}, parent="a"),
    )
    assert (made.status, made.reply) == ("awaiting_approval", None)
    assert [(one.tool, one.call_id, one.decision) for one in made.approvals] == [("look", "c1", "pending")]
    assert [call.state for call in made.tool_calls] == ["awaiting_approval"]


def test_version_0_writes_plain_input_and_output() -> None:
    """Version 0.3 has its own operations, and names of its own for a tool's arguments, result and success."""
    made = job(
        span("a", "agent_run", {"gen_ai.operation.name": "agent.run", "agent.id": "support", "input": "Hi",
             "output": {"text": "Bye."}}),
        span("m", "model_generation", {"gen_ai.operation.name": "tool_selection", "gen_ai.request.model": "gpt",
             "output": {"text": "", "toolCalls": [CALL]}}, parent="a"),
        span("x", "tool_call", {"gen_ai.operation.name": "tool.execute", "gen_ai.tool.name": "look",
             "gen_ai.tool.input": {"id": "A"},
             "gen_ai.tool.output": {"error": "no"}, "gen_ai.tool.success": False}, parent="a"),
    )  # fmt: skip
    assert (made.agent, made.input, made.reply) == ("support", "Hi", "Bye.")
    assert [(c.call_id, c.arguments, c.state) for c in made.tool_calls] == [("c1", {"id": "A"}, "failed")]
    assert [call.model for call in made.model_calls] == ["gpt"]


def test_chunks_and_mappings_are_steps() -> None:
    """What is no call, no model and no agent is a step."""
    assert [seen(span("s", kind)).role for kind in ("model_chunk", "mapping", "workflow_step")] == ["step"] * 3
