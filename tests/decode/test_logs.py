"""Rules for log records."""

import orjson
import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs

from collector.decode import Decoded, logs_protobuf
from tests.decode.samples import SPAN, TRACE, any_value, pairs, row


def decode(*records: LogRecord) -> Decoded:
    """These records, decoded."""
    scope = ScopeLogs(log_records=records)
    return logs_protobuf(ExportLogsServiceRequest(resource_logs=[ResourceLogs(scope_logs=[scope])]).SerializeToString())


def test_a_record_becomes_a_row():
    """Body and attributes are JSON, the event's name is the field or the attribute."""
    sent = LogRecord(
        trace_id=TRACE,
        span_id=SPAN,
        time_unix_nano=5,
        body=any_value({"content": "hi"}),
        attributes=pairs({"event.name": "gen_ai.choice", "session.id": "s"}),
    )
    got = row(decode(sent))
    assert (got["trace_id"], got["span_id"], got["time"]) == (TRACE.hex(), SPAN.hex(), 5)
    assert (got["body"], got["event_name"], got["conversation_id"]) == ('{"content":"hi"}', "gen_ai.choice", "s")


def test_ids_are_optional():
    """A record without ids, or with zeros, belongs to no trace."""
    columns = decode(LogRecord(), LogRecord(trace_id=bytes(16), span_id=bytes(8))).columns
    assert columns["trace_id"] == columns["span_id"] == [None, None]
    assert columns["body"] == [None, None]
    assert columns["beside"] == [None, None]


def test_ids_of_a_wrong_form_are_set_aside():
    """The record stays and its id is noted."""
    decoded = decode(LogRecord(trace_id=b"short"))
    assert row(decoded)["trace_id"] is None
    assert orjson.loads(row(decoded)["beside"]) == [{"at": "/trace_id", "kind": "bad_id", "value": b"short".hex()}]
    assert decoded.warnings == {"log_id_invalid": 1}


@pytest.mark.parametrize(("time", "observed", "found"), [(5, 9, 5), (0, 9, 9), (0, 0, None)])
def test_the_time_is_the_events_or_the_observers(time: int, observed: int, found: int | None):
    """`time` falls back to when the record was observed."""
    assert row(decode(LogRecord(time_unix_nano=time, observed_time_unix_nano=observed)))["time"] == found
