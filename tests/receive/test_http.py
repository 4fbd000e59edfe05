"""OTLP/HTTP over real sockets, with a real store."""

import asyncio
import gzip
import http.client
import socket
from typing import Any

import orjson
import pytest
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from collector.receive.admission import ByteBudget
from collector.web.server import Limits
from tests.decode.samples import json_of, request, span
from tests.receive.collecting import Here, receiving

PROTOBUF, JSON = "application/x-protobuf", "application/json"
GOOD = request(span()).SerializeToString()


class Answer:
    """What came back."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status, self.body = answer.status, answer.read()
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self.type = self.headers["content-type"]


def _post(port: int, path: str, body: bytes, headers: dict[str, str], method: str = "POST") -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, body, headers)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def post(
    body: bytes = GOOD, kind: str | None = PROTOBUF, path: str = "/v1/traces", method: str = "POST", **options: Any
):
    """Send one request; the answer and how many spans were stored."""
    encoding = options.pop("encoding", None)
    headers = {"Content-Type": kind} if kind else {}
    headers |= {"Content-Encoding": encoding} if encoding is not None else {}

    async def talk() -> tuple[Answer, int]:
        async with receiving(**options) as here:
            answer = await asyncio.to_thread(_post, here.http, path, body, headers, method)
            return answer, _stored(here)

    return asyncio.run(talk())


def _stored(here: Here) -> int:
    return here.store.sql("SELECT count(*) AS n FROM spans")["n"][0].as_py()


@pytest.mark.parametrize("kind", [PROTOBUF, "Application/X-Protobuf", "application/x-protobuf; a=b"])
def test_protobuf_is_stored(kind: str | None):
    """Full success is 200 with an empty body of the request's type (H-02, H-03, H-04, C-03, T-02)."""
    answer, stored = post(kind=kind)
    assert (answer.status, answer.body, answer.type, stored) == (200, b"", PROTOBUF, 1)


@pytest.mark.parametrize("kind", [JSON, "application/json;charset=utf-8", "APPLICATION/JSON"])
def test_json_is_stored(kind: str | None):
    """Full success is 200 with `{}` (H-02, T-13)."""
    answer, stored = post(json_of(request(span())), kind)
    assert (answer.status, answer.body, answer.type, stored) == (200, b"{}", JSON, 1)


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", " gzip "])
@pytest.mark.parametrize("size", [1, 3000])
def test_gzip_is_inflated(encoding: str, size: int):
    """Bodies may be gzip, small and large (C-01, H-12, T-29)."""
    spans = [span(span_id=number.to_bytes(8, "big")) for number in range(1, size + 1)]
    answer, stored = post(gzip.compress(request(*spans).SerializeToString()), encoding=encoding)
    assert (answer.status, stored) == (200, size)


@pytest.mark.parametrize("encoding", ["", "identity"])
def test_no_encoding_is_no_encoding(encoding: str):
    """Identity and nothing mean the same (H-12)."""
    assert post(encoding=encoding)[0].status == 200


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip"])
def test_unknown_encodings_are_refused(encoding: str):
    """415, saying what is accepted (H-12)."""
    answer, _ = post(encoding=encoding)
    assert (answer.status, answer.headers["accept-encoding"], answer.type) == (415, "gzip", PROTOBUF)


@pytest.mark.parametrize("kind", [None, "text/plain", "text/json", "application/x-www-form-urlencoded"])
def test_unknown_types_are_refused(kind: str | None):
    """415 with a Status as JSON (H-05, H-11)."""
    answer, _ = post(kind=kind)
    assert (answer.status, answer.type) == (415, JSON)
    assert JSON in orjson.loads(answer.body)["message"]


@pytest.mark.parametrize("kind", [PROTOBUF, JSON])
@pytest.mark.parametrize("body", [b"\xff" * 10, b"[]", b"<html>", gzip.compress(GOOD, mtime=0)])
def test_what_cannot_be_decoded_is_refused(kind: str | None, body: bytes):
    """400 with a Status of the request's type (H-05, H-06, T-30)."""
    answer, stored = post(body, kind)
    assert (answer.status, answer.type, stored) == (400, kind, 0)
    message = Status.FromString(answer.body).message if kind == PROTOBUF else orjson.loads(answer.body)["message"]
    assert message


@pytest.mark.parametrize("body", [GOOD, gzip.compress(GOOD, mtime=0)[:-3], gzip.compress(GOOD, mtime=0) + b"x"])
def test_bad_gzip_is_refused(body: bytes):
    """Plain, truncated and trailed bodies under Content-Encoding: gzip are 400 (H-13)."""
    assert post(body, encoding="gzip")[0].status == 400


def test_a_bomb_is_too_large():
    """A body that inflates beyond the limit is 413 (T-05)."""
    answer, _ = post(gzip.compress(bytes(200 << 20)), encoding="gzip")
    assert answer.status == 413


def test_a_large_body_is_refused_before_it_is_read():
    """413 with a Status, and no Retry-After (H-07, T-10)."""
    answer, _ = post(b"x" * 3000, limits=Limits(body_bytes=2000))
    assert answer.status == 413
    assert "retry-after" not in answer.headers
    assert Status.FromString(answer.body).code == 8


@pytest.mark.parametrize(
    "path", ["/", "/v1/traces/v1/traces", "/v1/traces/v1/logs", "/V1/traces", "/v1development/profiles"]
)
def test_unknown_paths_are_refused(path: str):
    """404 with a Status, never a page or a redirect (H-10, T-07, C-15)."""
    answer, _ = post(path=path)
    assert answer.status == 404
    assert Status.FromString(answer.body).message


