"""OTLP/protobuf bodies."""

import random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from collector.decode import DecodeError, logs_protobuf, traces_protobuf
from tests.decode.samples import LOGS_REQUESTS, SPAN, TRACE, TRACES_REQUESTS, any_value, pairs, request, row, span


def test_a_span_becomes_a_row():
    """Ids are lower-case hex, attributes a JSON object, times raw and as timestamps."""
    sent = span(
        attributes={"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 12, "ratio": 1.0},
        start_time_unix_nano=1_700_000_000_000_000_000,
        end_time_unix_nano=1_700_000_001_000_000_000,
        parent_span_id=b"\xab" * 8,
        kind=3,
    )
    got = row(traces_protobuf(request(sent).SerializeToString()))
    assert (got["trace_id"], got["span_id"], got["parent_span_id"]) == (TRACE.hex(), SPAN.hex(), "ab" * 8)
    assert got["attributes"] == '{"gen_ai.operation.name":"chat","gen_ai.usage.input_tokens":12,"ratio":1.0}'
    assert (got["operation"], got["input_tokens"], got["service_name"]) == ("chat", 12, "shop")
    assert (got["start_ns"], got["start_time"], got["duration_ns"]) == (
        1_700_000_000_000_000_000,
        1_700_000_000_000_000_000,
        1_000_000_000,
    )
    assert got["beside"] is None
    assert got["events"] == got["links"] == "[]"


@pytest.mark.parametrize("body", [b"", request().SerializeToString()])
def test_an_empty_request_is_empty(body: bytes):
    """A request without spans is valid and gives no rows (C-02)."""
    decoded = traces_protobuf(body)
    assert (decoded.rows, decoded.rejected) == (0, {})
    assert all(values == [] for values in decoded.columns.values())


@pytest.mark.parametrize(
    ("ids", "reason"),
    [
        ((bytes(16), SPAN), "trace_id_zero"),
        ((TRACE, bytes(8)), "span_id_zero"),
        ((b"", SPAN), "trace_id_length"),
        ((TRACE, b"1234"), "span_id_length"),
        ((TRACE.hex().encode(), SPAN.hex().encode()), "id_is_hex_text"),
    ],
)
def test_a_span_with_bad_ids_is_refused_alone(ids: tuple[bytes, bytes], reason: str):
    """Only the bad span is refused, with its reason, and its neighbours stay (S-01, C-07)."""
    bad = span(trace_id=ids[0], span_id=ids[1])
    decoded = traces_protobuf(request(span(), bad, span(span_id=b"neighbor")).SerializeToString())
    assert decoded.rejected == {reason: 1}
    assert decoded.columns["span_id"] == [SPAN.hex(), b"neighbor".hex()]
    assert decoded.keys == [TRACE + SPAN, TRACE + b"neighbor"]


def test_invalid_utf8_costs_one_value():
    """A string cut within a rune is repaired, its bytes stay beside, and the batch is kept (S-11)."""
    body = request(span(name="cut-XX", attributes={"text": "cut-YY", "whole": "yes"}), span()).SerializeToString()
    decoded = traces_protobuf(body.replace(b"cut-XX", b"cut-\xe4\xbd").replace(b"cut-YY", b"cut-\xe4\xbd"))
    got = row(decoded)
    assert decoded.rows == 2
    assert got["name"] == "cut-�"
    assert orjson.loads(got["attributes"]) == {"text": "cut-�", "whole": "yes"}
    assert [(note["at"], note["value"]) for note in orjson.loads(got["beside"])] == [
        ("/attributes/text", b"cut-\xe4\xbd".hex()),
        ("/name", b"cut-\xe4\xbd".hex()),
    ]
    assert decoded.warnings == {"invalid_utf8": 2}


def test_a_corrupt_attribute_costs_one_span():
    """Bytes that are no KeyValue refuse their span alone."""
    body = request(span(attributes={"key": "CORRUPT"}), span()).SerializeToString()
    decoded = traces_protobuf(body.replace(b"\x0a\x07CORRUPT", b"\x0a\x7fCORRUPT"))
    assert (decoded.rows, decoded.rejected) == (1, {"malformed_value": 1})


def test_bad_parents_and_links_are_set_aside():
    """The span stays; the parent is null, the link left out, and both are noted (S-02, S-03)."""
    links = [Span.Link(trace_id=TRACE, span_id=SPAN), Span.Link(trace_id=b"x", span_id=SPAN)]
    decoded = traces_protobuf(request(span(parent_span_id=b"short", links=links)).SerializeToString())
    got = row(decoded)
    assert got["parent_span_id"] is None
    assert len(orjson.loads(got["links"])) == 1
    assert [note["kind"] for note in orjson.loads(got["beside"])] == ["bad_link", "bad_parent"]
    assert decoded.warnings == {"parent_id_invalid": 1, "link_id_invalid": 1}


def test_times_are_kept_raw():
    """An end before the start, no end, and times after 2262 are stored as sent; duration is 0 (S-04)."""
    spans = (
        span(start_time_unix_nano=9, end_time_unix_nano=5),
        span(start_time_unix_nano=2**64 - 1, end_time_unix_nano=0),
    )
    columns = traces_protobuf(request(*spans).SerializeToString()).columns
    assert columns["start_ns"] == [9, 2**64 - 1]
    assert columns["start_time"] == [9, None]
    assert columns["end_time"] == [5, None]
    assert columns["duration_ns"] == [0, 0]


def test_old_spans_are_not_ignored_in_silence():
    """Spans in the field of OTLP 0.14 are counted as a warning (C-14)."""
    old = b"\xc2\x3e\x02\x12\x00"  # ResourceSpans field 1000
    body = b"\x0a" + bytes([len(old)]) + old
    assert traces_protobuf(body).warnings == {"instrumentation_library_spans": 1}


@pytest.mark.parametrize(
    "body", [b"\xff" * 10, b"<html></html>", b'{"resourceSpans":[]}', request(span()).SerializeToString()[:-3]]
)
def test_what_is_no_message_is_an_error(body: bytes):
    """Bytes that cannot be parsed are a DecodeError with a text that tells nothing of them (G-04)."""
    with pytest.raises(DecodeError, match="not an OTLP protobuf message"):
        traces_protobuf(body)


def test_undeclared_gzip_is_named():
    """Gzip without its header is answered with what to do (H-13)."""
    with pytest.raises(DecodeError, match="gzip"):
        traces_protobuf(b"\x1f\x8b\x08rest")


def test_a_logs_request_has_no_spans():
    """A logs request read as traces is refused row by row, since none has a span's id (T-03)."""
    record = LogRecord(
        trace_id=TRACE, span_id=SPAN, body=any_value("hi"), attributes=pairs({"a": 1}), severity_text="INFO"
    )
    logs = ResourceLogs(scope_logs=[ScopeLogs(log_records=[record, record])])
    decoded = traces_protobuf(ExportLogsServiceRequest(resource_logs=[logs]).SerializeToString())
    assert (decoded.rows, decoded.rejected) == (0, {"trace_id_length": 2})


@settings(max_examples=40)
@given(TRACES_REQUESTS, st.randoms(use_true_random=False))
def test_the_hash_does_not_depend_on_attribute_order(sent: Any, source: random.Random):
    """Shuffled attributes, at every place, give the same row and the same hash."""
    before = traces_protobuf(sent.SerializeToString())
    for resource_spans in sent.resource_spans:
        _shuffle(resource_spans.resource, source)
        for scope_spans in resource_spans.scope_spans:
            _shuffle(scope_spans.scope, source)
            for one in scope_spans.spans:
                for holder in (one, *one.events, *one.links):
                    _shuffle(holder, source)
    assert traces_protobuf(sent.SerializeToString()).columns == before.columns


def _shuffle(holder: Any, source: random.Random) -> None:
    shuffled = list(holder.attributes)
    source.shuffle(shuffled)
    del holder.attributes[:]
    holder.attributes.extend(shuffled)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "other"},
        {"kind": 1},
        {"flags": 1},
        {"trace_state": "a=b"},
        {"attributes": {"k": 1}},
        {"dropped_links_count": 1},
        {"end_time_unix_nano": 7},
        {"events": [Span.Event(name="e")]},
    ],
)
def test_the_hash_covers_what_was_delivered(change: dict[str, Any]):
    """A change anywhere changes the hash."""
    plain, changed = (traces_protobuf(request(one).SerializeToString()) for one in (span(), span(**change)))
    assert plain.columns["content_hash"] != changed.columns["content_hash"]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes):
    """No bytes raise anything but DecodeError."""
    for read in (traces_protobuf, logs_protobuf):
        try:
            decoded = read(body)
        except DecodeError:
            continue
        assert {len(values) for values in decoded.columns.values()} == {decoded.rows}


