"""Pieces of chat messages in every shape."""

from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from collector.normalize.parts import Kind, Part, first, joined, part_of, string, words
from collector.normalize.values import Value

X = {"x": 1}
CALL = Part("call", id="c1", name="look", value=Value(X))
CALLS: list[dict[str, Any]] = [
    {"type": "tool_call", "id": "c1", "name": "look", "arguments": X},
    {"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": X},
    {"type": "tool_use", "id": "c1", "name": "look", "input": X},
    {"type": "function", "id": "c1", "function": {"name": "look", "arguments": '{"x": 1}'}},
    {"functionCall": {"id": "c1", "name": "look", "args": X}},
    {"toolUse": {"toolUseId": "c1", "name": "look", "input": X}},
]


@pytest.mark.parametrize("block", CALLS)
def test_a_call_whatever_its_keys_are_called(block: dict[str, Any]) -> None:
    """Id, name and arguments are found under each vendor's names."""
    assert part_of(block) == CALL


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_call_response", "id": "c1", "response": X},
        {"type": "tool_result", "tool_use_id": "c1", "content": '{"x": 1}'},
        {"type": "tool-result", "toolCallId": "c1", "output": {"type": "json", "value": X}},
        {"functionResponse": {"id": "c1", "response": X}},
        {"toolResult": {"toolUseId": "c1", "content": [{"json": X}]}},
    ],
)
def test_a_result_whatever_its_keys_are_called(block: dict[str, Any]) -> None:
    """The id of the call and the content."""
    assert part_of(block) == Part("result", id="c1", value=Value(X))


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_result", "is_error": True, "content": "x"},
        {"type": "tool_call_response", "status": "error", "response": "x"},
        {"type": "tool-result", "output": {"type": "error-text", "value": "x"}},
        {"type": "tool-result", "output": {"type": "execution-denied", "reason": "x"}},
    ],
)
def test_a_result_says_that_its_call_failed(block: dict[str, Any]) -> None:
    """By a flag, by a status, or by its own type."""
    part = part_of(block)
    assert (part.kind, part.failed, part.value) == ("result", True, Value("x"))


def test_words_and_reasoning_are_told_apart() -> None:
    """By type, and with Gemini by a mark beside the text."""
    assert part_of({"type": "text", "content": "a"}) == part_of({"text": "a"}) == Part("text", "a")
    assert part_of({"type": "thinking", "text": "a"}) == Part("reasoning", "a")
    assert part_of({"text": "a", "thought": True}) == Part("reasoning", "a")


def test_hidden_words_are_nobodys() -> None:
    """What stands in place of redacted text is not text."""
    assert words("<REDACTED>") == Part("other", "redacted")
    assert words("hello") == Part("text", "hello")


def test_approvals_name_the_call_and_themselves() -> None:
    """A request and its response share an id, and the response says yes or no."""
    call = {"call_id": "c1", "name": "look", "arguments": "{}"}
    asked = part_of({"type": "function_approval_request", "id": "a1", "function_call": call})
    said = part_of({"type": "function_approval_response", "id": "a1", "approved": False, "function_call": call})
    assert (asked.kind, asked.id, asked.name, asked.about, asked.text) == ("approval_request", "c1", "look", "a1", "")
    assert (said.kind, said.about, said.text) == ("approval_response", "a1", "false")


def test_text_blocks_are_one_text() -> None:
    """Only where all are text; other lists stand as they are."""
    assert joined([{"type": "text", "text": "a"}, {"type": "output_text", "text": "b"}]) == "a\nb"
    mixed = [{"type": "text", "text": "a"}, {"type": "image"}]
    assert joined(mixed) == mixed
    assert joined([]) == []


def test_the_first_key_that_holds_something() -> None:
    """None is nothing; an empty string is something, but no name."""
    assert first({"a": None, "b": ""}, ("a", "b")) == ""
    assert string("") is string(3) is None


@given(
    st.dictionaries(
        st.sampled_from(["type", "kind", "text", "content", "id", "output", "function", "functionCall", "approved"]),
        st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), st.lists)
        | st.sampled_from(["tool_call", "tool-result", "tool_result", "text", "tool-approval-request", "reasoning"])
        | st.dictionaries(st.sampled_from(["type", "value", "name"]), st.text(max_size=3)),
    )
)
@example({"type": "text", "kind": "text", "text": -(2**63) - 1})
def test_nothing_raises(block: dict[str, Any]) -> None:
    """Whatever a block holds, it is a piece of some kind."""
    assert part_of(block).kind in get_args(Kind)
