"""The OTLP/gRPC door, on real sockets."""

import threading
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from collector.access.book import Book
from collector.access.failures import BURST, Failures
from collector.access.guard import Guard
from collector.access.tokens import Token, digest
from collector.answer.local import LocalStore
from collector.receive.export import Exporter
from collector.receive.grpc import GrpcServer
from collector.receive.readiness import Readiness
from collector.web.tls import Certificates
from tests.certificates import Authority, Pair
from tests.decode.samples import request, span
from tests.receive.collecting import elsewhere

SLOW = Token("s", "ingest", digest("slow"), 0, bytes_per_second=100)
SMALL = Token("m", "ingest", digest("small"), 0, in_flight_bytes=1)
TOKENS = (SLOW, SMALL, Token("i", "ingest", digest("good"), 0), Token("r", "read", digest("reader"), 0))
BODY = request(span()).SerializeToString()
METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"


@asynccontextmanager
async def door(tls: Certificates | None = None) -> AsyncGenerator[int]:
    """OTLP/gRPC behind a guard, over a store in memory; its port."""
    with LocalStore(":memory:") as store:
        guard = Guard(Book(lambda: TOKENS), {"ingest"}, "always", Failures(), "Exports")
        server = GrpcServer(Exporter(store.writer), Readiness(), guard)
        try:
            yield await server.start("127.0.0.1", 0, tls)
        finally:
            await server.stop(1)


@pytest.fixture
def channel() -> Generator[grpc.Channel]:
    """A client of a door without TLS."""
    with elsewhere(door()) as port, grpc.insecure_channel(f"127.0.0.1:{port}") as found:
        yield found


def export(channel: grpc.Channel, *shown: str) -> Any:
    """One export with these authorizations; the error (which is a call, too), None for success."""
    try:
        channel.unary_unary(METHOD)(BODY, timeout=10, metadata=[("authorization", value) for value in shown])
    except grpc.RpcError as error:
        return error
    return None


def code(error: Any) -> grpc.StatusCode:
    """What a call ended with: the client's errors are calls, which their type does not say."""
    return error.code()


def test_a_good_token_passes_in_all_its_forms(channel: grpc.Channel):
    """Bearer, percent-encoded Bearer and Basic in the metadata are taken (X-02)."""
    for shown in ("Bearer good", "Bearer%20good", "Basic eDpnb29k"):
        assert export(channel, shown) is None, shown


def test_refusals_have_their_codes(channel: grpc.Channel):
    """No, unknown and several credentials are UNAUTHENTICATED, one of another scope PERMISSION_DENIED, with a Status (G-09)."""
    errors = [export(channel, *shown) for shown in ((), ("Bearer bad",), ("good",), ("Bearer good", "Bearer good"))]
    assert {error.code() for error in errors} == {grpc.StatusCode.UNAUTHENTICATED}
    assert len({error.details() for error in errors}) == 1
    error = export(channel, "Bearer reader")
    assert error.code() == grpc.StatusCode.PERMISSION_DENIED
    details = dict(error.trailing_metadata())["grpc-status-details-bin"]
    assert Status.FromString(details).code == 7


def test_it_is_answered_before_the_message_is_sent(channel: grpc.Channel):
    """The refusal comes although the client has not sent its message yet (X-05)."""
    answered = threading.Event()

    def late() -> Iterator[bytes]:
        answered.wait(30)
        yield BODY

    try:
        with pytest.raises(grpc.RpcError) as caught:
            channel.stream_unary(METHOD)(late(), timeout=10)
    finally:
        answered.set()
    assert code(caught.value) == grpc.StatusCode.UNAUTHENTICATED


def test_a_large_message_is_refused_as_well(channel: grpc.Channel):
    """A client that sends megabytes gets the same answer, and its connection goes on."""
    with pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary(METHOD)(b"x" * (32 << 20), timeout=20)
    assert code(caught.value) == grpc.StatusCode.UNAUTHENTICATED
    assert export(channel, "Bearer good") is None


def test_who_fails_on_and_on_is_told_to_slow_down(channel: grpc.Channel):
    """After some refusals the code is RESOURCE_EXHAUSTED with RetryInfo, and a good token still passes (X-05)."""
    errors = [export(channel, "Bearer bad") for _ in range(BURST + 1)]
    assert [error.code() for error in errors] == [grpc.StatusCode.UNAUTHENTICATED] * BURST + [
        grpc.StatusCode.RESOURCE_EXHAUSTED
    ]
    assert "google.rpc.retryinfo-bin" in dict(errors[-1].trailing_metadata())
    assert export(channel, "Bearer good") is None


