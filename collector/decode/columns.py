"""The columns of evidence.spans and evidence.logs with their Arrow types, in the schema's order, without commit_seq."""

from typing import Any

import pyarrow as pa

_TEXT, _TIME, _LONG, _COUNT, _INT = pa.string(), pa.timestamp("ns"), pa.uint64(), pa.uint32(), pa.int32()

_GROUP = {
    "resource": _TEXT,
    "resource_dropped_attributes_count": _COUNT,
    "resource_schema_url": _TEXT,
    "resource_entity_refs": _TEXT,
    "scope_name": _TEXT,
    "scope_version": _TEXT,
    "scope_attributes": _TEXT,
    "scope_dropped_attributes_count": _COUNT,
    "scope_schema_url": _TEXT,
    "service_name": _TEXT,
}

SPANS: dict[str, pa.DataType] = {
    "trace_id": _TEXT,
    "span_id": _TEXT,
    "parent_span_id": _TEXT,
    "trace_state": _TEXT,
    "flags": _COUNT,
    "name": _TEXT,
    "kind": _INT,
    "start_ns": _LONG,
    "end_ns": _LONG,
    "start_time": _TIME,
    "end_time": _TIME,
    "duration_ns": _LONG,
    "status_code": _INT,
    "status_message": _TEXT,
    "attributes": _TEXT,
    "dropped_attributes_count": _COUNT,
    "events": _TEXT,
    "dropped_events_count": _COUNT,
    "links": _TEXT,
    "dropped_links_count": _COUNT,
    **_GROUP,
    **dict.fromkeys(("operation", "span_kind", "agent_name", "conversation_id", "provider"), _TEXT),
    **dict.fromkeys(("request_model", "response_model", "response_id", "tool_name", "tool_call_id"), _TEXT),
    "input_tokens": pa.int64(),
    "output_tokens": pa.int64(),
    "cost_usd": pa.float64(),
    **dict.fromkeys(("error_type", "job_id", "case_name", "suite_name", "batch"), _TEXT),
    "beside": _TEXT,
    "content_hash": _TEXT,
}

LOGS: dict[str, pa.DataType] = {
    "trace_id": _TEXT,
    "span_id": _TEXT,
    "flags": _COUNT,
    "time_ns": _LONG,
    "observed_ns": _LONG,
    "time": _TIME,
    "severity_number": _INT,
    "severity_text": _TEXT,
    "event_name": _TEXT,
    "body": _TEXT,
    "attributes": _TEXT,
    "dropped_attributes_count": _COUNT,
    **_GROUP,
    "conversation_id": _TEXT,
    "beside": _TEXT,
    "content_hash": _TEXT,
}


def as_lists(table: pa.Table) -> dict[str, list[Any]]:
    """A table's columns as lists; times as nanoseconds, since Python's own hold microseconds."""
    return {
        field.name: (held.cast(pa.int64()) if pa.types.is_timestamp(field.type) else held).to_pylist()
        for field, held in zip(table.schema, table.columns, strict=True)
    }
