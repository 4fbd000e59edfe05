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
_BLOCK = frozenset({"type", "text", "toolUse", "toolResult", "reasoningContent", "functionCall", "functionResponse"})
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
        elif name == "gen_ai.content.prompt":  # 1.26
            given += _listed(body.get("gen_ai.prompt"), "user")
        elif name == "gen_ai.content.completion":
            made += _listed(body.get("gen_ai.completion"), "assistant")
    return Exchange(parse(given) if given else None, parse(made) if made else None)


def _listed(raw: Any, role: str) -> list[dict[str, Any]]:
    """The messages that 1.26 wrote into one attribute: a list, a single one, or its text."""
    seen = content(raw)
    value = seen.value if seen is not None and seen.state == "present" else raw
    items = value if isinstance(value, list) else [value]
    return [
        {"role": role, **(item if isinstance(item, dict) else {"content": item})} for item in items if item is not None
    ]


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
    told = content(event.body) if isinstance(event.body, str) else None
    body = told.value if told else event.body if isinstance(event.body, dict) else inner.value if inner else None
    out = {**event.attributes, **(body if isinstance(body, dict) else {})}
    for key in ("content", "message"):
        if isinstance(out.get(key), str):
            out[key] = blocks(out[key])
    made = out.get("message")
    return {**out, "message": made if isinstance(made, dict) else {"content": made}} if made is not None else out


def blocks(text: str) -> Any:
    """Blocks or a message written as JSON text; any other JSON is what somebody said."""
    seen = content(text)
    value = seen.value if seen and seen.state == "present" else None
    if isinstance(value, list) and value and all(isinstance(item, dict) and item.keys() & _BLOCK for item in value):
        return value
    return value if isinstance(value, dict) and value.keys() >= {"role", "content"} else text
