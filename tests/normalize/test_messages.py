"""Chat messages in every shape."""

import json
from typing import Any

import pytest

from collector.normalize.messages import Message, parse, read
from collector.normalize.values import Value

ARGUMENTS = {"order_id": "A-1", "amount": 50}
TEXT = json.dumps(ARGUMENTS)

ID, NAME = "c1", "refund"
CALLS: dict[str, dict[str, Any]] = {
    "semconv": {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": NAME, "arguments": ARGUMENTS}]},
    "semconv with text": {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": NAME, "arguments": TEXT}]},
    "openai": {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": NAME, "arguments": TEXT}}],
    },
    "responses": {"type": "function_call", "id": "fc_9", "call_id": "c1", "name": NAME, "arguments": TEXT},
    "anthropic": {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": NAME, "input": ARGUMENTS}]},
    "gemini": {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": NAME, "args": ARGUMENTS}}]},
    "gemini snake": {"role": "model", "parts": [{"function_call": {"id": "c1", "name": NAME, "args": ARGUMENTS}}]},
    "bedrock": {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1", "name": NAME, "input": ARGUMENTS}}]},
    "vercel": {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": ID, "toolName": NAME, "input": ARGUMENTS}]},
    "vercel v4": {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": ID, "toolName": NAME, "args": TEXT}]},
    "langchain": {"role": "ai", "content": "", "tool_calls": [{"name": NAME, "args": ARGUMENTS, "id": "c1"}]},
}  # fmt: skip
RESULTS: dict[str, dict[str, Any]] = {
    "semconv": {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": {"ok": 1}}]},
    "semconv's own example": {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "result": {"ok": 1}}]},
    "openai": {"role": "tool", "tool_call_id": "c1", "content": '{"ok": 1}'},
    "responses": {"type": "function_call_output", "id": "x", "call_id": "c1", "output": '{"ok": 1}'},
    "anthropic": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": '{"ok": 1}'}]},
    "anthropic blocks": {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": '{"ok": 1}'}]}],
    },
    "gemini": {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": NAME, "response": {"ok": 1}}}]},
    "bedrock": {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": '{"ok": 1}'}}]},
    "event": {"role": "tool", "id": "c1", "content": '{"ok": 1}'},
}  # fmt: skip


@pytest.mark.parametrize("shape", CALLS)
def test_a_call_is_the_same_in_every_shape(shape: str) -> None:
    """Id, name and arguments of a requested call are found however it is written."""
    (message,) = parse([CALLS[shape]])
    (call,) = message.calls()
    assert (message.role, call.id, call.name, call.value) == ("assistant", "c1", "refund", Value(ARGUMENTS))


@pytest.mark.parametrize("shape", RESULTS)
def test_a_result_is_the_same_in_every_shape(shape: str) -> None:
    """A result names its call, and its value is decoded."""
    (message,) = parse([RESULTS[shape]])
    (part,) = message.parts
    assert (part.kind, part.id, part.value) == ("result", "c1", Value({"ok": 1}))


@pytest.mark.parametrize("failed", [{"is_error": True}, {"status": "error"}])
def test_a_result_may_say_that_it_is_an_error(failed: dict[str, Any]) -> None:
    """`is_error` and a status of "error" mark a failed call."""
    (message,) = parse(
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "no", **failed}]}]
    )
    assert message.parts[0].failed


def test_a_call_written_twice_is_one() -> None:
    """The same call among the contents and among the calls of one message (OpenInference) counts once."""
    block = {"type": "tool_use", "id": "c1", "name": "refund", "input": TEXT}
    (message,) = parse(
        [{"role": "assistant", "content": [block], "tool_calls": [{"id": "c1", "name": "refund", "arguments": TEXT}]}]
    )
    assert len(message.calls()) == 1


def test_calls_without_ids_stay_two() -> None:
    """Two equal calls without ids in one message are two calls."""
    call = {"function": {"name": "refund", "arguments": TEXT}}
    (message,) = parse([{"role": "assistant", "tool_calls": [call, call]}])
    assert len(message.calls()) == 2


@pytest.mark.parametrize(
    ("role", "folded"),
    [
        ("model", "assistant"),
        ("ai", "assistant"),
        ("human", "user"),
        ("USER", "user"),
        ("developer", "system"),
        (None, ""),
        (5, "5"),
    ],
)
def test_roles_are_folded(role: Any, folded: str) -> None:
    """Every vendor's word for a role becomes one of four; an unknown one stays."""
    assert parse([{"role": role, "content": "x"}])[0].role == folded


def test_words_are_text_without_reasoning() -> None:
    """A message's own words leave out its thoughts, its calls and what it does not know."""
    parts = [
        {"type": "thinking", "thinking": "hm", "content": "hm"},
        {"type": "text", "text": "One."},
        {"type": "future", "content": "?"},
        {"type": "tool_call", "id": "c", "name": "n", "arguments": {}},
        {"text": "Two."},
    ]
    (message,) = parse([{"role": "assistant", "parts": parts}])
    assert message.text() == "One.\nTwo."
    assert [part.kind for part in message.parts] == ["reasoning", "text", "other", "call", "text"]


def test_a_message_without_words_has_no_text() -> None:
    """No words is None, never an empty reply."""
    assert Message("assistant").text() is None
    assert parse([{"role": "assistant", "content": ""}])[0].text() is None


@pytest.mark.parametrize(
    "raw",
    [
        [{"role": "user", "content": "hi"}],
        json.dumps([{"role": "user", "content": "hi"}]),
        json.dumps(json.dumps([{"role": "user", "content": "hi"}])),
        [json.dumps({"role": "user", "content": "hi"})],
        {"messages": [{"role": "user", "content": "hi"}]},
        {"role": "user", "content": "hi"},
    ],
)
def test_messages_are_read_from_any_encoding(raw: Any) -> None:
    """An array, its JSON text, a list of JSON texts, a state object and a lone message are one history."""
    assert [(m.role, m.text()) for m in read(raw) or ()] == [("user", "hi")]


def test_plain_text_is_a_message_without_a_role() -> None:
    """Words in place of messages are words of nobody in particular."""
    assert read("hi") == read(["hi"])
    assert [(m.role, m.text()) for m in read("hi") or ()] == [("", "hi")]


@pytest.mark.parametrize("raw", [None, '[{"role": "us', "<REDACTED>", 5, True])
def test_what_holds_no_messages_is_none(raw: Any) -> None:
    """Cut-off, hidden or foreign content is no history, not an empty one."""
    assert read(raw) is None


def test_strange_items_are_passed_over() -> None:
    """What is no message in a list of messages does no harm to its neighbours."""
    assert [m.text() for m in parse([None, 5, [], {"role": "user", "content": "hi"}])] == ["hi"]


def test_a_choice_gives_its_message_and_its_finish() -> None:
    """An OpenAI choice is a message that knows why it ended."""
    (message,) = parse([{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}])
    assert (message.text(), message.finish) == ("hi", "stop")


def test_truncated_arguments_keep_their_text() -> None:
    """Arguments that are cut off are malformed with their text, never empty."""
    (message,) = parse([{"role": "assistant", "tool_calls": [{"id": "c", "name": "n", "arguments": '{"a": "long te'}]}])
    assert message.calls()[0].value == Value('{"a": "long te', "malformed", "unreadable_json")