def test_who_sends_more_than_it_may_is_told_when_to_come_again(channel: grpc.Channel):
    """A bearer over its rate gets RESOURCE_EXHAUSTED with RetryInfo, and the others are served (X-06)."""
    large = request(span(name="x" * 3000)).SerializeToString()
    call = channel.unary_unary(METHOD)
    assert call(large, timeout=10, metadata=[("authorization", "Bearer slow")]) == b""
    error = export(channel, "Bearer slow")
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    info = RetryInfo.FromString(dict(error.trailing_metadata())["google.rpc.retryinfo-bin"])
    assert 1 <= info.retry_delay.ToMilliseconds() / 1000 <= 3
    assert export(channel, "Bearer good") is None


def test_its_message_is_not_read_then(channel: grpc.Channel):
    """Who owes bytes is answered although its message has not been sent yet (X-05, X-06)."""
    large = request(span(name="x" * 3000)).SerializeToString()
    shown = [("authorization", "Bearer slow")]
    channel.unary_unary(METHOD)(large, timeout=10, metadata=shown)
    answered = threading.Event()

    def late() -> Iterator[bytes]:
        answered.wait(30)
        yield BODY

    try:
        with pytest.raises(grpc.RpcError) as caught:
            channel.stream_unary(METHOD)(late(), timeout=10, metadata=shown)
    finally:
        answered.set()
    assert code(caught.value) == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_many_calls_at_once_share_the_memory_of_their_bearer(channel: grpc.Channel):
    """Of calls that wait for their commit together some find no room, and what they held is given back (X-06)."""
    calls = [
        channel.unary_unary(METHOD).future(BODY, timeout=20, metadata=[("authorization", "Bearer small")])
        for _ in range(50)
    ]
    found = {call.code() for call in calls}
    assert found <= {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert grpc.StatusCode.RESOURCE_EXHAUSTED in found
    assert export(channel, "Bearer small") is None


def test_health_and_unknown_methods_are_as_ever(channel: grpc.Channel):
    """Health is told to anybody, and what does not exist is UNIMPLEMENTED."""
    assert channel.unary_unary("/grpc.health.v1.Health/Check")(b"", timeout=10) == b"\x08\x01"
    with pytest.raises(grpc.RpcError) as caught:
        channel.unary_unary("/no.such.Service/Export")(b"", timeout=10)
    assert code(caught.value) == grpc.StatusCode.UNIMPLEMENTED


def secure(port: int, authority: Authority, client: Pair | None = None) -> bool:
    """Whether an export over TLS succeeds."""
    found = grpc.ssl_channel_credentials(
        authority.cert.read_bytes(), client and client.key.read_bytes(), client and client.cert.read_bytes()
    )
    options = [("grpc.use_local_subchannel_pool", 1)]  # a handshake of its own for each
    with grpc.secure_channel(f"localhost:{port}", found, options) as channel:
        return export(channel, "Bearer good") is None


def test_certificates_are_read_again(tmp_path: Path):
    """A new certificate of the server and a new authority of clients count from the next handshake on (X-03)."""
    authority, other = Authority(tmp_path), Authority(tmp_path, "other")
    pair, client, stranger = authority.issue("server"), authority.issue("client"), other.issue("stranger")
    asked = tmp_path / "asked.pem"
    asked.write_bytes(authority.cert.read_bytes())
    with elsewhere(door(Certificates(str(pair.cert), str(pair.key), str(asked)))) as port:
        assert secure(port, authority, client)
        assert not secure(port, authority)
        assert not secure(port, authority, stranger)
        other.issue("server")
        asked.write_bytes(other.cert.read_bytes())
        assert secure(port, other, stranger)
        assert not secure(port, other, client)


def test_answers_are_counted_by_signal_and_code():
    """What is accepted, what cannot be read and who may not send count, each under the name of its code."""
    store = LocalStore(":memory:")
    guard = Guard(Book(lambda: TOKENS), {"ingest"}, "always", Failures(), "Exports")
    server = GrpcServer(Exporter(store.writer), Readiness(), guard)

    @asynccontextmanager
    async def serving() -> AsyncGenerator[int]:
        yield await server.start("127.0.0.1", 0)
        await server.stop(1)

    with store, elsewhere(serving()) as port, grpc.insecure_channel(f"127.0.0.1:{port}") as client:
        assert export(client, "Bearer good") is None
        assert code(export(client, "Bearer bad")) == grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError):
            client.unary_unary(METHOD)(b"\xff", timeout=10, metadata=[("authorization", "Bearer good")])
    assert server.answers.items() == [
        (("traces", "INVALID_ARGUMENT"), 1),
        (("traces", "OK"), 1),
        (("traces", "UNAUTHENTICATED"), 1),
    ]
