"""KeyValue and AnyValue in protobuf → JSON values (S-09). The only such reader for protobuf."""

from collections.abc import Sequence
from math import isfinite
from struct import unpack_from
from typing import Any

from collector.decode.beside import Notes, merge, pointer, text
from collector.decode.decoded import Rejected
from collector.decode.json_text import DEEPEST, encode_bytes, flatten, not_finite
from collector.decode.wire import BYTES, WireError, fields

_CACHED = 256  # bytes; longer attributes are texts that hardly repeat, and hashing them costs


class Attributes:
    """Reads the attributes of one request; pairs that repeat (names of models, agents, tools) are parsed once."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._known: dict[bytes, tuple[str, Any]] = {}

    def read(self, raws: Sequence[bytes], at: str) -> dict[str, Any]:
        """The attributes as an object; what JSON cannot hold goes to the notes. Raises Rejected."""
        self._notes.spend(len(raws))
        raws = raws[:]  # one copy costs less than going through upb's container
        known = self._known
        result: dict[str, Any] = {}
        for raw in raws:
            pair = known.get(raw)
            if pair is None:
                pair = _plain(raw)
                if pair is None:
                    pair = _pair(raw, 0, len(raw), at, self._notes, 1)
                elif len(raw) < _CACHED:
                    known[raw] = pair
            key, value = pair
            result[key] = value
        if len(result) != len(raws):
            merge([_pair(raw, 0, len(raw), at, Notes(), 1) for raw in raws], at, self._notes)
        return result


def body(raw: bytes | None, at: str, notes: Notes) -> Any:
    """The JSON value of one AnyValue message. Raises Rejected."""
    try:
        return None if raw is None else _value(raw, 0, len(raw), at, notes, 1)
    except WireError:
        raise Rejected("malformed_value") from None


def _plain(raw: bytes) -> tuple[str, Any] | None:  # noqa: C901, PLR0912 -- flat on purpose: runs once for every attribute
    """A pair in the form that every encoder writes, with a scalar value; None: read it with care."""
    try:
        size = len(raw)
        if raw[0] != 0x0A or (length := raw[1]) > 127:
            return None
        at = 2 + length
        if raw[at] != 0x12:
            return None
        key = raw[2:at].decode()
        length = raw[at + 1]
        at += 2
        if length > 127:
            length += (raw[at] - 1) << 7
            at += 1
            if length > 16383:
                length += (raw[at] - 1) << 14
                at += 1
        if at + length != size:
            return None
        tag = raw[at]
        if tag == 0x0A:
            length = raw[at + 1]
            at += 2
            if length > 127:
                length += (raw[at] - 1) << 7
                at += 1
                if length > 16383:
                    length += (raw[at] - 1) << 14
                    at += 1
            return (key, raw[at:].decode()) if at + length == size else None
        if tag == 0x18 and length == 2 and raw[at + 1] < 128:
            return key, raw[at + 1]
        if tag == 0x18 and length == 3 and raw[at + 1] > 127 > raw[at + 2]:
            return key, raw[at + 1] + ((raw[at + 2] - 1) << 7)
        if tag == 0x21 and length == 9 and isfinite(number := unpack_from("<d", raw, at + 1)[0]):
            return key, number
        if tag == 0x10 and length == 2 and raw[at + 1] < 2:
            return key, raw[at + 1] == 1
    except (IndexError, UnicodeDecodeError):
        pass
    return None


def _pair(raw: bytes, start: int, end: int, at: str, notes: Notes, depth: int) -> tuple[str, Any]:
    name, span = (0, 0), None
    try:
        for number, kind, begin, stop in fields(raw, start, end):
            if number == 1 and kind == BYTES:
                name = begin, stop
            elif number == 2 and kind == BYTES:
                span = begin, stop
        key = text(raw[slice(*name)], at, notes)
        return key, None if span is None else _value(raw, *span, pointer(at, key), notes, depth)
    except WireError:
        raise Rejected("malformed_value") from None


_KINDS = frozenset({(1, 2), (2, 0), (3, 0), (4, 1), (5, 2), (6, 2), (7, 2)})
"""Fields of AnyValue, each with its type on the wire."""


def _value(raw: bytes, start: int, end: int, at: str, notes: Notes, depth: int) -> Any:
    """Of several kinds set the last counts, as protobuf has it; of the others nothing is noted."""
    chosen = (0, 0)
    begin = stop = 0
    for number, kind, first, last in fields(raw, start, end):
        if (number, kind) in _KINDS:
            chosen, begin, stop = (number, kind), first, last
    match chosen[0]:
        case 1:  # string_value
            return text(raw[begin:stop], at, notes)
        case 2:
            return begin != 0
        case 3:
            return begin - (1 << 64) if begin >> 63 else begin
        case 4:
            double = unpack_from("<d", raw, begin)[0]
            return double if isfinite(double) else not_finite(double, at, notes)
        case 5:
            return flatten(_list(raw, begin, stop, at, notes, depth), at, notes, depth)
        case 6:
            return flatten(_object(raw, begin, stop, at, notes, depth), at, notes, depth)
        case 7:
            return encode_bytes(raw[begin:stop], at, notes)
    return None


def _list(raw: bytes, start: int, end: int, at: str, notes: Notes, depth: int) -> list[Any]:
    if depth > DEEPEST:
        raise Rejected("nested_too_deep")
    spans = _members(raw, start, end, notes)
    return [_value(raw, *span, pointer(at, place), notes, depth + 1) for place, span in enumerate(spans)]


def _object(raw: bytes, start: int, end: int, at: str, notes: Notes, depth: int) -> dict[str, Any]:
    if depth > DEEPEST:
        raise Rejected("nested_too_deep")
    spans = _members(raw, start, end, notes)
    return merge([_pair(raw, *span, at, notes, depth + 1) for span in spans], at, notes)


def _members(raw: bytes, start: int, end: int, notes: Notes) -> list[tuple[int, int]]:
    """Where the members of a list or an object begin and end."""
    spans: list[tuple[int, int]] = []
    for number, kind, begin, stop in fields(raw, start, end):
        if (number, kind) == (1, BYTES):
            notes.spend(1)
            spans.append((begin, stop))
    return spans
