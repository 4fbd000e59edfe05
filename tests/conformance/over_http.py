"""H: OTLP/HTTP, from the route to the types."""

import gzip
import json
from collections.abc import Iterable

from tests.conformance.answer import TYPES, Answer, full, partial, put_off, refused, success
from tests.conformance.bodies import MIB, bomb, good, trace, with_one_bad
from tests.conformance.item import HTTP, ONE_HTTP, Unseen, Way, item, need
from tests.conformance.pressure import SMALL, crowded
from tests.conformance.target import METRICS, Target
from tests.decode.samples import request


@item("H-01", "MUST", HTTP)
def post_to_v1_traces(at: Target, way: Way) -> None:
    """POST /v1/traces over HTTP/1.1 takes a request."""
    of = trace()
    full(at.send(way, good(of)))
    at.holds(of, 1)


@item("H-02", "SHOULD", HTTP)
def types_in_any_case(at: Target, way: Way) -> None:
    """Protobuf and JSON on one port, by Content-Type in any case and with parameters."""
    for kind in (TYPES[way].upper(), TYPES[way] + "; charset=utf-8", TYPES[way] + ";a=b"):
        full(at.post(at.body(way, good(trace())), {"Content-Type": kind}, way=way))


@item("H-03", "MUST", HTTP)
def the_answer_has_the_requests_type(at: Target, way: Way) -> None:
    """Success, partial success and refusal have the request's Content-Type, whatever Accept says."""
    for sent in (good(trace()), with_one_bad(trace()), None):
        body = at.body(way, sent) if sent else b"\xff"
        for accept in ("", "application/json", "application/x-protobuf", "text/html"):
            answer = at.post(body, {"Accept": accept}, way=way)
            kind = answer.headers.get("content-type", "").partition(";")[0]
            need(kind == TYPES[way], f"{answer.code} has the type {kind or 'none'}")


@item("H-04", "MUST", HTTP)
def success_is_200(at: Target, way: Way) -> None:
    """Success, full or partial, is 200: no 201, 202 or 204."""
    for sent in (good(trace()), request(), with_one_bad(trace())):
        answer = at.send(way, sent)
        need(answer.code == 200, f"answered {answer.said}")


@item("H-05", "MUST", HTTP)
def errors_are_a_status(at: Target, way: Way) -> None:
    """Every error's body is a google.rpc.Status with a message, in the request's form."""
    for answer in (
        at.post(b"\xff" * 10, way=way),
        at.post(b"", way=way, path="/v1/nothing"),
        at.post(b"", way=way, method="PUT"),
        at.post(b"", {"Content-Encoding": "br"}, way=way),
        at.post(b"x" * 65 * MIB, way=way),
    ):
        need(isinstance(answer.code, int) and answer.code >= 400, f"answered {answer.said}")
        need(answer.status is not None, f"the body of {answer.code} is no Status: {answer.body[:60]!r}")
        need(answer.message, f"{answer.code} without a message")


@item("H-06", "MUST", HTTP)
def what_cannot_be_read_is_400(at: Target, way: Way) -> None:
    """Undecodable bodies are 400, with BadRequest."""
    whole = at.body(way, good(trace()))
    for body in (b"\xff" * 10, b"<html>", whole[:-2]):
        answer = at.post(body, way=way)
        refused(answer)
        need(answer.has_detail("BadRequest"), "without BadRequest")


@item("H-07", "SHOULD", HTTP)
def too_large_is_413(at: Target, way: Way) -> None:
    """Over-size is 413, as sent and as inflated, and no client sends it again."""
    refused(at.post(b"x" * 65 * MIB, way=way), http=413)
    refused(at.post(bomb(300 * MIB), {"Content-Encoding": "gzip"}, way=way), http=413)


@item("H-08", "MUST", HTTP)
def passing_faults_are_retryable(at: Target, way: Way) -> None:
    """While there is no room the status is one that clients send again (429, 502, 503, 504)."""
    with crowded(at) as (busy, _):
        put_off(busy.send(way, good(trace())))


@item("H-09", "MAY", HTTP)
def retry_after(at: Target, way: Way) -> None:
    """Retry-After is in whole seconds, 1 to 3: clients give up after 10 in all."""
    with crowded(at) as (busy, _):
        answer = busy.send(way, good(trace()))
    seconds = answer.headers.get("retry-after", "")
    need(seconds.isdecimal() and 1 <= int(seconds) <= 3, f"Retry-After: {seconds or 'none'}")


@item("H-10", "MUST", HTTP)
def wrong_routes(at: Target, way: Way) -> None:
    """A wrong method is 405 with Allow, an unknown path 404; nothing redirects or shows a page."""
    for method in ("GET", "PUT", "DELETE"):
        answer = at.post(b"", way=way, method=method)
        need(answer.code == 405, f"answered {answer.said} to {method}")
        need("POST" in answer.headers.get("allow", ""), "405 without Allow: POST")
    for path in ("/", "/v1/traces/v1/traces", "/v1/nothing", "/V1/traces", "//v1/traces"):
        refused(at.post(b"", way=way, path=path), http=404)
    slash = at.post(at.body(way, good(trace())), way=way, path="/v1/traces/")
    need(slash.code in {200, 404}, f"answered {slash.said} to a trailing slash: a client takes 3xx for success")


