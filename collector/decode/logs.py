"""Log record facts, from either encoding, → columns of evidence.logs."""

from typing import Any

import orjson

from collector.decode.beside import Notes
from collector.decode.decoded import Decoded
from collector.decode.group import Group
from collector.decode.json_text import dump
from collector.decode.promoted import as_text
from collector.decode.rows import Rows, content_hash, timestamps

_ROW = (
    *("trace_id", "span_id", "flags", "time_ns", "observed_ns", "severity_number", "severity_text", "event_name"),
    *("dropped_attributes_count", "body", "attributes", "conversation_id", "beside", "content_hash"),
)
_FIXED = 256


class LogRows(Rows):
    """The log records of one request."""

    def __init__(self) -> None:
        super().__init__(Notes())

    def add(
        self,
        group: Group,
        trace_id: bytes,
        span_id: bytes,
        flags: int,
        time: int,
        observed: int,
        severity: tuple[int, str | None],
        event_name: str | None,
        body: Any,
        attributes: dict[str, Any],
        dropped: int,
    ) -> None:
        """Add one record. Ids are optional; ids of a wrong form are kept beside."""
        event_name = event_name or as_text(attributes.get("event.name"))
        facts = (
            *(self._id(trace_id, 16, "/trace_id"), self._id(span_id, 8, "/span_id"), flags, time, observed),
            *(severity[0], severity[1] or None, event_name, dropped),
        )
        beside = self._take_notes(group) if self.notes or group.notes else None
        own, text = dump(attributes), dump(body)
        digest = content_hash(group, orjson.dumps(facts), beside, text, own)
        conversation = as_text(attributes.get("gen_ai.conversation.id", attributes.get("session.id")))
        stored = None if body is None else text.decode()
        self._grow(_FIXED + group.size + len(own) + len(text))
        self._rows.append((*facts, stored, own.decode(), conversation, beside, digest))

    def _id(self, value: bytes, length: int, at: str) -> str | None:
        if len(value) == length and any(value):
            return value.hex()
        if len(value) not in {0, length}:
            self.notes.add(at, "bad_id", value.hex())
        return None

    def finish(self) -> Decoded:
        """The columns of all records added."""
        decoded = self._finish("logs", _ROW)
        columns = decoded.columns
        both = zip(columns["time_ns"], columns["observed_ns"], strict=True)
        columns["time"] = timestamps([time or observed for time, observed in both])
        return decoded
