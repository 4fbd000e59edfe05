"""OTLP/gRPC over real channels, with a real store."""

import asyncio
import gzip
import socket
import time
from contextlib import suppress
from typing import Any, Literal

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from collector.answer.local import LocalStore
from collector.receive.admission import ByteBudget
from collector.receive.export import Exporter
from collector.receive.grpc import GrpcServer
from collector.receive.readiness import Readiness
from collector.web.messages import Limits
from tests.decode.samples import request, span
from tests.receive.collecting import receiving

TRACES = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
GOOD = request(span()).SerializeToString()


def call(
    body: bytes = GOOD,
    method: str = TRACES,
    *,
    budget: ByteBudget | None = None,
    metrics: Literal["drop", "refuse"] = "drop",
    close: bool = False,
    **options: Any,
):
    """One call: the answer or the error, and how many spans were stored."""

    async def talk() -> tuple[Any, int]:
        async with receiving(budget=budget, metrics=metrics) as here:
            if close:
                here.store.writer.close()
            async with grpc.aio.insecure_channel(f"127.0.0.1:{here.grpc}") as channel:
                try:
                    found: Any = await channel.unary_unary(method)(body, timeout=20, **options)
                except grpc.aio.AioRpcError as error:
                    found = error
            return found, here.store.sql("SELECT count(*) AS n FROM spans")["n"][0].as_py()

    return asyncio.run(talk())


def trailing(error: grpc.aio.AioRpcError) -> dict[str, bytes]:
    """The trailing metadata."""
    return {name: value for name, value in error.trailing_metadata() or () if isinstance(value, bytes)}


def test_spans_are_stored():
    """Full success is an empty message (G-01, C-03)."""
    assert call() == (b"", 1)


def test_gzip_is_inflated():
    """GRPC's own gzip works (C-01)."""
    assert call(compression=grpc.Compression.Gzip) == (b"", 1)


def test_an_empty_request_is_a_success():
    """No bytes are a valid message (C-02)."""
    assert call(b"") == (b"", 0)


@pytest.mark.parametrize("body", [b"\xff" * 10, b"<html></html>", GOOD[:-2], gzip.compress(GOOD, mtime=0)])
def test_what_cannot_be_decoded_is_refused(body: bytes):
    """INVALID_ARGUMENT with BadRequest, so that clients do not send it again (G-04)."""
    error, _ = call(body)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert Status.FromString(trailing(error)["grpc-status-details-bin"]).details[0].Unpack(BadRequest())


def test_one_bad_span_is_refused_alone():
    """The others are stored, and the answer counts (C-04, C-07)."""
    answer, stored = call(request(span(), span(span_id=b"")).SerializeToString())
    assert ExportTraceServiceResponse.FromString(answer).partial_success.rejected_spans == 1
    assert stored == 1


def test_only_bad_spans_are_refused():
    """Where all are refused the answer is INVALID_ARGUMENT (C-06)."""
    assert call(request(span(span_id=b"")).SerializeToString())[0].code() is grpc.StatusCode.INVALID_ARGUMENT


def test_without_memory_calls_are_put_off():
    """UNAVAILABLE with RetryInfo in both places: a client that reads neither comes again all the same (G-03, G-06)."""
    budget = ByteBudget(10)
    assert budget.take(9)
    error, _ = call(budget=budget)
    assert error.code() is grpc.StatusCode.UNAVAILABLE
    info, found = RetryInfo.FromString(trailing(error)["google.rpc.retryinfo-bin"]), RetryInfo()
    assert Status.FromString(trailing(error)["grpc-status-details-bin"]).details[0].Unpack(found)
    assert 1 <= info.retry_delay.ToMilliseconds() / 1000 <= 3
    assert found == info
    assert budget.taken == 9


def test_a_store_that_is_closed_puts_off():
    """UNAVAILABLE with RetryInfo while draining (G-03)."""
    error, _ = call(close=True)
    assert error.code() is grpc.StatusCode.UNAVAILABLE
    assert "google.rpc.retryinfo-bin" in trailing(error)


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_too_large_is_refused_for_good(compression: grpc.Compression):
    """RESOURCE_EXHAUSTED without RetryInfo, for inflated bytes as well (G-07)."""
    error, _ = call(bytes(65 << 20), compression=compression)
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "google.rpc.retryinfo-bin" not in trailing(error)
    assert not Status.FromString(trailing(error)["grpc-status-details-bin"]).details


