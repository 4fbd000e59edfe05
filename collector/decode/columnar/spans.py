"""Spans by column: which of them can be read so, and the table of those that can."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from collector.decode.beside import Notes
from collector.decode.columnar.attributes import Attributes, Nested
from collector.decode.columnar.buffers import Flags, Numbers, compute, hexadecimal, letters, not_text, numbers, places
from collector.decode.columnar.groups import Groups
from collector.decode.columnar.hashes import hashes, heads
from collector.decode.columnar.promote import promoted
from collector.decode.columns import SPANS
from collector.decode.decoded import Rejected
from collector.decode.from_protobuf import read_events, read_links
from collector.decode.json_text import dump
from collector.decode.protobuf_values import Attributes as Reader
from collector.decode.rows import LARGEST, LATEST
from collector.decode.shadow import EventMessage, LinkMessage
from collector.decode.spans import ROW_BYTES

_TRACE, _SPAN = 16, 8
_NUMBERS = ("flags", "kind", "dropped_attributes_count", "dropped_events_count", "dropped_links_count")
_LISTS: dict[str, tuple[Any, Callable[[Iterable[Any], Reader, Notes], list[dict[str, Any]]]]] = {
    "events": (EventMessage, read_events),
    "links": (LinkMessage, read_links),
}
_EMPTY_LIST = pa.scalar("[]", pa.string())
_Texts = dict[int, str]
"""JSON by row, where it is not an empty list."""


class Spans:
    """A batch of spans of known groups. `odd` says which must be read one by one; all else holds where none is."""

    def __init__(self, spans: pa.RecordBatch, group: Numbers, groups: Groups, nested: Nested) -> None:
        """Raises ValueError or protobuf's DecodeError where an event or a link is corrupt."""
        self._spans, self._group, self._groups = spans, group, groups
        self.attributes = Attributes(spans.column("attributes"), nested)
        with_notes = np.array([bool(group.notes) for group in groups.groups], dtype=bool)
        self.odd: Flags = (
            self.attributes.odd | self._wrong_ids() | (with_notes[group] if len(group) else with_notes[:0])
        )
        status = spans.column("status").flatten()
        self._code = status[1].fill_null(0)
        self._texts = {name: self._text(spans.column(name)) for name in ("name", "trace_state")}
        self._texts["status_message"] = self._text(status[0].fill_null(b""))
        self._lists = {name: self._read_lists(name) for name in _LISTS}

    @property
    def expected(self) -> int:
        """Bytes that the table takes, but for its own attributes: a small body can repeat a large resource often."""
        sizes = np.array([group.size for group in self._groups.groups], dtype=np.int64)
        return int(sizes[self._group].sum()) if len(self._group) else 0

    def keys(self) -> list[bytes]:
        """24 bytes a span: trace id and span id."""
        ids = [letters(self._spans.column(n)).reshape(-1, w) for n, w in (("trace_id", _TRACE), ("span_id", _SPAN))]
        held = np.hstack(ids).tobytes()
        return [held[at : at + _TRACE + _SPAN] for at in range(0, len(held), _TRACE + _SPAN)]

    def table(self) -> tuple[pa.Table, int]:
        """The rows as they are stored, and the bytes of their texts. Raises ValueError where these are too many."""
        spans, count = self._spans, self._spans.num_rows
        held: dict[str, pa.Array] = {name: spans.column(name) for name in _NUMBERS}
        held["trace_id"] = hexadecimal(letters(spans.column("trace_id")), _TRACE)
        held["span_id"] = hexadecimal(letters(spans.column("span_id")), _SPAN)
        held["parent_span_id"] = self._parents()
        held["status_code"] = self._code
        held["name"] = self._texts["name"]
        held |= {name: _or_null(self._texts[name]) for name in ("trace_state", "status_message")}
        held["start_ns"], held["end_ns"] = spans.column("start_time_unix_nano"), spans.column("end_time_unix_nano")
        held |= _times(held["start_ns"].to_numpy(), held["end_ns"].to_numpy())
        held["attributes"] = self.attributes.objects()
        held |= {name: _listed(self._lists[name], count) for name in _LISTS}
        size = ROW_BYTES * count + self.expected
        size += sum(len(letters(held[name])) for name in ("name", "attributes", *_LISTS))
        if size > LARGEST:
            raise ValueError("too many bytes of text")
        held |= self._groups.columns(self._group)
        held |= promoted(self.attributes, count, self._groups.groups, self._group)
        held["beside"] = pa.nulls(count, pa.string())
        held["content_hash"] = self._hashes(held)
        return pa.Table.from_arrays([held[name] for name in SPANS], schema=_SCHEMA), size

    def _hashes(self, held: dict[str, pa.Array]) -> pa.StringArray:
        """As `SpanRows.add` makes them."""
        digests = pa.array([group.digest for group in self._groups.groups], pa.binary())
        rows = {row for lists in self._lists.values() for row in lists}
        behind = {row: "".join(f"\n{self._lists[name].get(row, '[]')}" for name in _LISTS).encode() for row in rows}
        return hashes(heads(held, digests.take(places(self._group))), held["attributes"], behind)

    def _wrong_ids(self) -> Flags:
        trace, span = self._ids("trace_id", _TRACE), self._ids("span_id", _SPAN)
        length = compute.binary_length(self._spans.column("parent_span_id")).to_numpy()
        return trace | span | ((length != 0) & (length != _SPAN))

    def _ids(self, name: str, width: int) -> Flags:
        """Where an id has another length, or is all zeros."""
        held = self._spans.column(name)
        wrong = compute.binary_length(held).to_numpy() != width
        if not wrong.any():
            return np.logical_not(letters(held).reshape(-1, width).any(axis=1))
        zeros = compute.equal(held, pa.scalar(bytes(width), pa.binary())).to_numpy(zero_copy_only=False)
        return wrong | zeros

    def _parents(self) -> pa.Array:
        held = self._spans.column("parent_span_id")
        there = compute.binary_length(held).to_numpy() == _SPAN
        raw = letters(held).reshape(-1, _SPAN)
        there[there] = raw.any(axis=1)
        ids = hexadecimal(letters(held), _SPAN)
        place = np.cumsum(compute.binary_length(held).to_numpy() == _SPAN) - 1
        return ids.take(places(place, there))

    def _text(self, held: pa.Array) -> pa.StringArray:
        try:
            return held.cast(pa.string())
        except pa.ArrowInvalid:
            self.odd |= not_text(held)
            return pa.array([], pa.string())

    def _read_lists(self, name: str) -> _Texts:
        """The JSON of events or links, where there are any; where one wants a note the span is odd."""
        message, read = _LISTS[name]
        column = self._spans.column(name)
        found: _Texts = {}
        for row in np.flatnonzero(column.value_lengths().to_numpy()).tolist():
            notes = Notes()
            held = [message.FromString(raw) for raw in column[row].as_py()]
            try:
                found[row] = dump(read(held, Reader(notes), notes)).decode()
            except Rejected:
                self.odd[row] = True
            self.odd[row] |= bool(notes)
        return found


_SCHEMA = pa.schema(list(SPANS.items()))


def _times(starts: Numbers, ends: Numbers) -> dict[str, pa.Array]:
    def moments(raw: Numbers) -> pa.Array:
        return numbers(raw, pa.timestamp("ns"), (raw != 0) & (raw <= LATEST))

    length = np.where(ends > starts, ends - starts, np.uint64(0))
    return {"start_time": moments(starts), "end_time": moments(ends), "duration_ns": numbers(length, pa.uint64())}


def _or_null(texts: pa.StringArray) -> pa.Array:
    """Empty texts as null."""
    if not len(letters(texts)):
        return pa.nulls(len(texts), pa.string())
    return compute.if_else(compute.equal(texts, ""), pa.scalar(None, pa.string()), texts)


def _listed(found: _Texts, count: int) -> pa.Array:
    if not found:
        return pa.repeat(_EMPTY_LIST, count)
    return pa.array([found.get(row, "[]") for row in range(count)], pa.string())
