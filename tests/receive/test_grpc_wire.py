"""OTLP/gRPC as bytes: what real clients never send, and how answers look."""

import asyncio
import gzip
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager

import grpc
import pytest
from hpack import Decoder

from collector.answer.local import LocalStore
from collector.receive.admission import ByteBudget
from collector.receive.export import Exporter
from collector.receive.grpc import GrpcServer
from collector.receive.readiness import Readiness
from collector.web.http2 import frames
from collector.web.http2.blocks import encoded
from collector.web.http2.frames import Code
from collector.web.messages import Limits
from tests.decode.samples import request, span
from tests.receive.collecting import elsewhere
from tests.receive.test_grpc_call import framed
from tests.web.http2.speaking import GREETING, Other, Raw, data, headers

METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
GOOD = request(span()).SerializeToString()


@asynccontextmanager
async def receiver(budget: ByteBudget | None = None, limits: Limits | None = None) -> AsyncGenerator[int]:
    """OTLP/gRPC over a store in memory; its port."""
    with LocalStore(":memory:") as store:
        server = GrpcServer(Exporter(store.writer, budget), Readiness(), limits=limits)
        try:
            yield await server.start("127.0.0.1", 0)
        finally:
            await server.stop(1)


@pytest.fixture(scope="module")
def port() -> Generator[int]:
    """A receiver for the tests of this file."""
    with elsewhere(receiver()) as found:
        yield found


def opening(stream: int, *more: tuple[str, str], method: str = "POST", path: str = METHOD, ends: bool = False) -> bytes:
    """HEADERS of a call."""
    kind = () if any(name == "content-type" for name, _ in more) else (("content-type", "application/grpc"),)
    pairs = [(":method", method), (":scheme", "http"), (":path", path), (":authority", "x"), *kind, *more]
    return headers(stream, encoded(pairs), frames.END_HEADERS | (frames.END_STREAM if ends else 0))


def answers(port: int, *sent: bytes) -> dict[str, str]:
    """All headers and trailers of the answer of stream 1, and its body under an empty name."""
    raw = Raw(port)
    raw.send(GREETING, *sent)
    decoder, found = Decoder(), {"": ""}
    for each in raw.frames():
        if each.stream == 1 and each.kind == frames.DATA:
            found[""] += each.payload.decode("latin-1")
        elif each.stream == 1 and each.kind == frames.HEADERS:
            found |= {name.decode(): value.decode() for name, value in decoder.decode(each.payload, raw=True)}
        if each.stream == 1 and each.flags & frames.END_STREAM:
            break
    raw.close()
    return found


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (opening(1, ("content-type", "application/x-protobuf")), "415"),
        (opening(1, ("content-type", "application/grpc-web+proto")), "415"),
        (opening(1, method="GET", ends=True), "405"),
    ],
)
def test_what_is_no_call_is_answered_in_http(port: int, sent: bytes, status: str) -> None:
    """Another content type is 415, another method 405, before any body."""
    found = answers(port, sent)
    assert (found[":status"], "grpc-status" in found) == (status, False)
    assert found[""]


@pytest.mark.parametrize("kind", ["application/grpc+proto", "application/grpc; charset=utf-8"])
def test_kinds_of_calls(port: int, kind: str) -> None:
    """With the codec named, or parameters, it is the same call."""
    assert answers(port, opening(1, ("content-type", kind)), data(1, framed(GOOD)))["grpc-status"] == "0"


def test_unknown_encodings_are_told_what_is_known(port: int) -> None:
    """UNIMPLEMENTED with grpc-accept-encoding, before the message (gRPC, "Compression")."""
    found = answers(port, opening(1, ("grpc-encoding", "snappy")))
    assert (found["grpc-status"], found["grpc-accept-encoding"]) == ("12", "identity,gzip")


def test_gzip_of_a_message(port: int) -> None:
    """It is unpacked where flag and head say so; where it is none INVALID_ARGUMENT, and not said: the same (C-01)."""
    zipped = gzip.compress(GOOD)
    assert answers(port, opening(1, ("grpc-encoding", "gzip")), data(1, framed(zipped, 1)))["grpc-status"] == "0"
    assert answers(port, opening(1, ("grpc-encoding", "gzip")), data(1, framed(GOOD, 1)))["grpc-status"] == "3"
    assert answers(port, opening(1), data(1, framed(zipped, 1)))["grpc-status"] == "3"