@item("H-11", "SHOULD", ONE_HTTP)
def unknown_types(at: Target, _way: Way) -> None:
    """A missing or unknown Content-Type is 415."""
    for kind in ("", "text/plain", "text/json", "application/x-www-form-urlencoded", "application/octet-stream"):
        answer = at.post(b"", {"Content-Type": kind})
        need(answer.code == 415, f"answered {answer.said} to {kind or 'no type'}")


@item("H-12", "SHOULD", HTTP)
def unknown_encodings(at: Target, way: Way) -> None:
    """Gzip in any case, identity and nothing are taken; others are 415 and told what is accepted."""
    body = at.body(way, good(trace()))
    for name in ("GZIP", " gzip ", "identity", ""):
        packed = gzip.compress(body) if name.strip().lower() == "gzip" else body
        full(at.post(packed, {"Content-Encoding": name}, way=way))
    for name in ("br", "zstd", "gzip, gzip", "gzip, br"):
        answer = at.post(body, {"Content-Encoding": name}, way=way)
        refused(answer, http=415)
        need("gzip" in answer.headers.get("accept-encoding", ""), "415 without Accept-Encoding: gzip")


@item("H-13", "MUST", HTTP)
def edges_of_gzip(at: Target, way: Way) -> None:
    """Several members are one body; cut, damaged, trailed, missing and undeclared gzip is 400; a ratio above 100 is 413."""
    of = trace()
    body = at.body(way, good(of, 3))
    packed = gzip.compress(body, mtime=0)
    full(at.post(gzip.compress(body[:40]) + gzip.compress(body[40:]), {"Content-Encoding": "gzip"}, way=way))
    at.holds(of, 3)
    damaged = packed[:-8] + b"\0" * 8
    for wrong in (packed[:-1], packed[: len(packed) // 2], damaged, packed + b"trailing", body):
        refused(at.post(wrong, {"Content-Encoding": "gzip"}, way=way))
    undeclared = at.post(packed, way=way)
    refused(undeclared)
    need("gzip" in undeclared.message, "undeclared gzip, without a hint")
    refused(at.post(bomb(32 * MIB), {"Content-Encoding": "gzip"}, way=way), http=413)


@item("H-15", "MAY", HTTP)
def packed_answers(at: Target, way: Way) -> None:
    """Where Accept-Encoding allows gzip the answer is plain, or gzip and says so."""
    answer = at.post(at.body(way, with_one_bad(trace())), {"Accept-Encoding": "gzip"}, way=way)
    packed = answer.headers.get("content-encoding", "")
    need(packed in {"", "gzip"}, f"Content-Encoding: {packed}")
    if packed != "gzip":
        partial(answer, 1)


@item("H-17", "J", ONE_HTTP)
def no_cors_unless_asked(at: Target, _way: Way) -> None:
    """Unless it was turned on no browser's page may send: no Access-Control headers."""
    origin = {"Origin": "https://attacker.example", "Access-Control-Request-Method": "POST"}
    for answer in (at.post(b"", origin, method="OPTIONS"), at.post(b"", origin)):
        told = [name for name in answer.headers if name.startswith("access-control-allow")]
        need(not told, f"answered with {told}")


@item("H-18", "J", ("http", "json", "grpc"))
def logs_and_metrics(at: Target, way: Way) -> None:
    """Logs are served. Metrics are accepted, or, where one says so, 404 and UNIMPLEMENTED."""
    if way == "grpc":
        success(at.call(b"", METRICS))
        with at.one_more(**SMALL) as other:
            answer = other.call(b"", METRICS)
            need(answer.code == "UNIMPLEMENTED", f"answered {answer.said}")
        return
    empty = b"{}" if way == "json" else b""
    for path in ("/v1/logs", "/v1/metrics"):
        success(at.post(empty, way=way, path=path))
    of = trace()
    record = {"traceId": of.hex(), "spanId": "11" * 8, "body": {"stringValue": "hello"}}
    log = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}
    success(at.post(json.dumps(log).encode(), way="json", path="/v1/logs"))
    if at.inside:
        need([row["body"] for row in at.rows(of, "logs")] == ["hello"], "the log record is not stored")
    with at.one_more(**SMALL) as other:
        refused(other.post(empty, way=way, path="/v1/metrics"), http=404)


@item("H-19", "J", ONE_HTTP)
def health(at: Target, _way: Way) -> None:
    """/healthz and /readyz answer 200; without room /readyz is 503, /healthz is not; nothing tells a version or a path."""
    found = [at.post(b"", {"Content-Type": ""}, method="GET", path=path) for path in ("/healthz", "/readyz")]
    if any(answer.code == 404 for answer in found):
        raise Unseen("there is no /healthz or /readyz")
    need([answer.code for answer in found] == [200, 200], f"answered {[answer.code for answer in found]}")
    with crowded(at) as (busy, _):
        found += (live := busy.post(b"", {"Content-Type": ""}, method="GET", path="/healthz"), not_ready(busy))
        need(live.code == 200, f"/healthz answers {live.said}")
        need(found[-1].code == 503, f"/readyz answers {found[-1].code} while requests are refused")
    quiet(answer.body for answer in found)


def not_ready(busy: Target) -> Answer:
    """What /readyz says."""
    return busy.post(b"", {"Content-Type": ""}, method="GET", path="/readyz")


def quiet(bodies: Iterable[bytes]) -> None:
    """None tells a version or a path."""
    for body in bodies:
        need(not any(sign in body for sign in (b"/", b"0.", b"Traceback")), f"it tells {body[:60]!r}")
