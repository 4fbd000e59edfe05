"""Stored rows → spans with decoded attributes, in one order whatever order they arrived in."""

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import orjson
import pyarrow as pa

from collector.normalize.taken import Taken, taken


class Event(NamedTuple):
    """A span event, or a log record that names the span: `body` is a log's body, None for a span event."""

    name: str
    time: int
    attributes: dict[str, Any]
    body: Any = None


class Link(NamedTuple):
    """A span link."""

    trace_id: str
    span_id: str
    attributes: dict[str, Any]


@dataclass(slots=True, eq=False)
class Span:
    """One span as stored. Times are nanoseconds; `end` is 0 while it has not ended."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    kind: int
    start: int
    end: int
    failed: bool
    ok: bool
    status_message: str
    attributes: dict[str, Any]
    scope: str
    resource: dict[str, Any]
    lossy: bool
    """Attributes or events were dropped where the span was made."""
    remote_parent: bool
    events: list[Event] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    redacted: bool = False
    """Something of it, or of its logs, was taken out before it was stored."""
    taken: tuple[Taken, ...] = ()
    """Those of its attributes, and of its events', of which rules took whole values out."""

    @property
    def key(self) -> tuple[str, str]:
        """What identifies a span."""
        return (self.trace_id, self.span_id)


COLUMNS = (
    "trace_id", "span_id", "parent_span_id", "name", "kind", "start_ns", "end_ns", "status_code", "status_message",
    "attributes", "scope_name", "resource", "dropped_attributes_count", "dropped_events_count", "flags", "events", "links",
    "beside",
)  # fmt: skip
LOG_COLUMNS = ("trace_id", "span_id", "time_ns", "observed_ns", "event_name", "attributes", "body", "beside")

_REDACTED = '"kind":"redacted"'
_ERROR, _OK = 2, 1
_REMOTE = 0x300  # has-is-remote and is-remote (opentelemetry-proto, SpanFlags)


def read(spans: pa.Table, logs: pa.Table) -> list[Span]:
    """The spans of whole traces, logs attached to them as events, sorted by start, then by id."""
    resources: dict[str | None, dict[str, Any]] = {}
    rows = zip(*(_values(spans.column(name)) for name in COLUMNS), strict=True)
    out = [_span(row, resources) for row in rows]
    out.sort(key=attrgetter("start", "trace_id", "span_id"))
    _attach(out, logs)
    return out


def _values(column: pa.ChunkedArray) -> list[Any]:
    """The column's values, 0 for a number that is not there; through numpy, in two thirds of the time of `to_pylist`."""
    if pa.types.is_integer(column.type):
        return (column.fill_null(0) if column.null_count else column).to_numpy().tolist()
    return column.to_numpy(zero_copy_only=False).tolist() if pa.types.is_string(column.type) else column.to_pylist()


def _span(row: tuple[Any, ...], resources: dict[str | None, dict[str, Any]]) -> Span:
    (trace_id, span_id, parent, name, kind, start, end, status, message, attributes, scope, resource,
     dropped, dropped_events, flags, events, links, beside) = row  # fmt: skip
    known = resources.get(resource)
    if known is None:
        known = resources[resource] = _object(resource)
    span = Span(
        trace_id, span_id, parent, name or "", kind, start, end, status == _ERROR, status == _OK, message or "",
        _object(attributes), scope or "", known, bool(dropped or dropped_events), flags & _REMOTE == _REMOTE,
        _events(events) if events and events != "[]" else [],
        _links(links) if links and links != "[]" else [],
    )  # fmt: skip
    if beside and _REDACTED in beside:
        span.redacted = True
        span.attributes, span.events, span.taken = _with_marks(beside, span.attributes, span.events)
    return span


def _events(text: str) -> list[Event]:
    return [
        Event(e.get("name") or "", int(e.get("time_unix_nano") or 0), e.get("attributes") or {})
        for e in orjson.loads(text)
    ]


def _links(text: str) -> list[Link]:
    return [
        Link(link.get("trace_id") or "", link.get("span_id") or "", link.get("attributes") or {})
        for link in orjson.loads(text)
    ]


def _with_marks(
    beside: str, attributes: dict[str, Any], events: list[Event]
) -> tuple[dict[str, Any], list[Event], tuple[Taken, ...]]:
    """The attributes and events with a mark for each value that a rule took out whole, and those of them that hold marks."""
    found: list[Taken] = []
    keys: dict[int | None, set[str]] = {}
    for note in orjson.loads(beside):
        if note["kind"] != "redacted":
            continue
        _, part, *rest = note["at"].split("/")
        if part == "attributes" and len(rest) == 1:
            keys.setdefault(None, set()).add(_key(rest[0]))
        elif part == "events" and len(rest) == 3:  # noqa: PLR2004 -- place, attributes, key
            keys.setdefault(int(rest[0]), set()).add(_key(rest[2]))
    attributes = taken(attributes, keys.get(None, ()), found)
    told = [e._replace(attributes=taken(e.attributes, keys.get(place, ()), found)) for place, e in enumerate(events)]
    return attributes, told, tuple(found)


def _key(pointer: str) -> str:
    return pointer.replace("~1", "/").replace("~0", "~")


def _attach(spans: list[Span], logs: pa.Table) -> None:
    """Join logs to their spans by trace and span id; a log without a span stays in its table."""
    if not logs.num_rows:
        return
    by_key = {(span.trace_id, span.span_id): span for span in spans}
    touched: dict[tuple[str, str], Span] = {}
    for row in zip(*(logs.column(name).to_pylist() for name in LOG_COLUMNS), strict=True):
        trace_id, span_id, time, observed, name, attributes, body, beside = row
        span = by_key.get((trace_id, span_id))
        if span is None:
            continue
        loaded = orjson.loads(body) if body else None
        held = _object(attributes)
        if beside and _REDACTED in beside:
            span.redacted = True
            held, _, found = _with_marks(beside, held, [])
            span.taken += found
        span.events.append(Event(name or "", time or observed or 0, held, loaded))
        touched[span.key] = span
    for span in touched.values():
        events = span.events
        if len({(event.time, event.name) for event in events}) == len(events):
            events.sort(key=_when)
        else:
            events.sort(key=lambda e: (*_when(e), orjson.dumps((e.attributes, e.body), option=orjson.OPT_SORT_KEYS)))


def _when(event: Event) -> tuple[int, str]:
    return (event.time, event.name)


def _object(text: str | None) -> dict[str, Any]:
    value = orjson.loads(text) if text else {}
    return value if isinstance(value, dict) else {}
