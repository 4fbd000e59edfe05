"""Pieces of chat messages in every shape: words, reasoning, tool calls, results, requests for approval and responses.

Readers go by the piece's `type`, else by the key that it holds. All are total: what is not known is of kind "other".
"""

from typing import Any, Literal, NamedTuple

from collector.normalize.values import Value, arguments, as_text, hidden, result

Kind = Literal["text", "reasoning", "call", "result", "approval_request", "approval_response", "other"]


class Part(NamedTuple):
    """A piece of a message. `text` for text and reasoning; `id`, `name` and `value` (arguments or result) for calls."""

    kind: Kind
    text: str = ""
    id: str | None = None
    name: str | None = None
    value: Value | None = None
    failed: bool = False
    about: str | None = None  # the id of the approval that a request makes and its response names


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


def words(text: str) -> Part:
    """Text, unless it stands in place of text that was hidden."""
    return Part("other", "redacted") if hidden(text) else Part("text", text)


def part_of(block: dict[str, Any]) -> Part:
    """A piece of a message, by its type or by the key that it holds."""
    kind = block.get("type") or block.get("kind")
    reader = _PARTS.get(kind) if isinstance(kind, str) else None
    if reader:
        return reader(block)
    if not _KEYED.keys().isdisjoint(block):
        for key, keyed in _KEYED.items():
            if isinstance(block.get(key), dict):
                return keyed(block[key])
    text = block.get("text")
    if isinstance(text, str):
        return Part("reasoning", text) if block.get("thought") is True else words(text)
    return Part("other", text=str(kind or ""))


def _text(block: dict[str, Any]) -> Part:
    text = block.get("content", block.get("text"))
    return words(text if isinstance(text, str) else "" if text is None else as_text(text))


def _reasoning(block: dict[str, Any]) -> Part:
    return Part("reasoning", _text(block).text)


def read_call(block: dict[str, Any]) -> Part:
    """A tool call, whatever its keys are called."""
    inner = _within(block, "function")
    raw = first(inner, ("arguments", "args", "input"))
    name = string(first(inner, ("name", "toolName", "tool_name")))
    call_id = string(first(block, ("id", "call_id", "toolCallId", "toolUseId", "tool_call_id")))
    # Gemini's API knows no call ids, and some clients write the name in their place
    return Part("call", id=None if call_id == name else call_id, name=name, value=arguments(raw))


def _responses_call(block: dict[str, Any]) -> Part:
    part = read_call(block)
    named = string(block.get("call_id"))  # `id` is the item's own (fc_…), call_id what the result names
    return part._replace(id=named) if named else part


def _result(block: dict[str, Any]) -> Part:
    raw = first(block, ("response", "result", "content", "output"))
    return Part(
        "result",
        id=string(first(block, ("id", "tool_use_id", "toolUseId", "toolCallId", "tool_call_id", "call_id"))),
        name=string(first(block, ("name", "toolName", "tool_name"))),
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
    return part._replace(failed=kind.startswith("error") or kind == "execution-denied")


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
            about=string(first(block, ("approvalId", "approval_id", "id"))),
        )

    return part


ITEMS = {
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
    "tool_call": read_call,
    "tool-call": read_call,
    "tool_use": read_call,
    "function": read_call,
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
    "functionCall": read_call,
    "function_call": read_call,
    "functionResponse": _result,
    "function_response": _result,
    "toolUse": read_call,
    "toolResult": _result,
    "tool_call": read_call,
}


def _within(block: dict[str, Any], key: str) -> dict[str, Any]:
    inner = block.get(key)
    return inner if isinstance(inner, dict) else block


def first(block: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """The first of the keys that holds something."""
    for key in keys:
        if (held := block.get(key)) is not None:
            return held
    return None


def string(raw: Any) -> str | None:
    """A string with something in it."""
    return raw if isinstance(raw, str) and raw else None
