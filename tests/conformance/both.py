"""C: what holds on both transports."""

import gzip
from concurrent.futures import ThreadPoolExecutor

import grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans

from tests.conformance.answer import full, partial, refused, success
from tests.conformance.bodies import MIB, bomb, field, good, spans, trace, with_one_bad
from tests.conformance.item import BOTH, GRPC, HTTP, Way, item, need
from tests.conformance.target import Target
from tests.decode.samples import request

LARGE = 160 * MIB
"""What the client itself must pack for gRPC; over HTTP the bomb is 2 GiB and costs it nothing."""

SECRET = "sk-conformance-9f8e7d"


@item("C-01", "MUST")
def plain_and_gzip(at: Target, way: Way) -> None:
    """Bodies are taken plain and as gzip."""
    of = trace()
    full(at.send(way, good(of)))
    packed = at.body(way, good(of, 2))
    if way == "grpc":
        full(at.call(packed, compression=grpc.Compression.Gzip))
    else:
        full(at.post(gzip.compress(packed), {"Content-Encoding": "gzip"}, way=way))
    at.holds(of, 2)


@item("C-02", "SHOULD")
def nothing_is_a_success(at: Target, way: Way) -> None:
    """A request without spans, at whatever level it is empty, is a full success."""
    empty = [
        ExportTraceServiceRequest(),
        ExportTraceServiceRequest(resource_spans=[ResourceSpans()]),
        ExportTraceServiceRequest(resource_spans=[ResourceSpans(scope_spans=[ScopeSpans()])]),
    ]
    for sent in [*(at.body(way, each) for each in empty), *([b'{"resourceSpans":[]}'] if way == "json" else [])]:
        full(at.send(way, sent))


@item("C-03", "MUST")
def full_success_is_empty(at: Target, way: Way) -> None:
    """After full success the protobuf body has no bytes, and the JSON body is {}."""
    answer = at.send(way, good(trace()))
    full(answer)
    need(answer.body.strip() == (b"{}" if way == "json" else b""), f"the body is {answer.body[:40]!r}")


@item("C-04", "MUST")
def partial_success_counts(at: Target, way: Way) -> None:
    """Partial success tells exactly how many were refused, and why; all others are stored by then."""
    of = trace()
    message = partial(at.send(way, with_one_bad(of)), 1)
    need(len(message) > 10, f"the message tells nothing: {message}")
    at.holds(of, 9)


@item("C-05", "MAY")
def warnings_count_zero(at: Target, way: Way) -> None:
    """A warning is a message with a count of zero: a link whose ids are too short is set aside, its span stays."""
    of = trace()
    sent = good(of)
    sent.resource_spans[0].scope_spans[0].spans[0].links.add(trace_id=b"short", span_id=b"s" * 8)
    answer = at.send(way, sent)
    success(answer)
    at.holds(of, 1)
    need(answer.partial is not None and answer.partial[0] == 0 and answer.partial[1], "without a warning")


@item("C-06", "J")
def nothing_fit_is_an_error(at: Target, way: Way) -> None:
    """Where every span is refused the request is refused: most clients do not read partial_success."""
    refused(at.send(way, request(*spans(bytes(16), 3))))


@item("C-07", "J")
def neighbours_are_kept(at: Target, way: Way) -> None:
    """One bad span costs no other, whatever is wrong with it."""
    for wrong in ({"span_id": bytes(8)}, {"trace_id": b""}, {"span_id": b"12345"}):
        of = trace()
        partial(at.send(way, with_one_bad(of, 4, **wrong)), 1)
        at.holds(of, 4)


