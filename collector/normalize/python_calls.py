"""How instrumentations of Python functions write what a function was called with: `{"args": […], "kwargs": {…}}`."""

import re
from collections.abc import Sequence
from typing import Any

from collector.normalize.values import Value, arguments, content

_HANDLE = re.compile(r"<[^>]* object at 0x[0-9a-f]+>")


def passed(raw: Any, order: Sequence[str] = ()) -> Value | None:
    """A tool's arguments by name; positional ones take the names of `order`, the tool's parameters.

    Handles that the framework passes along (`<…Context object at 0x…>`) are none of the caller's. Where a positional
    argument has no name, the arguments cannot be compared.
    """
    seen = arguments(raw) if raw is not None else None
    held = seen.value if seen is not None and seen.state == "present" else None
    if not isinstance(held, dict) or not isinstance(held.get("kwargs"), dict):
        return seen
    positional = held["args"] if isinstance(held.get("args"), list) else []
    if len(positional) > len(order):
        return Value(positional, "malformed", "argument_names_lost")
    named = dict(zip(order, positional, strict=False)) | held["kwargs"]
    return Value({key: value for key, value in named.items() if not is_handle(value)})


def words(raw: Any) -> Value | None:
    """What a decorated function was asked: its only argument where it has one, else all of them."""
    seen = content(raw)
    held = seen.value if seen and seen.state == "present" else None
    if not isinstance(held, dict):
        return seen
    positional, named = held.get("args"), held.get("kwargs")
    given = (
        [*positional, *named.values()] if isinstance(positional, list) and isinstance(named, dict) else [*held.values()]
    )
    return Value(given[0]) if len(given) == 1 and isinstance(given[0], str) else seen


def is_handle(value: Any) -> bool:
    """Whether a value is only the text of an object in memory."""
    return isinstance(value, str) and _HANDLE.fullmatch(value) is not None


def parameters(raw: Any) -> list[str]:
    """The names of a tool's parameters, in their order, from its JSON schema or from a mapping of its parameters."""
    seen = content(raw)
    held = seen.value if seen is not None and seen.state == "present" else None
    inner = held.get("properties", held) if isinstance(held, dict) else None
    return list(inner) if isinstance(inner, dict) else []
