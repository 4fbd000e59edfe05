"""JSON in and out: how values stand in the text columns, and how a JSON body is parsed."""

import re
from base64 import b64encode
from typing import Any

import orjson

from collector.decode.beside import Notes
from collector.decode.decoded import DecodeError

FLAT = 64
"""Levels of lists and objects that a column holds as JSON; what is below becomes one text, with a note (J-12)."""

DEEPEST = 200
"""Levels beyond which a span is refused: orjson writes at most 254, and a walk stays within Python's own limit."""

MOST_VALUES = 8_000_000
"""Commas and opening brackets that a body may hold. Each may be a value of 20 to 200 bytes in memory before anything of it can
be counted: 64 MiB of empty objects took 1.5 GB. What people send has one in 30 bytes, small messages within texts one in 10."""


def dump(value: Any) -> bytes:
    """Compact JSON, keys sorted, so that equal attributes are equal texts in whatever order they were sent."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def flatten(value: list[Any] | dict[str, Any], at: str, notes: Notes, depth: int) -> Any:
    """The value, or its JSON text where it begins at the first level below `FLAT`."""
    if depth != FLAT + 1:
        return value
    notes.add(at, "too_deep", None)
    return dump(value).decode()


def encode_bytes(value: bytes, at: str, notes: Notes) -> str:
    """Bytes as base64, with a note that tells them from a string."""
    notes.add(at, "bytes", None)
    return b64encode(value).decode()


def not_finite(value: float, at: str, notes: Notes) -> str:
    """A double that JSON cannot hold as the text that protobuf's JSON uses, with a note."""
    notes.add(at, "not_finite", None)
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"  # noqa: PLR0124 -- NaN's own test


_SURROGATE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def parse(body: bytes) -> tuple[dict[str, Any], bool]:
    """The body's object, and whether lone surrogates in it were replaced (J-10, J-11).

    Raises DecodeError where it is no JSON object, or holds too many values (X-08).
    """
    repaired = False
    if sum(body.count(mark) for mark in (b",", b"{", b"[")) > MOST_VALUES:
        raise DecodeError(f"the body holds more than {MOST_VALUES:,} values; send fewer rows in a request")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as problem:
        value, repaired = _parse_repaired(body, problem), True
    if not isinstance(value, dict):
        raise DecodeError("the body must be one JSON object")
    return value, repaired


def _parse_repaired(body: bytes, problem: orjson.JSONDecodeError) -> Any:
    if body[:2] == b"\x1f\x8b":
        raise DecodeError("the body is gzip; send it with the header Content-Encoding: gzip") from None
    if b"\\ud" not in body and b"\\uD" not in body:
        raise DecodeError(f"the body is not JSON: line {problem.lineno}, column {problem.colno}") from None
    try:
        return orjson.loads(_SURROGATE.sub(lambda found: rb"\ufffd" if found[1] else found[0], body))
    except orjson.JSONDecodeError as second:
        raise DecodeError(f"the body is not JSON: line {second.lineno}, column {second.colno}") from None
