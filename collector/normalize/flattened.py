"""Lists that were flattened into attribute keys (`llm.input_messages.0.message.content`) → messages and documents.

Numbers are positions: holes are dropped and their order kept. An index costs no memory, however large it is.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from collector.normalize.messages import Message, message_of, once


class Lists(NamedTuple):
    """What a model call was given and made, and what a retrieval found; None where the span holds none."""

    given: list[Message] | None
    made: list[Message] | None
    documents: list[dict[str, Any]] | None


_LISTS = ("llm.input_messages.", "llm.output_messages.", "retrieval.documents.", "reranker.output_documents.")
_DIGITS = 8
MOST_ITEMS = 10_000
"""Of a flattened list so many items are read: a hostile index must not cost memory (Langfuse caps at the same order)."""
_MOST_KNOWN, _LONGEST_KNOWN = 20_000, 200
"""Keys that are remembered, and the characters of the longest: hostile ones must not fill the memory."""


def items(attributes: Mapping[str, Any], *starts: str) -> dict[str, list[dict[str, Any]]]:
    """By prefix (`llm.input_messages.`) the items in their order, each with the rest of its keys; in one pass."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    places = _places(starts)
    for path, value in attributes.items():
        place = places[path]
        if place is None:
            continue
        start, index, rest = place
        held = found.setdefault(start, {})
        if index in held or len(held) < MOST_ITEMS:
            held.setdefault(index, {})[rest] = value
    return {start: list(map(held.__getitem__, sorted(held))) for start, held in found.items()}


class _Places(dict[str, tuple[str, int, str] | None]):
    """Of a key its prefix, its index and the rest, None where it has none; the same keys come back in every span."""

    def __init__(self, starts: tuple[str, ...]) -> None:
        super().__init__()
        self.match = re.compile(rf"({'|'.join(map(re.escape, starts))})(\d{{1,{_DIGITS}}})\.(.+)", re.DOTALL).match

    def __missing__(self, path: str) -> tuple[str, int, str] | None:
        found = self.match(path)
        place = (found[1], int(found[2]), found[3]) if found else None
        if len(path) <= _LONGEST_KNOWN:
            if len(self) >= _MOST_KNOWN:
                self.clear()
            self[path] = place
        return place


_places = cache(_Places)


def lists(attributes: Mapping[str, Any]) -> Lists:
    """OpenInference's lists among a span's attributes."""
    found = items(attributes, *_LISTS)
    given, made, retrieved, reranked = map(found.get, _LISTS)
    documents = retrieved or reranked
    return Lists(_messages(given), _messages(made), list(map(_document, documents)) if documents else None)


def _messages(flat: list[dict[str, Any]] | None) -> list[Message] | None:
    return list(map(_message, flat)) if flat else None


@once
def _message(flat: dict[str, Any]) -> Message:
    return message_of(_chat(flat))


def _chat(flat: dict[str, Any]) -> dict[str, Any]:
    """One flattened message → the shape of an OpenAI chat message."""
    out: dict[str, Any] = {}
    calls: dict[str, dict[str, Any]] = {}
    contents: dict[str, dict[str, Any]] = {}
    for path, value in flat.items():
        key = path.removeprefix("message.")
        if key.startswith("tool_calls."):
            _, index, rest = key.split(".", 2) if key.count(".") > 1 else (key, "", "")
            calls.setdefault(index, {})[rest.removeprefix("tool_call.")] = value
        elif key.startswith("contents."):
            _, index, rest = key.split(".", 2) if key.count(".") > 1 else (key, "", "")
            contents.setdefault(index, {})[rest.removeprefix("message_content.")] = value
        else:
            out[key] = value
    if calls:
        out["tool_calls"] = [_call(calls[i]) for i in sorted(calls, key=_order)]
    if contents and not out.get("content"):
        out["content"] = [_block(contents[i]) for i in sorted(contents, key=_order)]
    if "function_call_name" in out:
        out.setdefault("tool_calls", []).append(
            {"name": out["function_call_name"], "arguments": out.get("function_call_arguments_json")}
        )
    return out


def _call(flat: dict[str, Any]) -> dict[str, Any]:
    # an absent `arguments` is how the instrumentors write a call without any: theirs is the text "{}" left out
    return {
        "id": flat.get("id"),
        "name": flat.get("function.name"),
        "arguments": flat.get("function.arguments", "" if flat.get("id") and flat.get("function.name") else None),
    }


def _block(flat: dict[str, Any]) -> dict[str, Any]:
    if flat.get("type") == "tool_use" or any(key.startswith("tool_call.") for key in flat):
        return {"type": "tool_use", **_call({k.removeprefix("tool_call."): v for k, v in flat.items()})}
    return {"type": flat.get("type") or "text", "text": flat.get("text")}


def _order(index: str) -> tuple[int, str]:
    return (int(index) if index.isdecimal() and len(index) <= _DIGITS else 10**9, index)


def _document(flat: dict[str, Any]) -> dict[str, Any]:
    return {key.removeprefix("document."): value for key, value in flat.items()}
