"""Span facts, from either encoding, → columns of evidence.spans. The rules for spans live here (S-01 to S-10)."""

from typing import Any

from orjson import OPT_SORT_KEYS, dumps

from collector.decode.beside import Notes
from collector.decode.content import digest
from collector.decode.decoded import Decoded, Rejected
from collector.decode.group import Group
from collector.decode.json_text import dump
from collector.decode.promoted import Promoter
from collector.decode.rows import Rows, timestamps

NO_TRACE, NO_SPAN = bytes(16), bytes(8)
_ROW = (
    *("trace_id", "span_id", "parent_span_id", "trace_state", "flags", "name", "kind", "start_ns", "end_ns"),
    *("status_code", "status_message", "dropped_attributes_count", "dropped_events_count", "dropped_links_count"),
    *("attributes", "events", "links", "beside", "content_hash"),
)
ROW_BYTES = 512
"""Bytes that a row's numbers, ids and promoted columns take, roughly."""


class SpanRows(Rows):
    """The spans of one request."""

    def __init__(self) -> None:
        super().__init__(Notes())
        self._keys: list[bytes] = []
        self._promoter = Promoter()

    def add(
        self,
        group: Group,
        trace_id: bytes,
        span_id: bytes,
        parent: bytes,
        trace_state: str | None,
        flags: int,
        name: str,
        kind: int,
        start: int,
        end: int,
        status: tuple[int, str | None],
        attributes: dict[str, Any],
        events: list[dict[str, Any]] | None,
        links: list[dict[str, Any]] | None,
        dropped: tuple[int, int, int],
    ) -> None:
        """Add one span. Raises Rejected (S-01). Written flat: it runs once a span."""
        if len(trace_id) != 16 or len(span_id) != 8 or trace_id == NO_TRACE or span_id == NO_SPAN:
            raise Rejected(_id_fault(trace_id, span_id))
        status_code, status_message = status
        if len(parent) == 8 and parent != NO_SPAN:
            parent_id = parent.hex()
        else:
            parent_id = None
            self._no_parent(parent)
        facts = (  # noqa: RUF005 -- unpacking makes a list first, which costs three times as much
            trace_id.hex(),
            span_id.hex(),
            parent_id,
            trace_state or None,
            flags,
            name,
            kind,
            start,
            end,
            status_code,
            status_message,
        ) + dropped
        beside = self._take_notes(group) if self.notes or group.notes else None
        own = dumps(attributes, option=OPT_SORT_KEYS)
        delivered = [group.digest, dumps(facts), own]
        lists = (b"[]", b"[]")
        if events or links:
            lists = dump(events or []), dump(links or [])
            delivered += lists
        if beside is not None:
            delivered.append(beside.encode())
        content = digest(b"\n".join(delivered)).hex()
        self._grow(ROW_BYTES + group.size + len(own) + len(name.encode()) + len(lists[0]) + len(lists[1]))
        self._rows.append(facts + (own.decode(), lists[0].decode(), lists[1].decode(), beside, content))  # noqa: RUF005 -- as above
        self._keys.append(trace_id + span_id)
        self._promoter.add(attributes)

    def _no_parent(self, parent: bytes) -> None:
        """Empty or all zeros is a root; another length is kept beside (S-02)."""
        if parent and parent != NO_SPAN:
            self.notes.add("/parent_span_id", "bad_parent", parent.hex())

    def finish(self) -> Decoded:
        """The columns of all spans added."""
        decoded = self._finish("spans", _ROW)
        decoded.keys = self._keys
        columns = decoded.columns
        columns.update(self._promoter.columns((group.defaults, rows) for group, rows in self._groups))
        starts, ends = columns["start_ns"], columns["end_ns"]
        columns["start_time"], columns["end_time"] = timestamps(starts), timestamps(ends)
        columns["duration_ns"] = [end - start if end > start else 0 for start, end in zip(starts, ends, strict=True)]
        return decoded


def link(trace_id: bytes, span_id: bytes, rest: dict[str, Any]) -> dict[str, Any] | None:
    """A link as it is stored, or None where its ids are of a wrong form (S-03)."""
    if len(trace_id) != 16 or len(span_id) != 8 or trace_id == NO_TRACE or span_id == NO_SPAN:
        return None
    return {"trace_id": trace_id.hex(), "span_id": span_id.hex(), **rest}


def _id_fault(trace_id: bytes, span_id: bytes) -> str:
    if (len(trace_id), len(span_id)) == (32, 16) and trace_id.isalnum():
        return "id_is_hex_text"
    if len(trace_id) != 16:
        return "trace_id_length"
    if trace_id == NO_TRACE:
        return "trace_id_zero"
    return "span_id_zero" if span_id == NO_SPAN else "span_id_length"
