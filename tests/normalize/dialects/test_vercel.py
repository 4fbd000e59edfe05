"""Vercel AI SDK, native spans of versions 3 to 6."""

import json
from typing import Any

from tests.normalize.spans import Row, exception, job, row, runs, seen


def span(span_id: str, operation: str, held: dict[str, Any] | None = None, /, **fields: Any) -> Row:
    """A span of the SDK; values that are no text become JSON text."""
    told = {f"ai.{key}": value if isinstance(value, str) else json.dumps(value) for key, value in (held or {}).items()}
    return row(span_id, {"ai.operationId": f"ai.{operation}", **told}, name=f"ai.{operation}", scope="ai", **fields)


OUTER: dict[str, Any] = {"telemetry.functionId": "support", "prompt": {"system": "Help.", "prompt": "Hi"}}
RAN = {"toolCall.name": "look", "toolCall.id": "call_9f3a7c21", "toolCall.args": "{}", "toolCall.result": "1"}
CALLS = [{"toolCallId": "call_9f3a7c21", "toolName": "look", "input": '{"id": "A"}'}]


def test_the_outer_span_is_the_job() -> None:
    """Name, question and answer stand on the outer span; the inner ones are its model calls."""
    made = job(
        span(
            "a",
            "generateText",
            {**OUTER, "response.text": "Bye.", "response.finishReason": "stop", "usage.inputTokens": 99},
        ),
        span(
            "m",
            "generateText.doGenerate",
            {"response.text": "Bye.", "usage.inputTokens": "7", "model.id": "m"},
            parent="a",
        ),
    )
    assert (made.agent, made.input, made.reply, made.status) == ("support", "Hi", "Bye.", "completed")
    assert [(call.model, call.input_tokens) for call in made.model_calls] == [("m", 7)]


def test_messages_in_place_of_a_prompt() -> None:
    """The question is the person's last words, whether `messages` or a list under `prompt` holds them."""
    history = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Yes?"},
        {"role": "user", "content": "Bye"},
    ]
    for key in ("messages", "prompt"):
        assert job(span("a", "streamText", {"prompt": {key: history}})).input == "Bye"


def test_a_call_is_asked_for_and_runs() -> None:
    """A call's input may be JSON text or an object; the result is JSON, also that of a text."""
    for wanted in ('{"id": "A"}', {"id": "A"}):
        made = job(
            span("a", "generateText", OUTER),
            span("m", "generateText.doGenerate", {"response.toolCalls": [{**CALLS[0], "input": wanted}]}, parent="a"),
            span("x", "toolCall", {"toolCall.name": "look", "toolCall.id": "call_9f3a7c21", "toolCall.args": {"id": "A"},
                                   "toolCall.result": '"found"'}, parent="a"),
        )  # fmt: skip
        (call,) = made.tool_calls
        assert (call.call_id, call.arguments, call.requested_arguments) == ("call_9f3a7c21", {"id": "A"}, {"id": "A"})
        assert (call.state, call.result) == ("succeeded", "found")


def test_a_failed_tool_does_not_fail_the_run() -> None:
    """A tool's exception is the call's error."""
    made = job(
        span("a", "generateText", {**OUTER, "response.text": "Sorry."}),
        span("x", "toolCall", {"toolCall.name": "look", "toolCall.id": "call_9f3a7c21", "toolCall.args": "{}"}, parent="a",
             error="no", events=[exception("Error", "no")]),
    )  # fmt: skip
    assert (made.status, made.tool_calls[0].state, made.tool_calls[0].error) == ("completed", "failed", "Error: no")


def test_results_of_version_5_are_wrapped() -> None:
    """`output: {type, value}` is the value, and its type tells of a failure."""
    for kind, value, failed in (("json", {"a": 1}, False), ("text", "18C", False), ("error-text", "no", True)):
        result = {
            "type": "tool-result",
            "toolCallId": "call_9f3a7c21",
            "toolName": "look",
            "output": {"type": kind, "value": value},
        }
        said = seen(span("m", "streamText.doStream", {"prompt.messages": [{"role": "tool", "content": [result]}]}))
        assert said.messages_in is not None
        (part,) = said.messages_in[0].parts
        assert (part.value and part.value.value, part.failed) == (value, failed)


def test_words_of_a_run_that_stopped_at_a_call_are_no_reply() -> None:
    """A run that ended with an open call says nothing final, and did not complete."""
    made = job(
        span("a", "generateText", {**OUTER, "response.text": "Let me see.", "response.finishReason": "tool-calls"}),
        span(
            "m",
            "generateText.doGenerate",
            {"response.toolCalls": CALLS, "response.finishReason": "tool-calls"},
            parent="a",
        ),
    )
    assert (made.reply, made.status, made.tool_calls[0].state) == (None, "unknown", "requested")


def test_without_a_function_id_nobody_is_named() -> None:
    """The model's name is not the agent's."""
    assert job(span("a", "generateText", {"prompt": {"prompt": "Hi"}, "model.id": "gpt"})).agent is None


def test_an_object_is_the_reply() -> None:
    """`generateObject` answers with an object."""
    assert job(span("a", "generateObject", {**OUTER, "response.object": {"label": "good"}})).reply == {"label": "good"}


def test_a_run_that_waited_goes_on_in_another_trace() -> None:
    """The resumed run executes the open call first: one run, and the approval with it."""
    request = {"type": "tool-approval-request", "approvalId": "p", "toolCallId": "call_9f3a7c21"}
    response = {"type": "tool-approval-response", "approvalId": "p", "approved": True}
    history = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [{"type": "tool-call", **CALLS[0]}, request]},
        {"role": "tool", "content": [response]},
    ]
    (run,) = runs(
        span("a", "generateText", {**OUTER, "response.finishReason": "tool-calls"}),
        span("m", "generateText.doGenerate", {"response.toolCalls": CALLS}, parent="a"),
        span("b", "generateText", {**OUTER, "prompt": {"messages": history}, "response.text": "Done."}, trace="u"),
        span("x", "toolCall", RAN, trace="u", parent="b"),
    )  # fmt: skip
    assert [call.state for call in run.root.tool_calls] == ["succeeded"]
    assert [(one.tool, one.decision, one.source) for one in run.root.approvals] == [("look", "approve", "human")]
    assert run.root.reply == "Done."
