"""One parser for chat messages in every shape that instrumentations write.

Semantic conventions (`parts`), OpenAI chat (`content`, `tool_calls`), OpenAI Responses items (`function_call`), Anthropic
blocks (`tool_use`), Gemini parts (`functionCall`), Bedrock blocks (`toolUse`) and the older per-message events all become
`Message(role, parts)`. The parser is total: what it does not know becomes a part of kind "other".
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from collector.normalize.values import REDACTED, Value, arguments, as_text, content, result

Kind = Literal["text", "reasoning", "call", "result", "approval_request", "approval_response", "other"]


@dataclass(slots=True)
class Part:
    """A piece of a message. `text` for text and reasoning; `id`, `name` and `value` (arguments or result) for calls."""

    kind: Kind
    text: str = ""
    id: str | None = None
    name: str | None = None
    value: Value | None = None
    failed: bool = False
    about: str | None = None  # the id of the approval that a request makes and its response names


@dataclass(slots=True)
class Message:
    """One message; `role` is system, user, assistant or tool ("" where none was written)."""

    role: str
    parts: list[Part] = field(default_factory=list)
    finish: str | None = None

    def text(self) -> str | None:
        """The message's own words, None where it has none."""
        said = [part.text for part in self.parts if part.kind == "text" and part.text]
        return "\n".join(said) if said else None

    def calls(self) -> list[Part]:
        """The tool calls that the message asks for."""
        return [part for part in self.parts if part.kind == "call"]


_HOLDERS = ("messages", "contents", "choices", "candidates", "generations", "output", "input")
_LANGCHAIN = frozenset({"human", "ai", "tool", "system", "chat", "function", "AIMessageChunk"})
ROLES = {"aimessagechunk": "assistant", "model": "assistant", "ai": "assistant", "human": "user", "function": "tool", "developer": "system"}


def read(raw: Any) -> list[Message] | None:
    """Messages from an attribute's value in any encoding; None where it holds none that can be read."""
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


def _message(item: dict[str, Any]) -> Message:
    item = _unpacked(item)
    inner = item.get("message")
    if isinstance(inner, dict):  # a choice: {index, finish_reason, message}
        told = {key: inner.get(key) or item.get(key) for key in ("role", "finish_reason")}
        item = _unpacked({**inner, **told})
    kind = item.get("type")
    if isinstance(kind, str) and kind in _ITEMS:  # OpenAI Responses: the item is the message
        part = _ITEMS[kind](item)
        return Message("tool" if part.kind == "result" else "assistant", [part])
    role = str(item.get("role") or "").lower()
    message = Message(ROLES.get(role, role), finish=_string(item.get("finish_reason")))
    for source in ("parts", "content", "contents"):
        body = item.get(source)
        if isinstance(body, dict) and isinstance(body.get("parts"), list):  # Gemini: content is a message of its own
            message.role = ROLES.get(str(body.get("role")), message.role)
            body = body["parts"]
        _add(message, body)
    known = {part.id for part in message.parts if part.kind == "call" and part.id}
    for call in _list(item.get("tool_calls")):
        part = _call(call) if isinstance(call, dict) else None
        if part and (part.id is None or part.id not in known):  # OpenInference writes the same call twice
            message.parts.append(part)
    if message.role == "tool" and not any(part.kind in ("result", "approval_response") for part in message.parts):
        message.parts = [_tool_message(item)]
    return message


def _unpacked(item: dict[str, Any]) -> dict[str, Any]:
    """LangChain's two ways of serialising a message → its fields, the type as the role."""
    fields, kind = item.get("data"), item.get("type")
    if item.get("lc") is not None and isinstance(item.get("kwargs"), dict):
        fields = item["kwargs"]
        named = item.get("id")
        kind = fields.get("type") or (named[-1].removesuffix("Message").lower() if isinstance(named, list) and named else "")
    if isinstance(fields, dict) and isinstance(kind, str) and kind in _LANGCHAIN:
        return {**{k: v for k, v in fields.items() if k != "type"}, "role": kind}
    return {**item, "role": kind} if isinstance(kind, str) and kind in _LANGCHAIN and "role" not in item and "content" in item else item


def _tool_message(item: dict[str, Any]) -> Part:
    body = item.get("content", item.get("contents", item.get("parts")))
    return Part(
        "result",
        id=_string(item.get("tool_call_id") or item.get("id")),
        name=_string(item.get("name")),
        value=result(joined(body)),
        failed=bool(item.get("is_error")) or item.get("status") == "error",
    )


def joined(body: Any) -> Any:
    """A tool's answer: the text of its blocks where it is a list of text blocks, else as it is."""
    blocks = [_block_text(block) for block in body] if isinstance(body, list) else None
    if blocks and all(block is not None for block in blocks):
        return "\n".join(block for block in blocks if block is not None)
    if isinstance(body, list) and len(body) == 1 and isinstance(body[0], dict) and body[0].keys() == {"json"}:
        return body[0]["json"]  # Bedrock
    return body


