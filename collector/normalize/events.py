"""Words of the semantic conventions that several dialects use: one event a message (1.28 to 1.36), finish reasons.

The events may be span events, log records, or a JSON list in an attribute; all become the messages that a model call was
given and those that it made.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from collector.normalize.messages import Message, parse
from collector.normalize.reading import Event
from collector.normalize.values import Value, content, names

ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
CHOICE = "gen_ai.choice"
FINISH = {
    **dict.fromkeys(("end_turn", "stop_sequence", "completed"), "stop"),
    **dict.fromkeys(("tool_calls", "tool_use", "function_call", "tool-calls"), "tool_call"),
    "max_tokens": "length",
    **dict.fromkeys(("content-filter", "safety", "refusal"), "content_filter"),
}


class Exchange(NamedTuple):
    """What a model call was given and what it made; None where no event tells."""

    given: list[Message] | None
    made: list[Message] | None


def exchange(bodies: Iterable[tuple[str, dict[str, Any]]]) -> Exchange:
    """Messages from (event name, body) pairs in their order; other events are passed over."""
    given: list[dict[str, Any]] = []
    made: list[dict[str, Any]] = []
    for name, body in bodies:
        if name in ROLES:
            given.append({"role": ROLES[name], **body})
        elif name == CHOICE:
            made.append({"role": "assistant", **body})
    return Exchange(parse(given) if given else None, parse(made) if made else None)


def from_events(events: list[Event]) -> Exchange:
    """Messages from span events and logs: the body, or attributes, or JSON in `gen_ai.event.content`."""
    return exchange((event.name, _body(event)) for event in events)


def from_attribute(raw: Any) -> Exchange:
    """Messages from a JSON list of events, each with its name under `event.name`."""
    seen = content(raw)
    items = seen.value if seen and isinstance(seen.value, list) else []
    return exchange((str(item.get("event.name")), item) for item in items if isinstance(item, dict))


def finish(raw: Any) -> Value | None:
    """The first finish reason, folded to the convention's words."""
    seen = names(raw)
    if seen is None or not isinstance(seen.value, list) or not seen.value:
        return None
    reason = seen.value[0].lower()
    return Value(FINISH.get(reason, reason))


def _body(event: Event) -> dict[str, Any]:
    inner = content(event.attributes.get("gen_ai.event.content"))
    body = event.body if isinstance(event.body, dict) else inner.value if inner else None
    return {**event.attributes, **(body if isinstance(body, dict) else {})}