@item("C-08", "J")
def messages_hold_no_values(at: Target, way: Way) -> None:
    """Messages are at most 1 KiB and hold no attribute, id or text of an exception."""
    of = trace()
    bad = [s for n in range(40) for s in spans(of[:15] + bytes([n]), 1, name=SECRET, attributes={SECRET: SECRET})]
    for place, each in enumerate(bad):
        each.span_id = bytes(place % 7)
    for answer in (at.send(way, request(*bad, *spans(of, 1))), at.send(way, request(*bad))):
        text = answer.message or (answer.partial or (0, ""))[1]
        need(text, f"{answer.code} without a message")
        need(len(text.encode()) <= 1024, f"the message has {len(text.encode())} bytes")
        need(SECRET not in text and "Traceback" not in text, "the message holds what was sent, or a traceback")


@item("C-09", "MUST")
def sizes_are_limited(at: Target, way: Way) -> None:
    """A request is limited as sent and as inflated, while it comes: a bomb costs no memory."""
    before = at.inside.rss if at.inside else 0
    if way == "grpc":
        refused(at.call(bytes(LARGE), compression=grpc.Compression.Gzip), grpc="RESOURCE_EXHAUSTED")
    else:
        refused(at.post(bomb(2048 * MIB), {"Content-Encoding": "gzip"}, way=way), http=413)
    if at.inside:
        need(at.inside.rss < before + 120, f"memory went from {before} to {at.inside.rss} MiB")
    at.alive()


@item("C-10", "MUST", BOTH)
def answers_are_small(at: Target, way: Way) -> None:
    """Answers stay below 4 MiB, even to ten thousand bad spans."""
    of = trace()
    bad = [span for n in range(10_000) for span in spans(of, 1, name=str(n), parent_span_id=b"odd")]
    for each in bad[1:]:
        each.span_id = b"bad"
    answer = at.send(way, request(*bad))
    partial(answer, 9_999)
    need(len(answer.body) < 4096, f"the answer has {len(answer.body)} bytes")


@item("C-11", "J")
def stored_before_the_answer(at: Target, way: Way) -> None:
    """What is answered with success can be read at once by another process."""
    for _ in range(3):
        of = trace()
        full(at.send(way, good(of, 5)))
        need(len(at.rows(of)) == 5, "answered before it was stored")


@item("C-12", "SHOULD", BOTH)
def many_at_once(at: Target, way: Way) -> None:
    """Requests in flight at the same time are all answered, without one lock for the length of each commit."""
    traces = [trace() for _ in range(48)]
    with ThreadPoolExecutor(24) as pool:
        for answer in pool.map(lambda of: at.send(way, good(of)), traces):
            full(answer)
    if at.inside:
        commits = {row["commit_seq"] for of in traces for row in at.rows(of)}
        need(len(commits) < len(traces), "each request had a commit of its own")


@item("C-13", "J")
def repeats_change_nothing(at: Target, way: Way) -> None:
    """A request sent again, as after a lost answer, and sixteen times at once, leaves each span once."""
    of = trace()
    sent = good(of, 5)
    full(at.send(way, sent))
    full(at.send(way, sent))
    with ThreadPoolExecutor(16) as pool:
        for answer in pool.map(lambda _: at.send(way, sent), range(16)):
            full(answer)
    need(len(at.rows(of)) == 5, f"{len(at.rows(of))} rows of 5 spans")


@item("C-14", "J", BOTH)
def old_spans_are_told(at: Target, way: Way) -> None:
    """InstrumentationLibrarySpans (before OTLP 0.15) are not ignored in silence: success with a warning."""
    of = trace()
    old = field(1, field(1000, field(2, spans(of)[0].SerializeToString())))
    need(partial(at.send(way, old), 0), "without a warning")


@item("C-15", "MAY", (*HTTP, *GRPC))
def profiles(at: Target, way: Way) -> None:
    """Profiles are served, or refused for good: 404 or UNIMPLEMENTED, never a success that keeps nothing."""
    if way == "grpc":
        answer = at.call(b"", "opentelemetry.proto.collector.profiles.v1development.ProfilesService")
        need(answer.code in {"UNIMPLEMENTED", "OK"}, f"answered {answer.said}")
    else:
        answer = at.post(b"{}" if way == "json" else b"", way=way, path="/v1development/profiles")
        need(answer.code in {404, 200}, f"answered {answer.said}")
