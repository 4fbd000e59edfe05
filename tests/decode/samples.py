"""Requests for tests: built with the generated classes, and their JSON twins."""

import base64
from collections.abc import Mapping
from typing import Any

import orjson
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import (
    AnyValue,
    ArrayValue,
    EntityRef,
    InstrumentationScope,
    KeyValue,
    KeyValueList,
)
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status

from collector.decode import Decoded

TRACE, SPAN = bytes(range(1, 17)), bytes(range(1, 9))


def any_value(value: Any) -> AnyValue:
    """An AnyValue of a Python value."""
    match value:
        case None:
            return AnyValue()
        case bool():
            return AnyValue(bool_value=value)
        case int():
            return AnyValue(int_value=value)
        case float():
            return AnyValue(double_value=value)
        case str():
            return AnyValue(string_value=value)
        case bytes():
            return AnyValue(bytes_value=value)
        case dict():
            return AnyValue(kvlist_value=KeyValueList(values=pairs(value)))
        case _:
            return AnyValue(array_value=ArrayValue(values=map(any_value, value)))


def pairs(attributes: Mapping[str, Any]) -> list[KeyValue]:
    """Attributes as KeyValue messages."""
    return [KeyValue(key=key, value=any_value(value)) for key, value in attributes.items()]


def span(**fields: Any) -> Span:
    """A valid span; fields override."""
    attributes = pairs(fields.pop("attributes", {}))
    filled: dict[str, Any] = {"trace_id": TRACE, "span_id": SPAN, "name": "chat", "attributes": attributes} | fields
    return Span(**filled)


def request(*spans: Span, resource: Mapping[str, Any] | None = None) -> ExportTraceServiceRequest:
    """A request with these spans under one resource and one scope."""
    group = ResourceSpans(
        resource=Resource(attributes=pairs(resource or {"service.name": "shop"})),
        scope_spans=[ScopeSpans(scope=InstrumentationScope(name="lib", version="1"), spans=spans)],
    )
    return ExportTraceServiceRequest(resource_spans=[group])


def json_of(message: Message) -> bytes:
    """The OTLP/JSON twin of a request: ids as hex, enums as numbers."""
    twin = MessageToDict(message, use_integers_for_enums=True)
    _hex_ids(twin)
    return orjson.dumps(twin)


def _hex_ids(value: Any) -> None:
    if isinstance(value, list):
        for member in value:
            _hex_ids(member)
    if isinstance(value, dict):
        for name, member in value.items():
            if name in {"traceId", "spanId", "parentSpanId"}:
                value[name] = base64.b64decode(member).hex()
            else:
                _hex_ids(member)


def row(decoded: Decoded, place: int = 0) -> dict[str, Any]:
    """One row as a dictionary."""
    return {name: values[place] for name, values in decoded.columns.items()}


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXTS | st.binary(max_size=8)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3))
ATTRIBUTES = st.dictionaries(TEXTS | st.sampled_from(["gen_ai.usage.input_tokens", "agent.name"]), VALUES, max_size=5)
_LONG, _COUNT = st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1)
_NUMBERS = {"dropped_attributes_count": _COUNT}
_TRACE_ID, _SPAN_ID = st.binary(min_size=16, max_size=16).filter(any), st.binary(min_size=8, max_size=8).filter(any)
_PAIRS = ATTRIBUTES.map(pairs)

EVENTS = st.builds(Span.Event, time_unix_nano=_LONG, name=TEXTS, attributes=_PAIRS, **_NUMBERS)
LINKS = st.builds(
    Span.Link, trace_id=_TRACE_ID, span_id=_SPAN_ID, trace_state=TEXTS, attributes=_PAIRS, flags=_COUNT, **_NUMBERS
)
SPANS = st.builds(
    Span,
    trace_id=_TRACE_ID,
    span_id=_SPAN_ID,
    parent_span_id=st.just(b"") | st.just(bytes(8)) | _SPAN_ID,
    trace_state=TEXTS,
    flags=_COUNT,
    name=TEXTS,
    kind=st.integers(0, 5),
    start_time_unix_nano=_LONG,
    end_time_unix_nano=_LONG,
    attributes=_PAIRS,
    events=st.lists(EVENTS, max_size=2),
    links=st.lists(LINKS, max_size=2),
    status=st.builds(Status, code=st.integers(0, 2), message=TEXTS),
    dropped_events_count=_COUNT,
    dropped_links_count=_COUNT,
    **_NUMBERS,
)
RECORDS = st.builds(
    LogRecord,
    time_unix_nano=_LONG,
    observed_time_unix_nano=_LONG,
    severity_number=st.integers(0, 24),
    severity_text=TEXTS,
    body=VALUES.map(any_value),
    attributes=_PAIRS,
    flags=_COUNT,
    trace_id=st.just(b"") | _TRACE_ID,
    span_id=st.just(b"") | _SPAN_ID,
    event_name=TEXTS,
    **_NUMBERS,
)
RESOURCES = st.builds(
    Resource,
    attributes=_PAIRS,
    entity_refs=st.lists(
        st.builds(EntityRef, schema_url=TEXTS, type=TEXTS, id_keys=st.lists(TEXTS, max_size=2)), max_size=2
    ),
    **_NUMBERS,
)
SCOPES = st.builds(InstrumentationScope, name=TEXTS, version=TEXTS, attributes=_PAIRS, **_NUMBERS)
TRACES_REQUESTS = st.builds(
    lambda resource, scope, url, spans: ExportTraceServiceRequest(
        resource_spans=[
            ResourceSpans(
                resource=resource, schema_url=url, scope_spans=[ScopeSpans(scope=scope, spans=spans, schema_url=url)]
            )
        ]
    ),
    RESOURCES,
    SCOPES,
    TEXTS,
    st.lists(SPANS, max_size=3),
)
LOGS_REQUESTS = st.builds(
    lambda resource, scope, url, records: ExportLogsServiceRequest(
        resource_logs=[
            ResourceLogs(
                resource=resource,
                schema_url=url,
                scope_logs=[ScopeLogs(scope=scope, log_records=records, schema_url=url)],
            )
        ]
    ),
    RESOURCES,
    SCOPES,
    TEXTS,
    st.lists(RECORDS, max_size=3),
)
