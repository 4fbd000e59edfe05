"""One event a message: span events, logs, and lists of events in an attribute."""

import json
from typing import Any

import pytest

from collector.normalize.events import finish, from_attribute, from_events
from collector.normalize.reading import Event
from collector.normalize.values import Value

CALL = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"a": 1}'}}


def events(*pairs: tuple[str, dict[str, Any]], how: str) -> list[Event]:
    """The same events with their content where different instrumentations put it."""
    make = {
        "body": lambda name, held: Event(name, 1, {}, held),
        "attributes": lambda name, held: Event(name, 1, held),
        "json": lambda name, held: Event(name, 1, {"gen_ai.event.content": json.dumps(held)}),
    }[how]
    return [make(*pair) for pair in pairs]


@pytest.mark.parametrize("how", ["body", "attributes", "json"])
def test_messages_stand_in_a_body_in_attributes_or_in_json(how: str) -> None:
    """A log's body, an event's attributes and JSON in `gen_ai.event.content` tell the same exchange."""
    told = from_events(
        events(
            ("gen_ai.user.message", {"content": "hi"}),
            ("gen_ai.assistant.message", {"tool_calls": [CALL]}),
            ("gen_ai.tool.message", {"id": "c1", "content": "done"}),
            ("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": "Bye."}}),
            how=how,
        )
    )
    assert [m.role for m in told.given or ()] == ["user", "assistant", "tool"]
    assert [part.id for m in told.given or () for part in m.parts] == [None, "c1", "c1"]
    assert [(m.role, m.text(), m.finish) for m in told.made or ()] == [("assistant", "Bye.", "stop")]


def test_other_events_say_nothing() -> None:
    """An exception is no message, and no messages is None rather than an empty history."""
    assert from_events([Event("exception", 1, {"exception.message": "x"})]) == (None, None)


def test_a_list_of_events_in_an_attribute_is_the_same() -> None:
    """Pydantic AI's first format keeps each event's name under `event.name`."""
    told = from_attribute(json.dumps([{"event.name": "gen_ai.user.message", "role": "user", "content": "hi"}, 5]))
    assert [m.text() for m in told.given or ()] == ["hi"]
    assert told.made is None


@pytest.mark.parametrize(
    ("raw", "folded"),
    [
        (["stop"], "stop"),
        ('["end_turn"]', "stop"),
        ("STOP", "stop"),
        (["tool_calls"], "tool_call"),
        ("MAX_TOKENS", "length"),
        ("content-filter", "content_filter"),
        (["pondering"], "pondering"),
    ],
)
def test_finish_reasons_fold_to_the_conventions_words(raw: Any, folded: str) -> None:
    """Lists, JSON text and single words, in any vendor's spelling; an unknown reason stays as it is."""
    assert finish(raw) == Value(folded)


@pytest.mark.parametrize("raw", [None, [], {}])
def test_no_finish_reason_is_none(raw: Any) -> None:
    """An empty list of reasons is no reason."""
    seen = finish(raw)
    assert seen is None or raw == {}
