"""The columns, compared with the schema and with what OTLP has."""

from importlib.resources import files

import duckdb
import pyarrow as pa
import pytest
from google.protobuf.descriptor import Descriptor
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector.decode import logs_protobuf, traces_protobuf
from collector.decode.columns import LOGS, SPANS
from collector.decode.group import GROUP_COLUMNS
from tests.decode.samples import request, span

_ARROW = {
    "VARCHAR": pa.string(),
    "UINTEGER": pa.uint32(),
    "INTEGER": pa.int32(),
    "UBIGINT": pa.uint64(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "TIMESTAMP_NS": pa.timestamp("ns"),
}


@pytest.mark.parametrize(("table", "columns"), [("spans", SPANS), ("logs", LOGS)])
def test_columns_are_those_of_the_schema(table: str, columns: dict[str, pa.DataType]):
    """Names, order and types are the table's, without what a commit adds."""
    with duckdb.connect() as connection:
        connection.execute((files("collector.store") / "schema.sql").read_text("utf-8"))
        found = connection.execute(f"DESCRIBE evidence.{table}").fetchall()
    assert {name: _ARROW[kind] for name, kind, *_ in found if name not in ("commit_seq", "commit_row")} == columns
    assert [name for name, *_ in found if name not in ("commit_seq", "commit_row")] == list(columns)


def test_decoding_fills_all_columns():
    """Decoded requests have the columns, empty ones as well, and Arrow takes their values."""
    for decoded, columns in (
        (traces_protobuf(request(span()).SerializeToString()), SPANS),
        (traces_protobuf(b""), SPANS),
        (logs_protobuf(b""), LOGS),
    ):
        assert set(decoded.columns) == set(columns)
        for name, values in decoded.columns.items():
            assert len(pa.array(values, columns[name])) == decoded.rows
    assert set(GROUP_COLUMNS) <= set(SPANS) & set(LOGS)


_ATTRIBUTES = {"KeyValue.key": "attributes", "KeyValue.value": "attributes"}
_VALUES = (*("string_value", "bool_value", "int_value", "double_value", "array_value", "kvlist_value", "bytes_value"),)
_PROFILES_ONLY = {"KeyValue.key_strindex", "AnyValue.string_value_strindex"}

HOMES: dict[str, str] = {
    "ExportTraceServiceRequest.resource_spans": "the rows",
    "ExportLogsServiceRequest.resource_logs": "the rows",
    "ResourceSpans.resource": "resource",
    "ResourceSpans.scope_spans": "the rows",
    "ResourceSpans.schema_url": "resource_schema_url",
    "ResourceLogs.resource": "resource",
    "ResourceLogs.scope_logs": "the rows",
    "ResourceLogs.schema_url": "resource_schema_url",
    "Resource.attributes": "resource",
    "Resource.dropped_attributes_count": "resource_dropped_attributes_count",
    "Resource.entity_refs": "resource_entity_refs",
    **{f"EntityRef.{name}": "resource_entity_refs" for name in ("schema_url", "type", "id_keys", "description_keys")},
    "ScopeSpans.scope": "scope_name",
    "ScopeSpans.spans": "the rows",
    "ScopeSpans.schema_url": "scope_schema_url",
    "ScopeLogs.scope": "scope_name",
    "ScopeLogs.log_records": "the rows",
    "ScopeLogs.schema_url": "scope_schema_url",
    "InstrumentationScope.name": "scope_name",
    "InstrumentationScope.version": "scope_version",
    "InstrumentationScope.attributes": "scope_attributes",
    "InstrumentationScope.dropped_attributes_count": "scope_dropped_attributes_count",
    **_ATTRIBUTES,
    **{f"AnyValue.{name}": "attributes" for name in _VALUES},
    "ArrayValue.values": "attributes",
    "KeyValueList.values": "attributes",
    **{f"Span.{name}": name for name in ("trace_id", "span_id", "trace_state", "parent_span_id", "flags", "name")},
    **{f"Span.{name}": name for name in ("kind", "attributes", "events", "links", "dropped_attributes_count")},
    "Span.dropped_events_count": "dropped_events_count",
    "Span.dropped_links_count": "dropped_links_count",
    "Span.start_time_unix_nano": "start_ns",
    "Span.end_time_unix_nano": "end_ns",
    "Span.status": "status_code",
    "Status.message": "status_message",
    "Status.code": "status_code",
    **{f"Event.{name}": "events" for name in ("time_unix_nano", "name", "attributes", "dropped_attributes_count")},
    **{f"Link.{name}": "links" for name in ("trace_id", "span_id", "trace_state", "attributes", "flags")},
    "Link.dropped_attributes_count": "links",
    "LogRecord.time_unix_nano": "time_ns",
    "LogRecord.observed_time_unix_nano": "observed_ns",
    **{f"LogRecord.{name}": name for name in ("severity_number", "severity_text", "body", "attributes", "flags")},
    **{f"LogRecord.{name}": name for name in ("trace_id", "span_id", "event_name", "dropped_attributes_count")},
}
"""Field of OTLP → the column that holds it."""


def _fields(message: Descriptor, found: dict[str, None]) -> dict[str, None]:
    for field in message.fields:
        name = f"{message.name}.{field.name}"
        if name not in found:
            found[name] = None
            if field.message_type is not None:
                _fields(field.message_type, found)
    return found


def test_every_field_of_otlp_has_a_home():
    """A field that a new opentelemetry-proto brings fails here, until a column holds it."""
    fields: dict[str, None] = {}
    for root in (ExportTraceServiceRequest, ExportLogsServiceRequest):
        _fields(root.DESCRIPTOR, fields)
    assert set(fields) - _PROFILES_ONLY == set(HOMES)
    assert set(HOMES.values()) - {"the rows"} <= set(SPANS) | set(LOGS)
