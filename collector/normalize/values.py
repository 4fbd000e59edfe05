"""Reading one attribute's value: total functions, which never raise and never drop what was there.

A reader answers None where nothing was there, else a `Value`: the decoded value, or "was there and cannot be used, because".
"""

import json
import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from collector.normalize import literals
from collector.tree import Evidence


class Value(NamedTuple):
    """A value that was there: readable ("present"), or not ("malformed") with the reason code why."""

    value: Any = None
    state: Evidence = "present"
    reason: str = ""


Reader = Callable[[Any], Value | None]

_new = tuple.__new__
"""Makes a Value in half the time of its own constructor; for the readers through which nearly all values come."""

REDACTED = frozenset({"<REDACTED>", "[REDACTED]", "__REDACTED__", "[Scrubbed]", "<elided>"})
"""What instrumentations write in place of content that they were told to hide; never somebody's words."""

REDACTION = "[REDACTED:"
"""How our own marks begin, whole texts or pieces of one: the name of a rule follows, and a hash where it makes one."""

_LONGEST_MARK = 80

_ENDS = ("]", ">", "_")

TRUNCATED = ("...[TRUNCATED", "[... telemetry preview truncated", "…[truncated")
"""Marks that instrumentations leave where they cut a value."""

_TRUNCATED = re.compile("|".join(map(re.escape, TRUNCATED)))
_TAIL = 200

DEEPEST = 64
"""Values nested deeper than this become text (OTLP's own messages cannot nest deeper; orjson writes 254 at most)."""

_I64 = 2**63
_AFTER_BRACKET = frozenset('"{[]-0123456789tfn \n')  # what may follow "[" in JSON; a letter makes it a sentence


def text(raw: Any) -> Value | None:
    """A string as it stands; numbers and booleans as their JSON text."""
    if isinstance(raw, str):
        return _hidden(raw) if hidden(raw) else Value(raw)
    if raw is None:
        return None
    return Value(_written(raw))


def name(raw: Any) -> Value | None:
    """A name: a string with something in it, and no mark in its place."""
    return (
        _new(Value, (raw, "present", ""))
        if isinstance(raw, str) and raw and (raw[-1].isalnum() or not (raw.isspace() or hidden(raw)))
        else None
    )


def hidden(text: str) -> bool:
    """Whether a text stands in place of content that was to be hidden."""
    if len(text) > _LONGEST_MARK or not text.endswith(_ENDS):  # before all else: most texts are somebody's words
        return False
    return text in REDACTED or (text.startswith(REDACTION) and text.count("]") == 1)


def _hidden(mark: str) -> Value:
    return Value(mark if mark.startswith(REDACTION) else None, "malformed", "redacted")


def withheld(seen: Value | None) -> bool:
    """Whether a rule of the store took the value out: then nothing else that the span holds may stand in for it."""
    return seen is not None and seen.reason == "redacted" and seen.value is not None


def number(raw: Any) -> Value | None:
    """A finite number, or the text of one."""
    if type(raw) is int:
        return _new(Value, (raw, "present", ""))
    if isinstance(raw, str):
        try:
            raw = float(raw)
        except ValueError:
            return None
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not math.isfinite(raw):
        return None
    return Value(int(raw) if raw == int(raw) and abs(raw) < _I64 else raw)


def count(raw: Any) -> Value | None:
    """A number that is a count: whole and not negative."""
    if type(raw) is int:
        return _new(Value, (raw, "present", "")) if raw >= 0 else None
    seen = number(raw)
    return seen if seen and isinstance(seen.value, int) and seen.value >= 0 else None


def content(raw: Any) -> Value | None:
    """Content in any encoding: structured, a JSON string, a JSON string within one, or plain text.

    A bare `1`, `true` or `null` is text that somebody wrote, not JSON. Text that begins as JSON and cannot be read is
    "malformed", and its own text is kept, so that a cut-off object never looks like an empty one.
    """
    if not isinstance(raw, str):
        # Stored attributes are within bounds (decode keeps them so).
        return None if raw is None else _new(Value, (raw, "present", ""))
    if hidden(raw):
        return _hidden(raw)
    if _cut_off(raw):
        return Value(raw, "malformed", "truncated")
    if not raw.lstrip().startswith(("{", "[", '"')):
        return _new(Value, (raw, "present", ""))
    return _kept(raw) if len(raw) <= LONGEST_KEPT else _decoded(raw)