def _block_text(block: Any) -> str | None:
    if isinstance(block, dict) and block.get("type", "text") in ("text", "input_text", "output_text"):
        text = block.get("text", block.get("content"))
        return text if isinstance(text, str) else None
    return None


def _add(message: Message, body: Any) -> None:
    if isinstance(body, str):
        if body:
            message.parts.append(_words(body))
    elif isinstance(body, dict):
        message.parts.append(_part(body))
    elif isinstance(body, list):
        for block in body:
            if isinstance(block, str):
                message.parts.append(_words(block))
            elif isinstance(block, dict):
                message.parts.append(_part(block))


def _words(text: str) -> Part:
    """Text, unless it stands in place of text that was hidden."""
    return Part("other", "redacted") if text in REDACTED else Part("text", text)


def _part(block: dict[str, Any]) -> Part:
    kind = block.get("type") or block.get("kind")
    reader = _PARTS.get(kind) if isinstance(kind, str) else None
    if reader:
        return reader(block)
    for key, reader in _KEYED.items():
        if isinstance(block.get(key), dict):
            return reader(block[key])
    text = block.get("text")
    if isinstance(text, str):
        return Part("reasoning", text) if block.get("thought") is True else _words(text)
    return Part("other", text=str(kind or ""))


def _text(block: dict[str, Any]) -> Part:
    text = block.get("content", block.get("text"))
    return _words(text if isinstance(text, str) else "" if text is None else as_text(text))


def _reasoning(block: dict[str, Any]) -> Part:
    return Part("reasoning", _text(block).text)


def _call(block: dict[str, Any]) -> Part:
    inner = _within(block, "function")
    raw = _first(inner, ("arguments", "args", "input"))
    return Part(
        "call",
        id=_string(_first(block, ("id", "call_id", "toolCallId", "toolUseId", "tool_call_id"))),
        name=_string(_first(inner, ("name", "toolName", "tool_name"))),
        value=arguments(raw),
    )


def _responses_call(block: dict[str, Any]) -> Part:
    part = _call(block)
    part.id = _string(block.get("call_id")) or part.id  # `id` is the item's own (fc_…), call_id what the result names
    return part


def _result(block: dict[str, Any]) -> Part:
    raw = _first(block, ("response", "result", "content", "output"))
    return Part(
        "result",
        id=_string(_first(block, ("id", "tool_use_id", "toolUseId", "toolCallId", "tool_call_id", "call_id"))),
        name=_string(_first(block, ("name", "toolName", "tool_name"))),
        value=result(joined(raw)),
        failed=bool(block.get("is_error")) or block.get("status") == "error",
    )


def _vercel_result(block: dict[str, Any]) -> Part:
    """AI SDK 5 and later wrap a result: {type: text | json | content | error-text | error-json | execution-denied, value}."""
    output = block.get("output")
    if not (isinstance(output, dict) and isinstance(output.get("type"), str)):
        return _result(block)
    kind = output["type"]
    raw = output.get("value", output.get("reason"))
    part = _result({**block, "output": raw if raw is not None else output})
    part.failed = kind.startswith("error") or kind == "execution-denied"
    return part


def _responses_result(block: dict[str, Any]) -> Part:
    return _result({**block, "id": block.get("call_id")})


def _approval(kind: Kind) -> Any:
    def part(block: dict[str, Any]) -> Part:
        inner = block.get("function_call")
        read = _responses_call(inner if isinstance(inner, dict) else {**block, "id": None})
        approved = block.get("approved", block.get("approve"))
        return Part(
            kind,
            text="" if approved is None else str(bool(approved)).lower(),
            id=read.id,
            name=read.name,
            value=read.value,
            about=_string(_first(block, ("approvalId", "approval_id", "id"))),
        )

    return part


_ITEMS = {
    "function_call": _responses_call,
    "function_call_output": _responses_result,
    "mcp_call": _responses_call,
    "reasoning": lambda item: Part("reasoning", as_text(item.get("summary") or "")),
}
_PARTS = {
    "text": _text,
    "input_text": _text,
    "output_text": _text,
    "reasoning": _reasoning,
    "thinking": _reasoning,
    "tool_call": _call,
    "tool-call": _call,
    "tool_use": _call,
    "function": _call,
    "tool_call_response": _result,
    "tool-result": _vercel_result,
    "tool_result": _result,
    "function_approval_request": _approval("approval_request"),
    "function_approval_response": _approval("approval_response"),
    "tool-approval-request": _approval("approval_request"),
    "tool-approval-response": _approval("approval_response"),
    "tool_approval_request": _approval("approval_request"),
    "tool_approval_response": _approval("approval_response"),
}
_KEYED = {
    "functionCall": _call,
    "function_call": _call,
    "functionResponse": _result,
    "function_response": _result,
    "toolUse": _call,
    "toolResult": _result,
    "tool_call": _call,
}


def _within(block: dict[str, Any], key: str) -> dict[str, Any]:
    inner = block.get(key)
    return inner if isinstance(inner, dict) else block


def _first(block: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((block[key] for key in keys if block.get(key) is not None), None)


def _list(raw: Any) -> list[Any]:
    return raw if isinstance(raw, list) else []


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None
