"""OTLP/protobuf bodies → columns."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.message import Message

from collector.decode.beside import Notes, text
from collector.decode.decoded import Decoded, DecodeError, Rejected, count
from collector.decode.group import Group, Resource, Scope
from collector.decode.logs import LogRows
from collector.decode.protobuf_values import Attributes, body
from collector.decode.shadow import LogsRequest, ResourceMessage, ScopeMessage, TracesRequest
from collector.decode.spans import SpanRows, link


def read_group(resource: bytes, resource_url: bytes, scope: bytes, scope_url: bytes, notes: Notes) -> Group:
    """What spans share, from the messages of their resource and scope and the urls of the schemas they follow.

    Raises DecodeError where one is corrupt.
    """
    attributes = Attributes(notes)
    held = _resource(_parse(ResourceMessage, resource), resource_url, attributes, notes)
    return Group(held, _scope(_parse(ScopeMessage, scope), scope_url, attributes, notes))


def traces_protobuf(raw: bytes) -> Decoded:
    """An ExportTraceServiceRequest. Raises DecodeError where it cannot be parsed (H-06, G-04)."""
    rows = SpanRows()
    attributes = Attributes(rows.notes)
    for resource_spans in _parse(TracesRequest, raw).resource_spans:
        old = len(resource_spans.instrumentation_library_spans)
        if old:
            count(rows.warnings, "instrumentation_library_spans", old)
        resource = _resource(resource_spans.resource, resource_spans.schema_url, attributes, rows.notes)
        for scope_spans in resource_spans.scope_spans:
            group = Group(resource, _scope(scope_spans.scope, scope_spans.schema_url, attributes, rows.notes))
            rows.open(group)
            add = partial(add_span, rows, attributes, group)
            for span in scope_spans.spans:
                try:
                    add(span)
                except Rejected as reason:
                    rows.reject(reason)
    return rows.finish()


def logs_protobuf(raw: bytes) -> Decoded:
    """An ExportLogsServiceRequest. Raises DecodeError."""
    rows = LogRows()
    attributes = Attributes(rows.notes)
    for resource_logs in _parse(LogsRequest, raw).resource_logs:
        resource = _resource(resource_logs.resource, resource_logs.schema_url, attributes, rows.notes)
        for scope_logs in resource_logs.scope_logs:
            group = Group(resource, _scope(scope_logs.scope, scope_logs.schema_url, attributes, rows.notes))
            rows.open(group)
            for record in scope_logs.log_records:
                try:
                    _add_log(rows, attributes, group, record)
                except Rejected as reason:
                    rows.reject(reason)
    return rows.finish()


def _parse(kind: type[Message], raw: bytes) -> Any:
    try:
        return kind.FromString(raw)
    except ProtobufError:
        pass
    if raw[:2] == b"\x1f\x8b":
        raise DecodeError("the body is gzip; send it with the encoding gzip declared")
    hint = "; it looks like JSON" if raw[:1] in {b"{", b"["} else ""
    raise DecodeError(f"the body is not an OTLP protobuf message{hint}")


def add_span(rows: SpanRows, attributes: Attributes, group: Group, span: Any) -> None:
    """Add one span message. Raises Rejected."""
    notes = rows.notes
    trace_id = span.trace_id
    if not trace_id:  # before all else: another signal's request read as traces has no ids, whatever else it has (T-03)
        raise Rejected("trace_id_length")
    name, trace_state = span.name, span.trace_state
    if type(name) is bytes or type(trace_state) is bytes:
        name, trace_state = text(name, "/name", notes), text(trace_state, "/trace_state", notes)
    status = (0, None)
    if span.HasField("status"):
        sent = span.status
        status = sent.code, text(sent.message, "/status_message", notes) or None
    events = span.events
    links = span.links
    rows.add(
        group,
        trace_id,
        span.span_id,
        span.parent_span_id,
        trace_state,
        span.flags,
        name,
        span.kind,
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        status,
        attributes.read(span.attributes, "/attributes"),
        read_events(events, attributes, notes) if events else None,
        read_links(links, attributes, notes) if links else None,
        (span.dropped_attributes_count, span.dropped_events_count, span.dropped_links_count),
    )


def read_events(events: Iterable[Any], attributes: Attributes, notes: Notes) -> list[dict[str, Any]]:
    """The events of a span as they are stored. Raises Rejected."""
    return [_event(event, attributes, place, notes) for place, event in enumerate(events)]


def _event(event: Any, attributes: Attributes, place: int, notes: Notes) -> dict[str, Any]:
    at = f"/events/{place}"
    return {
        "name": text(event.name, f"{at}/name", notes),
        "time_unix_nano": event.time_unix_nano,
        "attributes": attributes.read(event.attributes, f"{at}/attributes"),
        "dropped_attributes_count": event.dropped_attributes_count,
    }


def read_links(links: Iterable[Any], attributes: Attributes, notes: Notes) -> list[dict[str, Any]]:
    """The links of a span as they are stored; those with ids of a wrong form are noted. Raises Rejected."""
    kept: list[dict[str, Any]] = []
    for delivered in links:
        at = f"/links/{len(kept)}"
        rest = {
            "trace_state": text(delivered.trace_state, f"{at}/trace_state", notes),
            "attributes": attributes.read(delivered.attributes, f"{at}/attributes"),
            "dropped_attributes_count": delivered.dropped_attributes_count,
            "flags": delivered.flags,
        }
        found = link(delivered.trace_id, delivered.span_id, rest)
        if found is None:
            ids = {"trace_id": delivered.trace_id.hex(), "span_id": delivered.span_id.hex()}
            notes.add("/links", "bad_link", {**ids, **rest})
        else:
            kept.append(found)
    return kept


def _add_log(rows: LogRows, attributes: Attributes, group: Group, record: Any) -> None:
    notes = rows.notes
    severity_text, event_name = record.severity_text, record.event_name
    rows.add(
        group,
        record.trace_id,
        record.span_id,
        record.flags,
        record.time_unix_nano,
        record.observed_time_unix_nano,
        (record.severity_number, text(severity_text, "/severity_text", notes) if severity_text else None),
        text(event_name, "/event_name", notes) if event_name else None,
        body(record.body if record.HasField("body") else None, "/body", notes),
        attributes.read(record.attributes, "/attributes"),
        record.dropped_attributes_count,
    )


def _resource(resource: Any, url: bytes | str, attributes: Attributes, notes: Notes) -> Resource:
    """Raises DecodeError where the resource is corrupt: its rows would stand for nothing."""
    try:
        own = attributes.read(resource.attributes, "/resource")
    except Rejected:
        raise DecodeError("a resource's attributes cannot be parsed") from None
    schema_url = text(url, "/resource_schema_url", notes) or None
    references = [_entity(reference, place, notes) for place, reference in enumerate(resource.entity_refs)]
    taken = notes.take()
    return Resource(own, resource.dropped_attributes_count, schema_url, references, taken)


def _entity(reference: Any, place: int, notes: Notes) -> dict[str, Any]:
    at = f"/resource_entity_refs/{place}"
    return {
        "schema_url": text(reference.schema_url, f"{at}/schema_url", notes),
        "type": text(reference.type, f"{at}/type", notes),
        "id_keys": [text(key, f"{at}/id_keys", notes) for key in reference.id_keys],
        "description_keys": [text(key, f"{at}/description_keys", notes) for key in reference.description_keys],
    }


def _scope(scope: Any, url: bytes | str, attributes: Attributes, notes: Notes) -> Scope:
    """Raises DecodeError where the scope is corrupt."""
    try:
        own = attributes.read(scope.attributes, "/scope_attributes")
    except Rejected:
        raise DecodeError("a scope's attributes cannot be parsed") from None
    name = text(scope.name, "/scope_name", notes) or None
    version = text(scope.version, "/scope_version", notes) or None
    schema_url = text(url, "/scope_schema_url", notes) or None
    taken = notes.take()
    return Scope(name, version, own, scope.dropped_attributes_count, schema_url, taken)