KEPT = 128
LONGEST_KEPT = 8_000
"""So many texts are kept decoded, and the length of the longest that is.

Several readers ask one span for the same text, and the spans beside it repeat what was requested and answered: half of all
texts came among the last 128 before, in the captures. What was decoded is never changed: equal texts may be one object.
"""


def _decoded(raw: str) -> Value:
    """A text that begins like JSON."""
    try:
        value = parse(raw)
    except ValueError:
        return _not_json(raw)
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return Value(parse(value))
        except ValueError:
            return Value(value)
    return _new(Value, (value, "present", ""))


_kept = lru_cache(KEPT)(_decoded)


def _cut_off(raw: str) -> bool:
    if raw.find("truncated", -_TAIL) < 0 and raw.find("TRUNCATED", -_TAIL) < 0:
        return False  # without a copy of the text: so it is for nearly all
    return _TRUNCATED.search(raw[-_TAIL:]) is not None


def _not_json(raw: str) -> Value:
    """What begins like JSON and is none: Python's `repr` of a value, a sentence in brackets, or cut off."""
    try:
        return Value(bounded(literals.parse(raw)))
    except ValueError:
        head = raw.lstrip()[:2]
        prose = head[0] == '"' or (head[0] == "[" and head[1:] not in _AFTER_BRACKET)
        return Value(raw) if prose else Value(raw, "malformed", "unreadable_json")


def arguments(raw: Any) -> Value | None:
    """A tool call's arguments: an object. Empty text is no arguments; what is not an object cannot be compared by name."""
    if isinstance(raw, str) and not raw.strip():
        return Value({})
    seen = content(raw)
    if seen is None or seen.state != "present" or isinstance(seen.value, dict):
        return seen
    return Value(seen.value, "malformed", "argument_names_lost")


def result(raw: Any) -> Value | None:
    """A tool's result: decoded where it is JSON, else the text. Empty text and `null` are results too."""
    if isinstance(raw, str) and raw.strip() in ("null", "true", "false"):
        return Value(orjson.loads(raw.strip()))
    return content(raw)


def names(raw: Any) -> Value | None:
    """A list of strings, as an array or as JSON text, or one string."""
    seen = content(raw)
    if seen is None or seen.state != "present":
        return seen
    items = seen.value if isinstance(seen.value, list) else [seen.value]
    return Value(list(map(as_text, items)))


def parse(raw: str) -> Any:
    """JSON text → value; ValueError where it is none. Numbers, surrogates and depth are made safe to write again."""
    try:
        value = orjson.loads(raw)
    except ValueError:  # NaN, lone surrogates, very deep: the standard library reads them, slowly
        try:
            return bounded(json.loads(raw, strict=False))
        except RecursionError:
            raise ValueError("nested too deeply") from None
    if len(raw) > 2 * DEEPEST and raw.count("[") + raw.count("{") > DEEPEST and _deep(value):
        return bounded(value)
    return value


_NESTING = (dict, list)


def _deep(value: Any) -> bool:
    """Whether a decoded value is nested deeper than we keep it."""
    level = [value] if isinstance(value, _NESTING) else []
    for _ in range(DEEPEST):
        inner = (held.values() if isinstance(held, dict) else held for held in level)
        level = [item for items in inner for item in items if isinstance(item, _NESTING)]
        if not level:
            return False
    return True


def bounded(value: Any, depth: int = 0) -> Any:
    """The value with what cannot be written as JSON again (NaN, huge integers, lone surrogates, great depth) as text."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return value if -_I64 <= value < 2 * _I64 else str(value)
    if depth >= DEEPEST:
        return "… nested too deeply"
    if isinstance(value, dict):
        return {bounded(str(k)): bounded(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [bounded(v, depth + 1) for v in value]
    return str(value)


def as_text(value: Any) -> str:
    """A value as a person reads it: text as it is, all else as JSON."""
    return value if isinstance(value, str) else _written(value)


def same_key(value: Any) -> str:
    """Equal for equal values: keys sorted, 50.0 as 50."""
    return _written(_plain(value), orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)


def _written(value: Any, option: int = orjson.OPT_NON_STR_KEYS) -> str:
    """As JSON text; what JSON here has no place for (an integer of more than 64 bits, a lone surrogate) as `bounded` has it."""
    try:
        return orjson.dumps(value, default=str, option=option).decode()
    except TypeError:
        return orjson.dumps(bounded(value), default=str, option=option).decode()


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < _I64:
        return int(value)
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, list) else value
