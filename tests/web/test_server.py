"""The HTTP server, over real sockets."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from collector.web.server import Head, HttpServer, Limits, Request, Response

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def echo(request: Request) -> Response:
    """Answers with what was asked."""
    if request.path == "/fail":
        raise RuntimeError("secret")
    if request.path == "/slow":
        await asyncio.sleep(0.2)
    return Response(200, f"{request.method} {request.path}?{request.query} {len(request.body)}".encode())


class Purse:
    """A budget of bytes."""

    def __init__(self, size: int) -> None:
        self.left = size

    def take(self, size: int) -> bool:
        """Take, if there is enough."""
        if size > self.left:
            return False
        self.left -= size
        return True

    def give(self, size: int) -> None:
        """Give back."""
        self.left += size


@asynccontextmanager
async def serving(limits: Limits | None = None, **options: Any) -> AsyncGenerator[int]:
    """A server on a free port."""
    server = HttpServer(echo, limits, **options)
    port = await server.start("127.0.0.1", 0)
    try:
        yield port
    finally:
        await server.stop(1)


def exchange(sent: bytes, *, limits: Limits | None = None, end: bool = True, **options: Any) -> bytes:
    """All bytes that come back for these, until the server closes."""

    async def talk() -> bytes:
        async with serving(limits, **options) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            if end:
                writer.write_eof()
            try:
                return await asyncio.wait_for(reader.read(), 20)
            finally:
                writer.close()

    return asyncio.run(talk())


def statuses(answer: bytes) -> list[int]:
    """The status codes in the order of the answers."""
    return [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]


GET = b"GET /a?b=c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def test_a_request_is_answered():
    """Method, path and query arrive, and the answer has its length."""
    answer = exchange(GET)
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"Content-Length: 12\r\n" in answer
    assert answer.endswith(b"\r\n\r\nGET /a?b=c 0")


def test_a_body_with_a_length():
    """A body of the announced length is read (H-14)."""
    sent = b"POST /p HTTP/1.1\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    assert exchange(sent).endswith(b"POST /p? 5")


def test_a_chunked_body():
    """Chunks are joined (H-14)."""
    sent = (
        b"POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    )
    assert exchange(sent).endswith(b"POST /p? 5")


def test_expect_100_continue():
    """A client that waits for leave to send its body gets it (H-14)."""

    async def talk() -> None:
        async with serving() as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /p HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            assert await reader.readexactly(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
            writer.write(b"hi")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            writer.close()

    asyncio.run(talk())


def test_pipelined_requests_are_answered_in_order():
    """The slow first one is answered before the quick second one (H-16)."""
    answer = exchange(b"GET /slow HTTP/1.1\r\n\r\nGET /quick HTTP/1.1\r\n\r\n" + GET)
    assert statuses(answer) == [200, 200, 200]
    assert answer.index(b"/slow") < answer.index(b"/quick") < answer.index(b"/a")


def test_connections_are_kept_alive():
    """A second request may follow on the same connection (H-16)."""

    async def talk() -> None:
        async with serving() as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for _ in range(3):
                writer.write(b"GET /a HTTP/1.1\r\n\r\n")
                assert await reader.readuntil(b"GET /a? 0")
            writer.close()

    asyncio.run(talk())


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS on the plain port
        b"nonsense\r\n\r\n",
        b"POST /p HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        b"POST /p HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        b"POST /p HTTP/1.1\r\nContent-Length: -3\r\n\r\n",
        b"POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_malformed_requests_are_refused(sent: bytes):
    """What is not HTTP, or could be read in two ways, is answered with 400 and the connection ends (H-14, G-13)."""
    answer = exchange(sent)
    assert statuses(answer) == [400]
    assert b"Connection: close" in answer


def test_a_large_head_is_refused():
    """A head beyond the limit is refused, whether it ends or not (H-16)."""
    for tail in (b"\r\n\r\n", b""):
        assert statuses(exchange(b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000 + tail)) == [431]


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /p HTTP/1.1\r\nContent-Length: 2000\r\n\r\n" + b"x" * 2000,
        b"POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"400\r\n" * 1
        + b"x" * 1024
        + b"\r\n400\r\n"
        + b"x" * 1024,
    ],
)
def test_a_large_body_is_refused(sent: bytes):
    """A body beyond the limit is refused, announced or not (H-07, T-25)."""
    assert statuses(exchange(sent, limits=Limits(body_bytes=1500))) == [413]


def test_an_endless_body_ends():
    """After the answer a bounded part of the rest is read, then the connection is closed (H-07)."""

    async def talk() -> int:
        async with serving(Limits(body_bytes=1000, drain_bytes=500_000)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
            sent = 0
            try:
                while not reader.at_eof() or sent < 2_000_000:
                    writer.write(b"1000\r\n" + b"x" * 4096 + b"\r\n")
                    await writer.drain()
                    sent += 4096
                    await asyncio.sleep(0)
                    if sent > 50_000_000:
                        break
            except ConnectionError:
                pass
            return sent

    assert asyncio.run(talk()) < 50_000_000


@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        (b"GET / HT", Limits(header_seconds=0.3)),
        (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nab", Limits(body_idle_seconds=0.3)),
        (b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nab", Limits(request_seconds=0.3)),
        (b"", Limits(idle_seconds=0.3)),
    ],
)
def test_slow_peers_are_cut_off(sent: bytes, limits: Limits):
    """A head, a body or a next request that does not come ends the connection without an answer (H-08, H-16, T-16)."""
    with contextlib.suppress(ConnectionError):
        assert exchange(sent, limits=limits, end=False) == b""


def test_the_connections_are_limited():
    """One connection too many is turned away; the others are served (H-16)."""

    async def talk() -> None:
        async with serving(Limits(connections=1)) as port:
            first = await asyncio.open_connection("127.0.0.1", port)
            first[1].write(b"GET /a HTTP/1.1\r\n\r\n")
            await first[0].readuntil(b"/a? 0")
            second = await asyncio.open_connection("127.0.0.1", port)
            with contextlib.suppress(ConnectionError):
                assert await second[0].read() == b""
            first[1].write(GET)
            assert await first[0].readuntil(b"b=c 0")
            first[1].close()
            second[1].close()

    asyncio.run(talk())


def test_admission_comes_before_the_body():
    """What `admit` answers is sent without reading the body (G-09)."""

    def admit(head: Head) -> Response | None:
        return Response(401) if head.headers.get("authorization") is None else None

    head = b"POST /p HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
    assert statuses(exchange(head, admit=admit)) == [401]
    allowed = b"POST /p HTTP/1.1\r\nAuthorization: t\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    assert statuses(exchange(allowed, admit=admit)) == [200]


def test_bodies_share_a_budget():
    """Without bytes left a body is refused, and all bytes come back in the end."""
    purse = Purse(1000)
    sent = b"POST /p HTTP/1.1\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    assert statuses(exchange(sent % 600 + b"x" * 600, budget=purse)) == [200]
    assert statuses(exchange(sent % 1600 + b"x" * 1600, budget=purse)) == [503]
    assert statuses(exchange(sent % 1600 + b"x" * 600, budget=purse)) == []
    assert purse.left == 1000


def test_a_failing_handler_tells_nothing():
    """An exception in the handler is answered without its text (G-05)."""
    answer = exchange(b"GET /fail HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert statuses(answer) == [500]
    assert b"secret" not in answer


def test_a_head_request_gets_no_body():
    """HEAD is answered with the length alone."""
    answer = exchange(b"HEAD /a HTTP/1.1\r\nConnection: close\r\n\r\n")
    assert answer.endswith(b"\r\n\r\n")
    assert b"Content-Length: 10" in answer


def test_http_1_0_is_closed_after_the_answer():
    """An old client gets its answer and the end."""
    assert statuses(exchange(b"GET /a HTTP/1.0\r\n\r\n")) == [200]


def test_an_upgrade_is_not_followed():
    """A client that offers HTTP/2 is answered in HTTP/1.1."""
    sent = b"POST /p HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\nhi"
    assert statuses(exchange(sent)) == [200]


def test_stopping_answers_what_is_being_answered():
    """A request in work gets its answer; then the server is gone."""

    async def talk() -> None:
        server = HttpServer(echo)
        port = await server.start("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /slow HTTP/1.1\r\n\r\n")
        await asyncio.sleep(0.1)
        await server.stop(5)
        assert statuses(await reader.read()) == [200]
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)

    asyncio.run(talk())
