"""OTLP/JSON bodies → columns. orjson parses; protobuf's json_format would take twenty times as long (J-15)."""

from collections.abc import Iterator
from typing import Any

from collector.decode.beside import Notes
from collector.decode.decoded import Decoded, DecodeError, Rejected, count
from collector.decode.group import Group, Resource, Scope
from collector.decode.json_fields import (
    KINDS,
    SEVERITIES,
    STATUSES,
    camel,
    enum,
    identifier,
    items,
    noted,
    string,
    unsigned32,
    unsigned64,
)
from collector.decode.json_text import parse
from collector.decode.json_values import JsonAttributes
from collector.decode.logs import LogRows
from collector.decode.rows import Rows
from collector.decode.spans import SpanRows, link


def traces_json(raw: bytes) -> Decoded:
    """An ExportTraceServiceRequest as JSON. Raises DecodeError (H-06)."""
    return traces_object(*parse(raw))


def logs_json(raw: bytes) -> Decoded:
    """An ExportLogsServiceRequest as JSON. Raises DecodeError."""
    return logs_object(*parse(raw))


def traces_object(request: dict[str, Any], repaired: bool = False) -> Decoded:
    """A request that is parsed already, as from a line of a file. `repaired`: text in it had to be replaced."""
    rows = SpanRows()
    attributes = JsonAttributes(rows.notes, rows.warnings)
    for group, span in _groups(request, rows, attributes, ("resourceSpans", "scopeSpans", "spans"), repaired=repaired):
        try:
            _add_span(rows, attributes, group, camel(span, rows.warnings))
        except Rejected as reason:
            rows.reject(reason)
    return rows.finish()


def logs_object(request: dict[str, Any], repaired: bool = False) -> Decoded:
    """As `traces_object`, for logs."""
    rows = LogRows()
    attributes = JsonAttributes(rows.notes, rows.warnings)
    levels = ("resourceLogs", "scopeLogs", "logRecords")
    for group, record in _groups(request, rows, attributes, levels, repaired=repaired):
        try:
            _add_log(rows, attributes, group, camel(record, rows.warnings))
        except Rejected as reason:
            rows.reject(reason)
    return rows.finish()


def _groups(
    request: dict[str, Any], rows: Rows, attributes: JsonAttributes, levels: tuple[str, str, str], *, repaired: bool
) -> Iterator[tuple[Group, Any]]:
    """Each row with its group. What is wrong above the rows is the whole request's fault: DecodeError."""
    warnings = rows.warnings
    if repaired:
        count(warnings, "invalid_utf8")
    place = levels[0]
    try:
        for outer in items(camel(request, warnings).get(levels[0])):
            outer = camel(outer, warnings)  # noqa: PLW2901 -- the same object, read
            place = "resource"
            _count_old(outer, warnings)
            resource = _resource(outer, attributes, rows)
            place = levels[1]
            for inner in items(outer.get(levels[1])):
                inner = camel(inner, warnings)  # noqa: PLW2901
                group = Group(resource, _scope(inner, attributes, rows))
                rows.open(group)
                for row in items(inner.get(levels[2])):
                    yield group, row
    except Rejected as reason:
        raise DecodeError(f"{place} is not as OTLP/JSON has it ({reason.code})") from None


def _count_old(outer: dict[str, Any], warnings: dict[str, int]) -> None:
    old = outer.get("instrumentationLibrarySpans")
    if type(old) is list and old:
        count(warnings, "instrumentation_library_spans", len(old))


def _add_span(rows: SpanRows, attributes: JsonAttributes, group: Group, span: dict[str, Any]) -> None:
    read = span.get
    status = camel(read("status"), rows.warnings)
    rows.add(
        group,
        identifier(read("traceId"), 16),
        identifier(read("spanId"), 8),
        _parent(read("parentSpanId"), rows.notes),
        string(read("traceState")),
        unsigned32(read("flags")),
        string(read("name")),
        enum(read("kind"), KINDS, rows.warnings),
        unsigned64(read("startTimeUnixNano")),
        unsigned64(read("endTimeUnixNano")),
        (enum(status.get("code"), STATUSES, rows.warnings), string(status.get("message")) or None),
        attributes.read(read("attributes"), "/attributes"),
        [_event(event, attributes, place, rows) for place, event in enumerate(items(read("events")))],
        _links(items(read("links")), attributes, rows),
        (
            unsigned32(read("droppedAttributesCount")),
            unsigned32(read("droppedEventsCount")),
            unsigned32(read("droppedLinksCount")),
        ),
    )


