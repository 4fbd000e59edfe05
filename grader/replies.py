"""How a final answer is read: as text, as JSON, as a number. One reading for all checks, whatever format asks."""

import json
import math
from typing import Any, Literal

import orjson

Rendering = Literal["compact", "sorted"]
"""How an answer that is no text becomes one: compact JSON in its own order, or JSON with sorted keys and spaces as Python
writes it."""


def text_of(reply: Any, rendering: Rendering = "compact") -> str:
    """A reply as text: itself, "" for null, else JSON."""
    if reply is None:
        return ""
    if isinstance(reply, str):
        return reply
    if rendering == "sorted":
        return json.dumps(reply, sort_keys=True, ensure_ascii=False, default=str)
    return orjson.dumps(reply, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def parsed(reply: Any) -> tuple[Any, bool]:
    """The reply as a JSON value, and whether it is one (NaN and Infinity are none; structured replies are as they stand)."""
    if not isinstance(reply, str):
        return reply, True
    try:
        return orjson.loads(reply), True
    except orjson.JSONDecodeError:
        return None, False


def value_of(reply: Any) -> Any:
    """A text that is JSON as what it says, anything else as it stands (S3-7, S3-25)."""
    value, is_json = parsed(reply)
    return value if is_json else reply


def number_of(value: Any) -> int | float | None:
    """A finite number, or a text that is one ("42", " 4.2e1 "); None for all else: booleans, NaN, "12 USD"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    try:
        return value if isinstance(value, int | float) and math.isfinite(value) else None
    except OverflowError:  # a whole number beyond what a float holds
        return None
