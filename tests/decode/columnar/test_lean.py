"""OTLP without recursion: on the wire it is OTLP."""

from typing import Any

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from collector.decode.columnar import lean
from tests.decode.samples import request, span

HELD = span(attributes={"a": [1], "b": "x"}, events=[Span.Event(name="e")], kind=77, flags=769)


def spans_of(body: bytes) -> list[dict[str, Any]]:
    """The spans of a request."""
    scopes = lean.requests([body]).flatten().field("scope_spans").flatten()
    return lean.spans(scopes.field("spans").flatten()).to_pylist()


def test_messages_come_as_their_bytes_where_they_are_rare():
    """Spans, resources and scopes are what was sent, and so are events and lists in a span."""
    sent = request(HELD)
    found = lean.requests([sent.SerializeToString()]).to_pylist()[0][0]
    assert found["resource"] == [sent.resource_spans[0].resource.SerializeToString()]
    scope = found["scope_spans"][0]
    assert scope["scope"] == [sent.resource_spans[0].scope_spans[0].scope.SerializeToString()]
    assert scope["spans"] == [HELD.SerializeToString()]
    (held,) = spans_of(sent.SerializeToString())
    assert held["events"] == [HELD.events[0].SerializeToString()]
    assert held["attributes"][0]["value"]["array_value"] == HELD.attributes[0].value.array_value.SerializeToString()


def test_numbers_of_enums_stay():
    """A kind that OTLP does not know is its number."""
    assert [held["kind"] for held in spans_of(request(HELD).SerializeToString())] == [77]


@pytest.mark.parametrize("body", [b"\xff", b"\x0a\x05ab", b"{}"])
def test_what_is_no_protobuf_is_an_error(body: bytes):
    """An error of value, which the reader takes as a sign to look closer."""
    with pytest.raises(ValueError, match="decode"):
        lean.requests([body])