def _parent(value: Any, notes: Notes) -> bytes:
    """Of a wrong form: set aside, and the span stays (S-02)."""
    try:
        return identifier(value, 8)
    except Rejected:
        notes.add("/parent_span_id", "bad_parent", noted(value))
        return b""


def _event(event: Any, attributes: JsonAttributes, place: int, rows: Rows) -> dict[str, Any]:
    read = camel(event, rows.warnings).get
    return {
        "name": string(read("name")),
        "time_unix_nano": unsigned64(read("timeUnixNano")),
        "attributes": attributes.read(read("attributes"), f"/events/{place}/attributes"),
        "dropped_attributes_count": unsigned32(read("droppedAttributesCount")),
    }


def _links(links: list[Any], attributes: JsonAttributes, rows: Rows) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for delivered in links:
        read = camel(delivered, rows.warnings).get
        rest = {
            "trace_state": string(read("traceState")),
            "attributes": attributes.read(read("attributes"), f"/links/{len(kept)}/attributes"),
            "dropped_attributes_count": unsigned32(read("droppedAttributesCount")),
            "flags": unsigned32(read("flags")),
        }
        ids = read("traceId"), read("spanId")
        found = _link(ids, rest)
        if found is None:
            rows.notes.add("/links", "bad_link", {"trace_id": _seen(ids[0]), "span_id": _seen(ids[1]), **rest})
        else:
            kept.append(found)
    return kept


def _link(ids: tuple[Any, Any], rest: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return link(identifier(ids[0], 16), identifier(ids[1], 8), rest)
    except Rejected:
        return None


def _seen(value: Any) -> Any:
    """An id of a wrong form as protobuf's reader notes it."""
    return "" if value is None else value.lower() if isinstance(value, str) else noted(value)


def _add_log(rows: LogRows, attributes: JsonAttributes, group: Group, record: dict[str, Any]) -> None:
    read = record.get
    rows.add(
        group,
        _log_id(read("traceId"), 16, "/trace_id", rows.notes),
        _log_id(read("spanId"), 8, "/span_id", rows.notes),
        unsigned32(read("flags")),
        unsigned64(read("timeUnixNano")),
        unsigned64(read("observedTimeUnixNano")),
        (enum(read("severityNumber"), SEVERITIES, rows.warnings), string(read("severityText"))),
        string(read("eventName")),
        attributes.value(read("body"), "/body"),
        attributes.read(read("attributes"), "/attributes"),
        unsigned32(read("droppedAttributesCount")),
    )


def _log_id(value: Any, length: int, at: str, notes: Notes) -> bytes:
    try:
        return identifier(value, length)
    except Rejected:
        notes.add(at, "bad_id", noted(value))
        return b""


def _resource(outer: dict[str, Any], attributes: JsonAttributes, rows: Rows) -> Resource:
    read = camel(outer.get("resource"), rows.warnings).get
    own = attributes.read(read("attributes"), "/resource")
    dropped, schema_url = unsigned32(read("droppedAttributesCount")), string(outer.get("schemaUrl")) or None
    references = [_entity(camel(reference, rows.warnings)) for reference in items(read("entityRefs"))]
    taken = rows.notes.take()
    return Resource(own, dropped, schema_url, references, taken)


def _entity(reference: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema_url": string(reference.get("schemaUrl")),
        "type": string(reference.get("type")),
        "id_keys": [string(key) for key in items(reference.get("idKeys"))],
        "description_keys": [string(key) for key in items(reference.get("descriptionKeys"))],
    }


def _scope(outer: dict[str, Any], attributes: JsonAttributes, rows: Rows) -> Scope:
    read = camel(outer.get("scope"), rows.warnings).get
    own = attributes.read(read("attributes"), "/scope_attributes")
    taken = rows.notes.take()
    names = string(read("name")) or None, string(read("version")) or None
    return Scope(*names, own, unsigned32(read("droppedAttributesCount")), string(outer.get("schemaUrl")) or None, taken)
