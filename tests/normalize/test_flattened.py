"""OpenInference's flattened lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.normalize import flattened
from collector.normalize.flattened import lists
from collector.normalize.messages import Message

IN = "llm.input_messages."


def test_messages_are_read_in_their_order_without_holes() -> None:
    """Numbers are positions, compared as numbers."""
    held = {
        f"{IN}{i}.message.{k}": v for i, text in ((10, "b"), (2, "a")) for k, v in (("role", "user"), ("content", text))
    }
    assert [message.text() for message in lists(held).given or ()] == ["a", "b"]


def test_a_hostile_number_costs_nothing() -> None:
    """It is a key, never a length; one that is too long is no number."""
    held = {
        f"{IN}99999999.message.content": "a",
        f"{IN}9999999999999.message.content": "b",
        f"{IN}x.message.content": "c",
    }
    assert [message.text() for message in lists(held).given or ()] == ["a"]


def test_a_call_that_is_written_twice_is_one() -> None:
    """`tool_calls` and the content block of type tool_use tell of the same call."""
    call = {"tool_call.id": "c1", "tool_call.function.name": "look", "tool_call.function.arguments": '{"n": 1}'}
    start = "llm.output_messages.0.message."
    held = {start + "role": "assistant"} | {f"{start}tool_calls.0.{key}": value for key, value in call.items()}
    held |= {f"{start}contents.0.{key}": value for key, value in call.items()}
    (message,) = lists(held).made or [Message("")]
    assert [(part.id, part.name) for part in message.calls()] == [("c1", "look")]


def test_documents_are_what_was_retrieved() -> None:
    """Of a retrieval, else of a reranking."""
    held = {"retrieval.documents.0.document.id": "d1", "retrieval.documents.0.document.score": 0.5}
    assert lists(held).documents == [{"id": "d1", "score": 0.5}]
    assert lists({}).documents is None


@given(
    st.dictionaries(
        st.text(max_size=30).map(lambda rest: IN + rest), st.none() | st.text() | st.integers() | st.lists(st.text())
    )
)
def test_any_keys_and_values_are_survived(held: dict[str, object]) -> None:
    """Whatever stands there, reading it raises nothing."""
    lists(held)


def test_keys_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither many hostile keys nor long ones fill the memory, and each is read all the same."""
    monkeypatch.setattr(flattened, "_MOST_KNOWN", 3)
    places = flattened._Places(("a.",))
    assert [places[f"a.{i}.x"] for i in range(9)] == [("a.", i, "x") for i in range(9)]
    assert places["a.1." + "x" * 300] == ("a.", 1, "x" * 300)
    assert places["b.1.x"] is None
    assert len(places) <= 3
