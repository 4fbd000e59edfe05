"""Gemini's own JSON: a request with `contents`, a response with `content` (or `candidates`), a function's response.

Google ADK writes them into attributes, `{}` where content was not to be captured: that is unknown, never empty.
"""

from typing import Any

from collector.normalize.messages import Message, parse
from collector.normalize.values import Value, arguments, content, result

_WRAPPED = frozenset(("id", "name", "response", "will_continue", "scheduling", "parts"))


def request(raw: Any) -> list[Message] | None:
    """The messages that the model was given."""
    held = _object(raw)
    contents = held.get("contents")
    if isinstance(contents, str):
        contents = [{"role": "user", "parts": [{"text": contents}]}]
    return parse(contents) if isinstance(contents, list) and contents else None


def response(raw: Any) -> list[Message] | None:
    """What the model (or an agent's last event) said."""
    held = _object(raw)
    candidates = held.get("candidates")
    if isinstance(candidates, list) and candidates and isinstance(candidates[0], dict):
        held = candidates[0]
    made = held.get("content")
    if not isinstance(made, dict):
        return None
    finish = held.get("finish_reason") or held.get("finishReason")
    return parse([{"role": "model", **made, "finish_reason": finish.lower() if isinstance(finish, str) else None}])


def wanted(raw: Any) -> Value | None:
    """A function's arguments."""
    seen = arguments(raw) if raw is not None else None
    return None if seen is None or seen.value == {} else seen


def answer(raw: Any) -> Value | None:
    """A function's response, out of what wraps it: {id, name, response}, or an event with such a part."""
    seen = result(raw) if raw is not None else None
    if seen is None or seen.state != "present" or not isinstance(seen.value, dict):
        return seen
    held = seen.value
    if not held:
        return None
    told = response(held)
    part = told[0].parts[0] if told and told[0].parts else None
    if part is not None and part.kind == "result":
        return part.value
    return Value(held["response"]) if "response" in held and held.keys() <= _WRAPPED and "name" in held else seen


def _object(raw: Any) -> dict[str, Any]:
    seen = content(raw)
    return seen.value if seen is not None and seen.state == "present" and isinstance(seen.value, dict) else {}