@settings(max_examples=50)
@given(TRACES_REQUESTS | LOGS_REQUESTS, st.data())
def test_damaged_requests_are_read_or_refused(sent: Any, data: st.DataObject):
    """A real request with one byte changed raises nothing but DecodeError."""
    body = bytearray(sent.SerializeToString())
    place = data.draw(st.integers(0, len(body) - 1)) if body else 0
    if body:
        body[place] = data.draw(st.integers(0, 255))
    for read in (traces_protobuf, logs_protobuf):
        try:
            read(bytes(body))
        except DecodeError:
            continue


def test_a_huge_resource_over_many_spans_is_refused():
    """A request that would unfold to gigabytes is refused as a whole."""
    spans = [span(span_id=number.to_bytes(8, "big")) for number in range(1, 600)]
    with pytest.raises(DecodeError, match="512 MiB"):
        traces_protobuf(request(*spans, resource={"big": "x" * 1_000_000}).SerializeToString())


def test_duplicate_keys_are_kept_beside():
    """The last value counts and the earlier one is noted (S-08)."""
    sent = span()
    sent.attributes.extend([KeyValue(key="k", value=any_value(1)), *pairs({"k": 2})])
    got = row(traces_protobuf(request(sent).SerializeToString()))
    assert got["attributes"] == '{"k":2}'
    assert orjson.loads(got["beside"]) == [{"at": "/attributes/k", "kind": "duplicate_key", "value": 1}]
