"""One parser for chat messages in every shape that instrumentations write.

Semantic conventions (`parts`), OpenAI chat (`content`, `tool_calls`), OpenAI Responses items (`function_call`), Anthropic
blocks (`tool_use`), Gemini parts (`functionCall`), Bedrock blocks (`toolUse`), LangChain's serialised messages and the older
per-message events all become `Message(role, parts)`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from collector.normalize.parts import ITEMS, Part, joined, part_of, read_call, string, words
from collector.normalize.taken import Mark
from collector.normalize.values import content, result

__all__ = ["Message", "Part", "joined", "parse", "read", "trailing_results"]


@dataclass(slots=True)
class Message:
    """One message; `role` is system, user, assistant or tool ("" where none was written).

    Once read it is never changed: equal messages of several spans may be one object.
    """

    role: str
    parts: list[Part] = field(default_factory=list)
    finish: str | None = None

    def text(self) -> str | None:
        """The message's own words, None where it has none."""
        said = [part.text for part in self.parts if part.kind == "text" and part.text]
        return "\n".join(said) if said else None

    @property
    def hidden(self) -> bool:
        """Whether words of it stood there and were taken out."""
        return any(part.kind == "other" and part.text == "redacted" for part in self.parts)

    def calls(self) -> list[Part]:
        """The tool calls that the message asks for."""
        return [part for part in self.parts if part.kind == "call"]


_HOLDERS = ("messages", "contents", "choices", "candidates", "generations", "output", "input")
_LANGCHAIN = frozenset({"human", "ai", "tool", "system", "chat", "function", "AIMessageChunk"})
ROLES = {
    "aimessagechunk": "assistant", "model": "assistant", "ai": "assistant", "human": "user", "function": "tool",
    "developer": "system",
}  # fmt: skip


KEPT = 4_000
LONGEST_KEPT = 4_000
"""So many messages are kept by their JSON text, and the bytes of the longest that is."""


def once(parse: Callable[[dict[str, Any]], Message]) -> Callable[[dict[str, Any]], Message]:
    """Parse equal messages once: every model call repeats the history before it (two of three messages in the captures)."""
    known: dict[bytes, Message] = {}

    def parsed(item: dict[str, Any]) -> Message:
        try:
            text = orjson.dumps(item)
        except TypeError:  # it holds what is no JSON
            return parse(item)
        message = known.get(text)
        if message is None:
            message = parse(item)
            if len(text) <= LONGEST_KEPT:
                if len(known) >= KEPT:
                    known.clear()
                known[text] = message
        return message

    return parsed


def read(raw: Any) -> list[Message] | None:
    """Messages from an attribute's value in any encoding; None where it holds none that can be read."""
    if isinstance(raw, Mark):
        raw.words = True
    seen = content(raw)
    if seen is None or seen.state != "present":
        return None
    value = seen.value
    if isinstance(value, dict):  # a request, a response or one message
        value = next((value[key] for key in _HOLDERS if isinstance(value.get(key), list) and value[key]), [value])
    if isinstance(value, str):
        return [Message("", [Part("text", value)])]
    return parse(value) if isinstance(value, list) else None


def parse(items: Iterable[Any]) -> list[Message]:
    """Messages from decoded items; an item may be a message, a Responses item, or a plain string."""
    out: list[Message] = []
    for item in items:
        if isinstance(item, list):
            out += parse(item)
            continue
        if isinstance(item, str):
            decoded = content(item)
            item = decoded.value if decoded and isinstance(decoded.value, dict) else {"content": item}  # noqa: PLW2901
        if isinstance(item, dict):
            out.append(_message(item))
    return out


@once
def _message(item: dict[str, Any]) -> Message:
    return message_of(item)


def message_of(item: dict[str, Any]) -> Message:
    """A decoded message or Responses item."""
    item = _unpacked(item)
    inner = item.get("message")
    if isinstance(inner, dict):  # a choice: {index, finish_reason, message}
        told = {key: inner.get(key) or item.get(key) for key in ("role", "finish_reason")}
        item = _unpacked({**inner, **told})
    kind = item.get("type")
    if isinstance(kind, str) and kind in ITEMS:  # OpenAI Responses: the item is the message
        part = ITEMS[kind](item)
        return Message("tool" if part.kind == "result" else "assistant", [part])
    role = str(item.get("role") or "").lower()
    message = Message(ROLES.get(role, role), finish=string(item.get("finish_reason")))
    for source in ("parts", "content", "contents"):
        body = item.get(source)
        if body is None:
            continue
        if isinstance(body, dict) and isinstance(body.get("parts"), list):  # Gemini: content is a message of its own
            message.role = ROLES.get(str(body.get("role")), message.role)
            body = body["parts"]
        _add(message, body)
    if isinstance(calls := item.get("tool_calls"), list):
        _add_calls(message, calls)
    if message.role == "tool" and not any(part.kind in ("result", "approval_response") for part in message.parts):
        message.parts = [_tool_message(item)]
    return message


def _unpacked(item: dict[str, Any]) -> dict[str, Any]:
    """LangChain's two ways of serialising a message → its fields, the type as the role."""
    fields, kind = item.get("data"), item.get("type")
    if item.get("lc") is not None and isinstance(item.get("kwargs"), dict):
        fields, path = item["kwargs"], item.get("id")
        named = str(path[-1]).removesuffix("Message").lower() if isinstance(path, list) and path else ""
        kind = fields.get("type") or named
    if not isinstance(kind, str) or kind not in _LANGCHAIN:
        return item
    if isinstance(fields, dict):
        return {**{k: v for k, v in fields.items() if k != "type"}, "role": kind}
    return {**item, "role": kind} if "role" not in item and "content" in item else item


def _tool_message(item: dict[str, Any]) -> Part:
    body = item.get("content", item.get("contents", item.get("parts")))
    return Part(
        "result",
        id=string(item.get("tool_call_id") or item.get("id")),
        name=string(item.get("name")),
        value=result(joined(body)),
        failed=bool(item.get("is_error")) or item.get("status") == "error",
    )


def _add(message: Message, body: Any) -> None:
    if isinstance(body, str):
        if body:
            message.parts.append(words(body))
    elif isinstance(body, dict):
        message.parts.append(part_of(body))
    elif isinstance(body, list):
        for block in body:
            if isinstance(block, str):
                message.parts.append(words(block))
            elif isinstance(block, dict):
                message.parts.append(part_of(block))


def _add_calls(message: Message, calls: list[Any]) -> None:
    known = {part.id for part in message.calls() if part.id}
    for call in calls:
        part = read_call(call) if isinstance(call, dict) else None
        if part and (part.id is None or part.id not in known):  # OpenInference writes the same call twice
            message.parts.append(part)


def trailing_results(messages: list[Message] | None) -> list[Part]:
    """Results after the last assistant message: what this call was made for."""
    out: list[Part] = []
    for message in reversed(messages or ()):
        if message.role == "assistant":
            break
        if message.text() is not None and not any(part.kind == "result" for part in message.parts):
            return []  # a person spoke after them: a new turn
        out = [*(part for part in message.parts if part.kind == "result"), *out]
    return out
