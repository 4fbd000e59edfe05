"""OpenLLMetry (`traceloop.*`): decorated functions, and model calls in the old form, messages flattened into keys.

Traps: decorators write `{"args": […], "kwargs": {…}}`; older versions record no arguments and results of
tools at all; what carries `gen_ai.operation.name` follows the semantic conventions, which speak first. The LangChain
instrumentor has a dialect of its own.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, either, keys, prefix, say
from collector.normalize.events import blocks, finish
from collector.normalize.flattened import items
from collector.normalize.messages import Message, parse
from collector.normalize.python_calls import passed, words
from collector.normalize.reading import Span
from collector.normalize.values import Value, bounded, content, name, result

KINDS: dict[str, Role] = {
    "agent": "job",
    "workflow": "workflow",
    "task": "step",
    "tool": "tool",
    "handoff": "handoff",
}
REQUESTS: dict[str, Role] = {
    **dict.fromkeys(("chat", "completion"), "model"),
    "embedding": "embedding",
    "rerank": "retrieval",
}
_PROMPT, _COMPLETION = "gen_ai.prompt.", "gen_ai.completion."
_OWN = "traceloop.association.properties."
_FOUND = "db.query.result"


def _role(span: Span) -> Role | None:
    held = span.attributes
    kind, request = held.get("traceloop.span.kind"), held.get("llm.request.type")
    role = KINDS.get(kind) if isinstance(kind, str) else None
    role = role or (REQUESTS.get(request) if isinstance(request, str) else None)
    return role or ("retrieval" if any(event.name == _FOUND for event in span.events) else None)


def _messages(span: Span, said: Sighting) -> None:
    if said.role == "model" and "messages" not in said.settled:
        found = items(span.attributes, _PROMPT, _COMPLETION)
        said.messages_in = said.messages_in or _parsed(found.get(_PROMPT))
        made = found.get(_COMPLETION)
        said.messages_out = said.messages_out or _parsed(made, "assistant")
        if made:
            say(said, "finish", finish(made[0].get("finish_reason")))


def _parsed(flat: list[dict[str, Any]] | None, role: str = "user") -> list[Message] | None:
    return parse(_message(item, role) for item in flat) if flat else None


def _message(flat: dict[str, Any], role: str) -> dict[str, Any]:
    """One flattened message → the shape of an OpenAI chat message."""
    calls = items(flat, "tool_calls.").get("tool_calls.")
    plain = {key: value for key, value in flat.items() if not key.startswith("tool_calls.")}
    if isinstance(plain.get("content"), str):
        plain["content"] = blocks(plain["content"])
    asked = [{"arguments": "", **call} for call in calls or ()]  # a call without arguments leaves them out
    return {"role": role, **plain, **({"tool_calls": asked} if asked else {})}


def _entity(span: Span, said: Sighting) -> None:
    """What a decorated function was given and what it returned, by its kind."""
    held = span.attributes
    if "traceloop.span.kind" not in held:
        return
    given, made = held.get("traceloop.entity.input"), held.get("traceloop.entity.output")
    named = name(held.get("traceloop.entity.name"))
    if said.role == "tool":
        say(said, "tool", named)
        say(said, "arguments", passed(given))
        say(said, "result", result(made))
    elif said.role in ("job", "workflow", "step"):
        say(said, "agent", named if said.role == "job" else None)
        say(said, "input", words(given))
        say(said, "output", content(made))


def _documents(span: Span, said: Sighting) -> None:
    found = [event.attributes for event in span.events if event.name == _FOUND]
    if found:
        say(said, "documents", Value([bounded(_document(item)) for item in found]))


def _document(item: dict[str, Any]) -> dict[str, Any]:
    short = {key.removeprefix(_FOUND + "."): value for key, value in item.items()}
    return {"content" if key == "document" else key: value for key, value in short.items()}


DIALECT = Dialect(
    name="traceloop",
    rank=30,
    claims=either(
        prefix("traceloop.", _PROMPT, _COMPLETION, "llm.request.type"),
        lambda span: any(event.name == _FOUND for event in span.events),
    ),
    role=_role,
    fields={
        "conversation": keys(*(_OWN + key for key in ("session_id", "thread_id", "conversation_id", "chat_id"))),
    },
    quirks=(_messages, _entity, _documents),
)