@pytest.mark.parametrize(
    "method", ["/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export", "/x.Y/Export"]
)
def test_unknown_services_are_unimplemented(method: str):
    """UNIMPLEMENTED (G-08, C-15)."""
    assert call(method=method)[0].code() is grpc.StatusCode.UNIMPLEMENTED


def test_metrics_are_dropped_with_success():
    """MetricsService accepts anything (H-18)."""
    assert call(b"anything", "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export")[0] == b""


def test_metrics_may_be_refused():
    """Then there is no MetricsService (H-18)."""
    method = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"
    assert call(b"", method, metrics="refuse")[0].code() is grpc.StatusCode.UNIMPLEMENTED


def test_health_tells_of_trouble():
    """Without room the server is NOT_SERVING; the check itself needs none (G-12)."""
    budget = ByteBudget(160)
    assert budget.take(159)
    assert call(b"", "/grpc.health.v1.Health/Check", budget=budget)[0] == b"\x08\x02"


@pytest.mark.parametrize("service", [b"", b"opentelemetry.proto.collector.trace.v1.TraceService"])
def test_health(service: bytes):
    """The health check says SERVING for the server and for each service (G-12)."""
    asked = b"\x0a" + bytes([len(service)]) + service if service else b""
    assert call(asked, "/grpc.health.v1.Health/Check")[0] == b"\x08\x01"


def test_health_of_an_unknown_service():
    """NOT_FOUND, as the health protocol has it (G-12)."""
    assert call(b"\x0a\x01x", "/grpc.health.v1.Health/Check")[0].code() is grpc.StatusCode.NOT_FOUND


def test_calls_that_are_given_up_harm_nobody():
    """A client whose deadline passes during the commit ends its call alone; the next one is answered (G-11)."""

    async def talk() -> bytes:
        async with (
            receiving() as here,
            grpc.aio.insecure_channel(f"127.0.0.1:{here.grpc}") as channel,
        ):
            export: Any = channel.unary_unary(TRACES)
            assert await export(b"") == b""  # connected
            calls = [export(request(span(span_id=bytes(7) + bytes([n]))).SerializeToString()) for n in range(1, 20)]
            await asyncio.sleep(0.002)
            for each in calls:
                each.cancel()
            return await export(GOOD, timeout=20)

    assert asyncio.run(talk()) == b""


@pytest.mark.parametrize(
    "noise", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"PRI * HTTP/2.0\r\n\r\nXX" * 9]
)
def test_noise_harms_nobody(noise: bytes):
    """HTTP/1.1, TLS and garbage on the port end their connection alone (G-13)."""

    async def talk() -> bytes:
        async with receiving() as here:
            with socket.create_connection(("127.0.0.1", here.grpc), timeout=10) as raw:
                raw.sendall(noise)
                await asyncio.sleep(0.1)
            async with grpc.aio.insecure_channel(f"127.0.0.1:{here.grpc}") as channel:
                return await channel.unary_unary(TRACES)(GOOD, timeout=20)

    assert asyncio.run(talk()) == b""


def test_the_connections_are_limited():
    """One connection too many is closed at once, the others are served, and a place that is left can be taken (G-10, X-06)."""
    greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])

    def knock(port: int) -> tuple[socket.socket, bool]:
        raw = socket.create_connection(("127.0.0.1", port), timeout=10)
        raw.sendall(greeting)
        with suppress(ConnectionError):
            return raw, bool(raw.recv(9))
        return raw, False

    def try_places(port: int) -> None:
        first, second, third = knock(port), knock(port), knock(port)
        assert [answered for _, answered in (first, second, third)] == [True, True, False]
        for raw, _ in (first, third):
            raw.close()
        deadline = time.monotonic() + 20
        while not (again := knock(port))[1]:
            again[0].close()
            assert time.monotonic() < deadline, "the place is never free again"
        again[0].close()
        second[0].close()

    async def talk() -> None:
        with LocalStore(":memory:") as store:
            server = GrpcServer(Exporter(store.writer), Readiness(), limits=Limits(connections=2))
            port = await server.start("127.0.0.1", 0)
            try:
                await asyncio.to_thread(try_places, port)
            finally:
                await server.stop(0)

    asyncio.run(talk())
