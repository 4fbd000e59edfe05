"""OTLP/JSON bodies."""

import json
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.decode import DecodeError, logs_json, logs_protobuf, traces_json, traces_protobuf
from tests.decode.samples import LOGS_REQUESTS, SPAN, TRACE, TRACES_REQUESTS, json_of, row

PLAIN: dict[str, Any] = {"traceId": TRACE.hex(), "spanId": SPAN.hex(), "name": "chat"}


def body(*spans: Any) -> bytes:
    """A request with these spans."""
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


@settings(max_examples=60)
@given(TRACES_REQUESTS)
def test_json_and_protobuf_spans_are_equal(sent: Any):
    """The same spans in both encodings give the same columns, hashes among them."""
    assert traces_json(json_of(sent)) == traces_protobuf(sent.SerializeToString())


@settings(max_examples=60)
@given(LOGS_REQUESTS)
def test_json_and_protobuf_logs_are_equal(sent: Any):
    """The same records in both encodings give the same columns, hashes among them."""
    assert logs_json(json_of(sent)) == logs_protobuf(sent.SerializeToString())


@pytest.mark.parametrize("sent", [b"{}", b'{"resourceSpans":[]}', b'{"resourceSpans":null}', b'{"other":1}', body()])
def test_an_empty_request_is_empty(sent: Any):
    """Requests without spans are valid (C-02, J-03, J-08)."""
    assert traces_json(sent).rows == 0


@pytest.mark.parametrize("sent", [b"[]", b"null", b"1", b'"x"'])
def test_the_top_must_be_an_object(sent: Any):
    """Anything else at the top is refused (J-10)."""
    with pytest.raises(DecodeError, match="one JSON object"):
        traces_json(sent)


@pytest.mark.parametrize("sent", [b"{", b"\xef\xbb\xbf{}", b'{"a":"\xff"}', b'{"a":NaN}', b"[" * 5000])
def test_what_is_no_json_is_an_error(sent: Any):
    """Broken JSON, a byte order mark, invalid UTF-8, bare NaN and endless nesting are refused (J-06, J-11, J-12)."""
    with pytest.raises(DecodeError, match="not JSON"):
        traces_json(sent)


def test_lone_surrogates_cost_one_character():
    """A lone surrogate is replaced and the batch is kept; pairs and escaped backslashes stay (J-11)."""
    sent = body(PLAIN | {"name": "NAME"}).replace(b"NAME", rb"\ud800 \ud83d\ude00 \\ud800")
    decoded = traces_json(sent)
    assert decoded.columns["name"] == ["� 😀 \\ud800"]
    assert decoded.warnings == {"invalid_utf8": 1}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"traceId": "cgXI6uihz643E6Zqq7Nl4w=="}, "id_is_base64"),
        ({"traceId": "xyz"}, "trace_id_not_hex"),
        ({"traceId": [1, 2]}, "trace_id_not_hex"),
        ({"traceId": None}, "trace_id_length"),
        ({"spanId": "0" * 16}, "span_id_zero"),
        ({"startTimeUnixNano": -1}, "number_out_of_range"),
        ({"startTimeUnixNano": 18446744073709551616}, "number_out_of_range"),
        ({"startTimeUnixNano": "1.5"}, "number_out_of_range"),
        ({"startTimeUnixNano": "soon"}, "wrong_type"),
        ({"startTimeUnixNano": True}, "wrong_type"),
        ({"name": 5}, "wrong_type"),
        ({"attributes": {"a": 1}}, "attributes_not_a_list"),
        ({"attributes": [{"key": "a", "value": {"intValue": 1, "stringValue": "x"}}]}, "value_conflict"),
        ({"attributes": [{"key": "a", "value": {"intValue": "9223372036854775808"}}]}, "number_out_of_range"),
        ({"attributes": ["a"]}, "wrong_type"),
        ({"kind": "SPAN_KIND_UNHEARD_OF"}, "wrong_type"),
    ],
)
def test_a_bad_span_is_refused_alone(change: dict[str, Any], reason: str):
    """Each fault has its reason and costs one span (J-01, J-05, J-09, J-13)."""
    decoded = traces_json(body(PLAIN, PLAIN | change, PLAIN | {"spanId": "FF" * 8}))
    assert decoded.rejected == {reason: 1}
    assert decoded.columns["span_id"] == [SPAN.hex(), "ff" * 8]


