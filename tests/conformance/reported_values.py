"""T-19 to T-40: reported faults in what was made of values, ids and revisions."""

import gzip
from contextlib import suppress

from opentelemetry.proto.common.v1.common_pb2 import KeyValue

from tests.conformance.answer import full, partial, refused
from tests.conformance.bodies import MIB, field, good, nested, spans, trace, with_attribute, with_one_bad
from tests.conformance.in_json import one, sent
from tests.conformance.item import BOTH, HTTP, JSON, ONE_HTTP, Way, item, need
from tests.conformance.of_spans import stored
from tests.conformance.target import Target
from tests.decode.samples import any_value, request

CUT = field(1, b"cut") + field(2, field(1, b"half \xe4\xbd"))
NO_VALUE = KeyValue(key="k").SerializeToString()


@item("T-19", "J", BOTH)
def cut_within_a_letter(at: Target, way: Way) -> None:
    """A text cut in the middle of a letter costs nothing but that letter, and is told."""
    of = trace()
    partial(at.send(way, with_attribute(of, CUT)), 0)
    at.holds(of, 2)
    if at.inside:
        need(at.rows(of)[1]["attributes"]["cut"] == "half \ufffd", "not repaired")


@item("T-20", "MUST", JSON)
def an_empty_value(at: Target, _way: Way) -> None:
    """{"key": "k", "value": {}} is a null value."""
    of = trace()
    full(at.send("json", sent(one(of, attributes=[{"key": "k", "value": {}}]))))
    if at.inside:
        need(at.rows(of)[0]["attributes"] == {"k": None}, "not null")


@item("T-21", "MUST", BOTH)
def a_map_entry_without_value(at: Target, way: Way) -> None:
    """An entry of a map without a value is a null value."""
    of = trace()
    full(at.send(way, with_attribute(of, field(1, b"m") + field(2, field(6, field(1, NO_VALUE))))))
    if at.inside:
        need(at.rows(of)[1]["attributes"] == {"m": {"k": None}}, "not null")


@item("T-22", "J", JSON)
def link_ids_as_numbers(at: Target, _way: Way) -> None:
    """Ids of links as lists of numbers: the span stays, the link is set aside and told."""
    of = trace()
    link = {"traceId": list(of), "spanId": list(b"12345678")}
    partial(at.send("json", sent(one(of, links=[link]))), 0)
    at.holds(of, 1)


@item("T-23", "J", BOTH)
def hex_text_as_ids(at: Target, way: Way) -> None:
    """Ids of hex text in protobuf refuse their span, with a hint; the batch stays."""
    of = trace()
    text = with_one_bad(of, 4, trace_id=of.hex().encode(), span_id=b"0123456789abcdef")
    need("hex" in partial(at.send(way, text), 1), "without a hint")
    at.holds(of, 4)


@item("T-24", "J")
def an_end_before_the_start(at: Target, way: Way) -> None:
    """Raw times are kept, the duration is 0."""
    row = stored(at, way, spans(trace(), 1, start_time_unix_nano=9, end_time_unix_nano=3)[0])[0]
    need((row["start_ns"], row["end_ns"], row["duration_ns"]) == (9, 3, 0), "stored otherwise")


@item("T-25", "SHOULD", ONE_HTTP)
def an_endless_body(at: Target, _way: Way) -> None:
    """Chunks without end are 413 at the limit, and the connection closes."""
    piece, total, answer = b"100000\r\n" + bytes(MIB) + b"\r\n", 0, b""
    with at.raw() as raw:
        raw.sendall(at.head("Transfer-Encoding: chunked"))
        with suppress(ConnectionError, TimeoutError):
            while total < 256 * MIB:
                raw.sendall(piece)
                total += MIB
        with suppress(ConnectionError, TimeoutError):
            answer = raw.recv(64)
    need(total < 256 * MIB, "256 MiB were read")
    need(not answer or b" 413 " in answer, f"answered {answer[:40]!r}")
    at.alive()


@item("T-26", "J")
def two_revisions(at: Target, way: Way) -> None:
    """The same ids with another content: one span in view, and both contents kept."""
    of = trace()
    started, ended = spans(of, 1)[0], spans(of, 1, end_time_unix_nano=9, attributes={"answer": "yes"})[0]
    for each in (ended, started):
        full(at.send(way, request(each)))
    rows = at.rows(of)
    need([row["end_ns"] for row in rows] == [9], "the richer content is not the one in view")
    need(len(at.rows(of, "span_revisions")) == 2, "a revision is lost")


@item("T-27", "J")
def twice_in_one_request(at: Target, way: Way) -> None:
    """The same span twice in one request is one row."""
    of = trace()
    full(at.send(way, request(*spans(of) * 2)))
    at.holds(of, 1)


@item("T-28", "J")
def odd_values_among_many(at: Target, way: Way) -> None:
    """NUL, NaN and a megabyte of text among 500 spans: 500 stored."""
    of = trace()
    many = spans(of, 500)
    many[7].name = "a\0b"
    many[8].attributes.add(key="nan", value=any_value(float("nan")))
    many[9].attributes.add(key="long", value=any_value("x" * MIB))
    full(at.send(way, request(*many)))
    at.holds(of, 500)


@item("T-29", "MUST", HTTP)
def gzip_as_collectors_send_it(at: Target, way: Way) -> None:
    """Gzip, as the OpenTelemetry Collector sends by default, in both forms."""
    of = trace()
    full(at.post(gzip.compress(at.body(way, good(of, 5))), {"Content-Encoding": "gzip"}, way=way))
    at.holds(of, 5)


@item("T-30", "MUST")
def values_are_exact(at: Target, way: Way) -> None:
    """Lists, maps and bytes come out as they went in; what is malformed is refused with a Status."""
    exact = {"list": [1, "a", None], "map": {"a": {"b": [True]}}}
    row = stored(at, way, spans(trace(), 1, attributes=exact)[0])[0]
    need(row["attributes"] == exact, f"stored {row['attributes']}")
    refused(at.send(way, b"\xff\xff\xff"))


@item("T-37", "SHOULD")
def an_empty_request(at: Target, way: Way) -> None:
    """ExportTraceServiceRequest() is a success."""
    full(at.send(way, request()))


@item("T-38", "J", BOTH)
def nesting(at: Target, way: Way) -> None:
    """Values nested 49 and 5,000 deep cost at most their span; the endpoint lives."""
    for depth in (49, 5_000):
        of = trace()
        answer = at.send(way, with_attribute(of, field(1, b"deep") + field(2, nested(depth))))
        if answer.code in {200, "OK"}:
            at.holds(of, 2 - (answer.partial or (0, ""))[0])
        else:
            refused(answer)
    at.alive()


@item("T-39", "MUST")
def null_in_a_list(at: Target, way: Way) -> None:
    """[1, 2, null] keeps its order and its null."""
    row = stored(at, way, spans(trace(), 1, attributes={"x": [1, 2, None]})[0])[0]
    need(row["attributes"]["x"] == [1, 2, None], f"stored {row['attributes']}")


@item("T-40", "J")
def new_ids_are_new_spans(at: Target, way: Way) -> None:
    """A client that retries with new ids sends new spans: no endpoint can tell."""
    one_, two = trace(), trace()
    full(at.send(way, good(one_)))
    full(at.send(way, good(two)))
    at.holds(one_, 1)
    at.holds(two, 1)
