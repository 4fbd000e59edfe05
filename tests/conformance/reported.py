"""T-01 to T-17: faults that other receivers were reported for, as far as they can be seen on the wire."""

import json
import time

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs

from tests.conformance.answer import TYPES, full, partial, put_off, refused, success
from tests.conformance.bodies import MIB, bomb, field, good, spans, trace, with_one_bad
from tests.conformance.in_json import one, rejected, sent
from tests.conformance.item import BOTH, HTTP, JSON, ONE_HTTP, Way, item, need
from tests.conformance.pressure import crowded
from tests.conformance.target import Target
from tests.decode.samples import any_value, request, span

HOUR = 3600 * 10**9


@item("T-01", "J")
def a_retry_with_new_spans(at: Target, way: Way) -> None:
    """The same five spans twice, then one of them with four new ones: nine spans, none lost."""
    of = trace()
    nine = spans(of, 9)
    for part in (nine[:5], nine[:5], nine[4:]):
        full(at.send(way, request(*part)))
    at.holds(of, 9)


@item("T-02", "MUST", HTTP)
def types_of_answers(at: Target, way: Way) -> None:
    """A protobuf request gets a protobuf answer, which can be read."""
    answer = at.send(way, good(trace()))
    full(answer)
    need(answer.headers["content-type"].startswith(TYPES[way]), "another type")


@item("T-03", "J", BOTH)
def logs_where_traces_belong(at: Target, way: Way) -> None:
    """A logs request sent to traces is refused, with a hint."""
    record = LogRecord(time_unix_nano=1, observed_time_unix_nano=2, body=any_value("a log"), severity_text="INFO")
    logs = ExportLogsServiceRequest(resource_logs=[ResourceLogs(scope_logs=[ScopeLogs(log_records=[record] * 3)])])
    answer = at.send(way, logs.SerializeToString())
    refused(answer)
    need("logs" in answer.message.lower(), f"without a hint: {answer.message[:80]}")


@item("T-04", "MUST")
def one_without_ids(at: Target, way: Way) -> None:
    """Of 512 spans one has no ids: 511 are stored; a key without a value is no fault."""
    of = trace()
    whole = with_one_bad(of, 511, trace_id=b"", span_id=b"")
    whole.resource_spans[0].scope_spans[0].spans[3].attributes.add(key="no value")
    partial(at.send(way, whole), 1)
    at.holds(of, 511)


@item("T-05", "MUST", HTTP)
def a_zip_bomb(at: Target, way: Way) -> None:
    """600 MB of zeros as gzip are 413, and cost no memory."""
    before = at.inside.rss if at.inside else 0
    refused(at.post(bomb(600 * MIB), {"Content-Encoding": "gzip"}, way=way), http=413)
    if at.inside:
        need(at.inside.rss < before + 160, f"memory went from {before} to {at.inside.rss} MiB")


@item("T-06", "MUST", JSON)
def no_kind(at: Target, _way: Way) -> None:
    """A JSON span without kind is stored, with kind 0."""
    of = trace()
    full(at.send("json", sent(one(of, kind=None))))
    if at.inside:
        need(at.rows(of)[0]["kind"] == 0, "another kind")


@item("T-07", "MUST", HTTP)
def no_page_swallows_spans(at: Target, way: Way) -> None:
    """POST to / or to a doubled path is 404 with a Status, never 200 or a redirect."""
    for path in ("/v1/traces/v1/logs", "/"):
        refused(at.post(at.body(way, good(trace())), way=way, path=path), http=404)


@item("T-08", "MUST")
def old_spans(at: Target, way: Way) -> None:
    """Spans of the last week are stored, or refused by count; never dropped in silence."""
    of, now = trace(), time.time_ns()
    week = [span(trace_id=of, span_id=bytes(7) + bytes([n + 1]), start_time_unix_nano=now - hours * HOUR)
            for n, hours in enumerate((0, 1, 12, 25, 72, 168))]  # fmt: skip
    answer = at.send(way, request(*week))
    success(answer)
    at.holds(of, 6 - (answer.partial or (0, ""))[0])


@item("T-09", "MUST")
def a_span_id_of_zeros(at: Target, way: Way) -> None:
    """Nine good spans and one of zeros: nine stored, one refused."""
    of = trace()
    partial(at.send(way, with_one_bad(of, 9, span_id=bytes(8))), 1)
    at.holds(of, 9)


@item("T-10", "SHOULD")
def too_large(at: Target, way: Way) -> None:
    """Over-size is 413 or RESOURCE_EXHAUSTED, not 429, and not to be sent again."""
    refused(at.send(way, bytes(65 * MIB)), http=413, grpc="RESOURCE_EXHAUSTED")


@item("T-11", "MUST")
def a_passing_fault(at: Target, way: Way) -> None:
    """While it cannot take more the endpoint says when to come again: Retry-After or RetryInfo; not 500."""
    with crowded(at) as (busy, _):
        answer = busy.send(way, good(trace()))
    put_off(answer)
    need(answer.has_detail("RetryInfo") if way == "grpc" else "retry-after" in answer.headers, "without a time")


@item("T-12", "MUST", JSON)
def old_json(at: Target, _way: Way) -> None:
    """base64 ids are never read as hex; instrumentationLibrarySpans are told."""
    rejected(at, one(trace(), traceId="cgXI6uihz643E6Zqq7Nl4w=="), trace())
    old = {"resourceSpans": [{"instrumentationLibrarySpans": [{"spans": [one(trace())]}]}]}
    need(partial(at.send("json", json.dumps(old).encode()), 0), "without a warning")


@item("T-13", "SHOULD", JSON)
def a_charset(at: Target, _way: Way) -> None:
    """application/json;charset=utf-8 is JSON."""
    full(at.post(sent(one(trace())), {"Content-Type": "application/json;charset=utf-8"}, way="json"))


@item("T-14", "MUST", BOTH)
def unpacked_and_unknown(at: Target, way: Way) -> None:
    """Repeated numbers in an unknown field, packed or not, and fields in any order, are read over."""
    of = trace()
    packed, unpacked = field(600, b"\1\2\3"), b"".join(b"\xc0\x25" + bytes([n]) for n in (1, 2, 3))
    body = field(2, packed + unpacked + spans(of)[0].SerializeToString() + unpacked)
    full(at.send(way, unpacked + field(1, packed + field(2, body))))
    at.holds(of, 1)


@item("T-15", "MUST")
def successes_can_be_read(at: Target, way: Way) -> None:
    """The body of every success can be read."""
    for whole in (good(trace()), with_one_bad(trace()), request()):
        success(at.send(way, whole))


@item("T-17", "J", ONE_HTTP)
def a_lost_answer(at: Target, way: Way) -> None:
    """The connection breaks after the commit and before the answer; the client sends again: one copy."""
    of = trace()
    body = at.body(way, good(of, 3))
    with at.raw() as raw:
        raw.sendall(at.head(f"Content-Length: {len(body)}") + body)
        raw.recv(1)  # the answer is on its way, so that all is stored
    full(at.send(way, body))
    at.holds(of, 3)