def test_a_trailing_slash_is_the_same_path():
    """No redirect: exporters take it for success (H-10)."""
    assert post(path="/v1/traces/")[1] == 1


@pytest.mark.parametrize("method", ["GET", "PUT", "OPTIONS", "DELETE"])
def test_other_methods_are_refused(method: str):
    """405 with Allow (H-10)."""
    answer, _ = post(method=method)
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("body", [b"", request().SerializeToString()])
def test_an_empty_request_is_a_success(body: bytes):
    """Nothing delivered is nothing stored, and 200 (C-02, T-37)."""
    assert [post(body)[0].status, post(body)[1]] == [200, 0]


def test_one_bad_span_is_refused_alone():
    """The others are stored, and the answer counts (C-04, C-07, T-04, T-09)."""
    spans = [span(span_id=number.to_bytes(8, "big")) for number in range(10)]
    answer, stored = post(request(*spans).SerializeToString())
    partial = ExportTraceServiceResponse.FromString(answer.body).partial_success
    assert (answer.status, partial.rejected_spans, stored) == (200, 1, 9)
    assert partial.error_message.startswith("1 of 10 spans rejected: span_id_zero=1")


def test_only_bad_spans_are_a_bad_request():
    """Where all are refused the answer is 400 (C-06)."""
    answer, _ = post(request(span(trace_id=b"")).SerializeToString())
    assert answer.status == 400


def test_the_same_span_twice_is_one_row():
    """Within one request too (T-27)."""
    assert post(request(span(), span()).SerializeToString())[1] == 1


@pytest.mark.parametrize(("kind", "body"), [(PROTOBUF, b""), (JSON, b"{}")])
def test_metrics_are_dropped_with_success(kind: str, body: bytes):
    """Whatever is sent to /v1/metrics is accepted and counted (H-18)."""

    async def talk() -> tuple[Answer, dict[str, int]]:
        async with receiving() as here:
            headers = {"Content-Type": kind}
            answer = await asyncio.to_thread(_post, here.http, "/v1/metrics", b"anything", headers)
            return answer, here.exporter.counts

    answer, counts = asyncio.run(talk())
    assert (answer.status, answer.body) == (200, body)
    assert counts == {"metrics": 1, "metrics_bytes": 8}


def test_logs_are_stored():
    """/v1/logs is a full endpoint (H-18)."""
    body = b'{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hi"}}]}]}]}'

    async def talk() -> list[str]:
        async with receiving() as here:
            await asyncio.to_thread(_post, here.http, "/v1/logs", body, {"Content-Type": JSON})
            return here.store.sql("SELECT body FROM logs")["body"].to_pylist()

    assert asyncio.run(talk()) == ['"hi"']


def test_health():
    """/healthz and /readyz answer without a version or a path (H-19)."""
    assert post(path="/healthz", method="GET")[0].body == b"ok\n"
    assert post(path="/readyz", method="GET")[0].body == b"ready\n"


def test_not_ready_says_why():
    """503 with one word: a probe sends no more, and nobody learns a path or a version (H-19)."""
    budget = ByteBudget(160)
    assert budget.take(159)
    answer, _ = post(b"", path="/readyz", method="GET", budget=budget)
    assert (answer.status, answer.body) == (503, b"not ready: queue_full\n")


def test_metrics_may_be_refused():
    """Then there is no such path, and the hint says how to stop them (H-18)."""
    answer, _ = post(path="/v1/metrics", metrics="refuse")
    assert answer.status == 404
    assert "OTEL_METRICS_EXPORTER" in Status.FromString(answer.body).message


def test_without_memory_requests_are_put_off():
    """503 with Retry-After in whole seconds and RetryInfo (H-08, H-09)."""

    async def talk() -> list[Answer]:
        budget = ByteBudget(1000)
        async with receiving(budget=budget) as here:
            assert budget.take(900)
            full = await asyncio.to_thread(_post, here.http, "/v1/traces", b"x" * 500, {"Content-Type": PROTOBUF})
            chunks = await asyncio.to_thread(_chunked, here.http, b"x" * 500)
            budget.give(900)
            free = await asyncio.to_thread(_post, here.http, "/v1/traces", GOOD, {"Content-Type": PROTOBUF})
            assert budget.taken == 0
            return [full, chunks, free]

    full, chunks, free = asyncio.run(talk())
    assert [full.status, chunks.status, free.status] == [503, 503, 200]
    assert 1 <= int(full.headers["retry-after"]) <= 3
    assert Status.FromString(full.body).details


def _chunked(port: int, body: bytes) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("POST", "/v1/traces", iter([body]), {"Content-Type": PROTOBUF}, encode_chunked=True)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def test_a_store_that_is_closed_puts_off():
    """Once the store drains, exports are answered with 503 and may come again (H-08, T-11)."""

    async def talk() -> Answer:
        async with receiving() as here:
            here.store.writer.close()
            return await asyncio.to_thread(_post, here.http, "/v1/traces", GOOD, {"Content-Type": PROTOBUF})

    answer = asyncio.run(talk())
    assert answer.status == 503
    assert "retry-after" in answer.headers


def test_who_shuts_down_its_side_is_answered():
    """A client that ends its direction with the request, and then waits, gets its answer after the commit (C-11)."""

    def ask(port: int) -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as raw:
            head = f"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: {PROTOBUF}\r\nContent-Length: {len(GOOD)}\r\n\r\n"
            raw.sendall(head.encode() + GOOD)
            raw.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: raw.recv(4096), b""))

    async def talk() -> tuple[bytes, int]:
        async with receiving() as here:
            answer = await asyncio.to_thread(ask, here.http)
            return answer, _stored(here)

    answer, stored = asyncio.run(talk())
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert stored == 1