@pytest.mark.parametrize("bad", [None, 5, "span", []])
def test_a_span_that_is_no_object_is_refused_alone(bad: Any):
    """Something else in the list of spans costs itself alone."""
    assert traces_json(body(PLAIN, bad)).rows == 1


@pytest.mark.parametrize("number", [1500000000000000000, "1500000000000000000", 1.5e18, "1.5e18"])
def test_numbers_come_as_numbers_or_text(number: Any):
    """64-bit integers are read from numbers and from text (J-05)."""
    assert traces_json(body(PLAIN | {"startTimeUnixNano": number})).columns["start_ns"] == [1500000000000000000]


def test_names_of_enums_are_accepted_with_a_warning():
    """Known names become numbers; unknown numbers stay (J-02)."""
    decoded = traces_json(body(PLAIN | {"kind": "SPAN_KIND_CLIENT"}, PLAIN | {"kind": 99}))
    assert decoded.columns["kind"] == [3, 99]
    assert decoded.warnings == {"enum_name": 1}


def test_snake_case_is_accepted_with_a_warning():
    """snake_case names are read, and counted (J-04)."""
    decoded = traces_json(body({"trace_id": TRACE.hex(), "span_id": SPAN.hex(), "start_time_unix_nano": 5}))
    assert decoded.columns["start_ns"] == [5]
    assert decoded.warnings == {"snake_case": 1}


def test_omitted_fields_are_defaults():
    """kind, status and times may be missing or null (J-08, J-14)."""
    got = row(traces_json(body(PLAIN | {"name": None, "attributes": None, "status": None})))
    assert (got["kind"], got["status_code"], got["start_ns"], got["name"]) == (0, 0, 0, "")


def test_links_of_a_wrong_form_are_flagged():
    """A link whose ids are byte arrays is set aside and the span stays (T-22)."""
    got = row(traces_json(body(PLAIN | {"links": [{"traceId": [1] * 16, "spanId": [1] * 8}]})))
    assert got["links"] == "[]"
    assert orjson.loads(got["beside"])[0]["kind"] == "bad_link"


def test_old_spans_are_not_ignored_in_silence():
    """InstrumentationLibrarySpans are counted as a warning (C-14)."""
    sent = {"resourceSpans": [{"instrumentationLibrarySpans": [{"spans": [PLAIN]}]}]}
    assert traces_json(orjson.dumps(sent)).warnings == {"instrumentation_library_spans": 1}


@pytest.mark.parametrize("resource", [5, {"attributes": {"a": 1}}, {"attributes": [{"key": 1}]}])
def test_a_bad_resource_is_the_requests_fault(resource: Any):
    """What is wrong above the spans refuses the request."""
    with pytest.raises(DecodeError, match="resource"):
        traces_json(orjson.dumps({"resourceSpans": [{"resource": resource}]}))


_NAMES = [
    *("resourceSpans", "scopeSpans", "spans", "traceId", "spanId", "parentSpanId", "kind", "status", "code"),
    *("attributes", "key", "value", "stringValue", "intValue", "arrayValue", "values", "kvlistValue", "events"),
    *("links", "resource", "scope", "logRecords", "body"),
]
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(_NAMES),
            inner,
            max_size=4,
        )
    ),
)


@given(st.dictionaries(st.sampled_from(["resourceSpans", "resourceLogs"]), _ANY), _ANY)
def test_any_json_is_read_or_refused(sent: Any, extra: Any):
    """No JSON raises anything but DecodeError."""
    for read in (traces_json, logs_json):
        try:
            read(json.dumps(sent).encode())
        except DecodeError:
            continue
    traces_json(body(extra, PLAIN | extra if isinstance(extra, dict) else PLAIN))
