"""Reading by column gives what reading one by one gives: on valid requests, on spoilt ones, and on what frameworks sent."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from collector.decode import traces_protobuf
from collector.decode.batch import Share, one_by_one
from collector.decode.columnar import reader
from tests.captures import FOLDER
from tests.decode.columnar.compare import assert_same, by_column, rows
from tests.decode.samples import SPAN, TRACE, TRACES_REQUESTS, any_value, pairs, request, span
from tests.fuzz import mutate

GOOD = request(span(attributes={"a": "b"}))
LONG = {"gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"a\\nb \\"c\\" \\\\"}]}]'}
ODD = {
    "bytes": span(attributes={"a": b"\xff"}),
    "not finite": span(attributes={"a": float("nan")}),
    "one key twice": Span(trace_id=TRACE, span_id=SPAN, attributes=[*pairs({"a": 1}), *pairs({"a": 2})]),
    "a zero trace id": span(trace_id=bytes(16)),
    "a short trace id": span(trace_id=b"short"),
    "a zero span id": span(span_id=bytes(8)),
    "hex text as an id": span(trace_id=TRACE.hex().encode()),
    "a short parent": span(parent_span_id=b"x"),
    "a zero parent": span(parent_span_id=bytes(8)),
    "an empty value": span(attributes={"a": None}),
    "no attributes": span(),
    "an event with bytes": span(events=[Span.Event(name="e", attributes=pairs({"a": b"x"}))]),
    "a link with a wrong id": span(links=[Span.Link(trace_id=b"x", span_id=SPAN)]),
    "a status": span(status=Status(code=Status.STATUS_CODE_ERROR, message="it broke")),
    "deep": span(attributes={"a": [[[{"b": [1, "x", None, True, 1.5]}]]]}),
    "an empty list and an empty object": span(attributes={"a": [], "b": {}, "c": [[]], "d": {"": {}}}),
    "whole doubles": span(attributes={"gen_ai.usage.input_tokens": 7.0, "gen_ai.usage.cost": 2**53 + 1}),
    "numbers for texts": span(attributes={"agent.name": True, "agent_name": "x", "gen_ai.request.model": 1.5}),
    "a list for a text": span(attributes={"gen_ai.agent.name": ["x"], "agent.name": "y"}),
    "control characters": span(
        name="\0\x1f\x7f\u2028", attributes={"\n\0": "\0\x01\b\t\n\f\r\x1f\x7f\u2028é\U0001f600"}
    ),
    "after 2262": span(start_time_unix_nano=2**64 - 1, end_time_unix_nano=2**63),
    "an end before the start": span(start_time_unix_nano=9, end_time_unix_nano=5),
}


@given(st.lists(TRACES_REQUESTS.map(lambda each: each.SerializeToString()), max_size=4))
@example([])
@example([b"", GOOD.SerializeToString(), b""])
def test_all_that_is_valid_is_read_alike(bodies: list[bytes]):
    """Of whatever requests together: the same rows, hashes, owners, sizes, refusals and warnings; nothing is declined."""
    assert assert_same(bodies)


def with_attribute(raw: bytes) -> bytes:
    """A request with one span that has this attribute, whose bytes no class of protobuf would write."""
    body = span().SerializeToString() + b"\x4a" + bytes([len(raw)]) + raw
    for tag in (b"\x12", b"\x12", b"\x0a"):
        body = tag + bytes([len(body)]) + body
    return body


def test_of_a_text_that_is_set_twice_the_last_counts():
    """Where the first is not UTF-8 nothing was repaired, and nobody is told so."""
    twice = b"\x0a\x01a\x12\x06\x0a\x01\xff\x0a\x01b"  # found by coverage-guided fuzzing
    body = with_attribute(twice)
    assert assert_same([body])
    assert one_by_one(traces_protobuf, [body]).shares == [Share(1, {}, {})]


def test_a_group_in_an_attribute_is_passed_over():
    """A field that OTLP does not know costs the span nothing, of whatever type it is."""
    pair = b"\x73\x74" + pairs({"a": "b"})[0].SerializeToString()  # found by coverage-guided fuzzing
    body = with_attribute(pair)
    assert assert_same([body])
    assert one_by_one(traces_protobuf, [body]).decoded.columns["attributes"] == ['{"a":"b"}']


@pytest.mark.parametrize("held", ODD.values(), ids=ODD)
def test_what_is_odd_is_read_alike(held: Span):
    """An odd span among plain ones costs these nothing and becomes what it would be by itself."""
    whole = request(span(attributes=LONG), held, span(span_id=b"neighbor")).SerializeToString()
    assert assert_same([GOOD.SerializeToString(), whole, whole])


@pytest.mark.parametrize("seed", range(8))
def test_what_is_spoilt_is_read_alike_or_declined(seed: int):
    """Bodies that were spoilt on the way: what is read by column is what one by one gives, and some of them are read."""
    bodies = [mutate.mutated(Random(f"columns-{seed}-{number}")) for number in range(250)]
    taken = [assert_same([b.raw]) for b in bodies if (b.signal, b.form, b.gzipped) == ("traces", "protobuf", False)]
    assert any(taken)
    assert not all(taken)


def test_what_frameworks_sent_is_read_alike():
    """Every request of every capture, eight at a time."""
    bodies = [path.read_bytes() for path in sorted(FOLDER.rglob("*.pb")) if "." not in path.stem]
    assert len(bodies) > 200
    for first in range(0, len(bodies), 8):
        assert assert_same(bodies[first : first + 8])


def test_letters_that_are_not_utf8_cost_their_spans_the_short_way():
    """In a name, a key, a value, a state or a status: the bytes stay beside, and other spans are read by column (S-11)."""
    fields = {
        "name": span(name="XX"),
        "key": span(attributes={"XX": 1}),
        "value": span(attributes={"a": "XX"}),
        "trace_state": span(trace_state="XX"),
        "status": span(status=Status(message="XX")),
    }
    for held in fields.values():
        body = request(span(), held).SerializeToString().replace(b"XX", b"\xe4\xbd")
        assert assert_same([body])
        found = by_column([body])
        assert found is not None
        assert (found.decoded.by_column, found.decoded.rows) == (1, 2)


def test_a_resource_that_is_not_utf8_is_noted_on_all_of_its_spans():
    """The rows are the same; all of them are read one by one."""
    body = request(span(), span(span_id=b"neighbor"), resource={"a": "XX"}).SerializeToString()
    assert assert_same([body.replace(b"XX", b"\xe4\xbd"), GOOD.SerializeToString()])


def test_of_two_kinds_in_one_value_the_last_counts():
    """A value that is sent as a number and as a text is what came last, by column too."""
    both = any_value(7).SerializeToString() + any_value("x").SerializeToString()
    for value in (both, any_value("x").SerializeToString() + any_value(7).SerializeToString()):
        pair = b"\x0a\x01a\x12" + bytes([len(value)]) + value
        held = span().SerializeToString() + b"\x4a" + bytes([len(pair)]) + pair
        spans = b"\x12" + bytes([len(held)]) + held
        scopes = b"\x12" + bytes([len(spans)]) + spans
        assert assert_same([b"\x0a" + bytes([len(scopes)]) + scopes])


def test_a_resource_in_two_pieces_is_one():
    """Pieces of one message, wherever they stand, are that message (protobuf, Encoding)."""
    one, other = (request(resource={key: key}).resource_spans[0].SerializeToString() for key in ("a", "b"))
    both = one + other
    body = b"\x0a" + bytes([len(both)]) + both
    assert assert_same([body])
    whole = GOOD.resource_spans[0].SerializeToString() + other
    assert assert_same([b"\x0a" + (len(whole) & 127 | 128).to_bytes(1, "big") + bytes([len(whole) >> 7]) + whole])


def test_old_spans_are_counted_by_request():
    """Spans in the field of OTLP 0.14 warn the request that holds them (C-14)."""
    old = b"\xc2\x3e\x02\x12\x00"
    assert assert_same([GOOD.SerializeToString(), b"\x0a" + bytes([len(old)]) + old])


def test_what_is_corrupt_is_declined():
    """A cut body, a wrong length, and a resource that cannot be parsed are left to be read one by one."""
    whole = GOOD.SerializeToString()
    for body in (whole[:-1], b"\xff", b"{}", b"\x0a\x04\x0a\x02\x0a\x7f"):
        assert by_column([whole, body]) is None


def test_a_small_body_cannot_ask_for_any_amount_of_memory(monkeypatch: pytest.MonkeyPatch):
    """A resource that is repeated in too many rows is declined before it is repeated."""
    monkeypatch.setattr(reader, "LARGEST", 10_000)
    body = request(*(span() for _ in range(20)), resource={"a": "x" * 1000}).SerializeToString()
    assert by_column([body]) is None
    assert by_column([GOOD.SerializeToString()]) is not None


def test_rows_say_whose_they_are():
    """The rows of the second request are its own, the odd one among them."""
    found = by_column([GOOD.SerializeToString(), b"", request(span(), ODD["bytes"]).SerializeToString()])
    assert found is not None
    assert [owner for owner, *_ in rows(found.decoded)] == [0, 2, 2]