def test_too_large_is_told_at_once(port: int) -> None:
    """By the length alone, without a byte of the message (G-07)."""
    found = answers(port, opening(1), data(1, b"\0\x7f\xff\xff\xff", ends=False))
    assert found["grpc-status"] == "8"
    assert "google.rpc.retryinfo-bin" not in found


@pytest.mark.parametrize("sent", [b"", b"\0\0\0", framed(GOOD)[:-1], framed(GOOD) * 2, framed(GOOD, 7)])
def test_what_is_not_one_message_is_invalid(port: int, sent: bytes) -> None:
    """INVALID_ARGUMENT, never INTERNAL or UNKNOWN, which would tell of a fault of ours (G-05)."""
    assert answers(port, opening(1), data(1, sent))["grpc-status"] == "3"


def test_large_metadata_is_refused_on_its_stream(port: int) -> None:
    """RESOURCE_EXHAUSTED, and the connection goes on (G-10)."""
    raw = Raw(port)
    raw.send(GREETING, opening(1, ("a", "x" * 9000), ("b", "x" * 9000)), opening(3), data(3, framed(GOOD)))
    assert b"grpc-status\x018" in raw.until(frames.HEADERS, 1).payload
    raw.until(frames.DATA, 3)
    raw.close()


def test_another_client_exports(port: int) -> None:
    """`h2`, with a message of many frames, and another one on the same connection."""
    other = Other(port)
    large = request(*(span(span_id=n.to_bytes(8, "big"), name="x" * 1000) for n in range(1, 500))).SerializeToString()
    for message in (large, GOOD, b""):
        head, body, trailers = other.ask(
            METHOD, framed(message), ("content-type", "application/grpc"), ("te", "trailers")
        )
        assert (head[":status"], body, trailers) == ("200", bytes(5), {"grpc-status": "0"})
    other.close()


def test_a_flood_of_large_messages_is_bounded() -> None:
    """Bytes are taken of the budget as they come, refused with UNAVAILABLE beyond it, and all given back (X-06)."""
    budget = ByteBudget(3 << 20)
    with elsewhere(receiver(budget)) as port:
        raw = Raw(port)
        raw.send(GREETING)
        for number in range(1, 9, 2):
            raw.send(opening(number), data(number, b"\0" + (2 << 20).to_bytes(4, "big") + bytes(1_000_000), ends=False))
        refused = raw.until(frames.HEADERS)
        assert b"grpc-status\x0214" in refused.payload
        assert raw.until(frames.RST_STREAM, refused.stream).code == Code.NO_ERROR
        assert budget.taken <= 3 << 20
        raw.close()
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            assert channel.unary_unary(METHOD)(GOOD, timeout=20) == b""
        assert budget.taken == 0


def test_a_message_that_stalls_is_put_off() -> None:
    """UNAVAILABLE with RetryInfo: what came too slowly may be sent again (H-08)."""
    with elsewhere(receiver(limits=Limits(body_idle_seconds=0.3))) as port:
        found = answers(port, opening(1), data(1, framed(GOOD)[:-1], ends=False))
    assert found["grpc-status"] == "14"
    assert "google.rpc.retryinfo-bin" in found


def test_http_1_is_told_where_to_go(port: int) -> None:
    """The text names the port of OTLP/HTTP (G-13)."""
    raw = Raw(port)
    raw.send(b"POST /v1/traces HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
    assert b"OTLP/HTTP is usually sent to port 4318" in raw.rest()


def test_the_largest_message_goes_through(port: int) -> None:
    """64 MiB of a real client, as sent: it is read to its end, and refused for what it is."""
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel, pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary(METHOD)(b"\xff" * (64 << 20), timeout=60)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT  # ty: ignore[missing-attribute]


def test_a_stop_answers_what_is_in_work() -> None:
    """A real client's call is answered while the server stops, and nobody can connect any more (G-12)."""

    async def talk() -> bytes:
        with LocalStore(":memory:") as store:
            server = GrpcServer(Exporter(store.writer), Readiness())
            port = await server.start("127.0.0.1", 0)
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                await channel.channel_ready()
                call = channel.unary_unary(METHOD)(GOOD, timeout=20)
                await asyncio.sleep(0.005)
                _, answer = await asyncio.gather(server.stop(10), call)
            with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                pass
            return answer

    assert asyncio.run(talk()) == b""
