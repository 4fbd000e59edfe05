"""The patient message classes."""

from google.protobuf.internal import api_implementation

from collector.decode.shadow import LogsRequest, TracesRequest
from tests.decode.samples import request, span


def test_upb_is_there():
    """The quick implementation of protobuf is the one in use (X-07)."""
    assert api_implementation.Type() == "upb"


def test_strings_that_are_not_utf8_come_as_bytes():
    """A limitation pinned: if upb changes this, `shadow` must declare its strings as bytes and decode them itself."""
    body = request(span(name="MARK")).SerializeToString().replace(b"MARK", b"\xff\xfe\xff\xfe")
    found = TracesRequest.FromString(body).resource_spans[0].scope_spans[0].spans[0]
    assert found.name == b"\xff\xfe\xff\xfe"


def test_unknown_numbers_of_enums_stay():
    """A span kind from the future is kept."""
    body = request(span(kind=5)).SerializeToString().replace(b"\x30\x05", b"\x30\x63")
    found = TracesRequest.FromString(body).resource_spans[0].scope_spans[0].spans[0]
    assert found.kind == 99


def test_both_signals_have_a_class():
    """Empty bodies are empty messages."""
    assert LogsRequest.FromString(b"") == LogsRequest()
