"""One connection: its answers, what it gives back, and its limits of time. The wire itself is tested with the server."""

import asyncio
import contextlib
import gc
import socket
from collections.abc import Awaitable, Callable

from collector.web.connection import Connection, Site
from collector.web.messages import Handler, Limits, Request, Response, refuse_plainly
from tests.waiting import turns_until
from tests.web.test_server import Purse

Ends = tuple[Connection, asyncio.StreamReader, asyncio.StreamWriter]


async def echo(request: Request) -> Response:
    """Answers with the path; `/blank` with a status that has no name."""
    return Response(299 if request.path == "/blank" else 200, request.path.encode(), headers={"X-Own": "1"})


def talk(
    use: Callable[[Ends], Awaitable[None]],
    limits: Limits | None = None,
    purse: Purse | None = None,
    handler: Handler = echo,
) -> None:
    """One connection over a real socket: the server's side of it, and a client's two streams."""

    async def meet() -> None:
        site = Site(
            handler=handler,
            limits=limits or Limits(),
            admit=None,
            refuse=refuse_plainly,
            budget=purse,
        )
        buffer = memoryview(bytearray(1 << 16))
        server = await asyncio.get_running_loop().create_server(lambda: Connection(site, buffer), "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await turns_until(lambda: bool(site.connections))
            (connection,) = site.connections
            await use((connection, reader, writer))
            connection.abort()
            writer.close()
            await turns_until(lambda: not site.connections)

    asyncio.run(asyncio.wait_for(meet(), 20))


def test_an_answer_has_its_own_headers_and_its_length() -> None:
    """A status without a name is sent as a number alone."""

    async def use(ends: Ends) -> None:
        _, reader, writer = ends
        writer.write(b"GET /blank HTTP/1.1\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 299 \r\n")
        assert b"Content-Length: 6\r\nX-Own: 1\r\n" in head
        assert b"Connection" not in head
        assert await reader.readexactly(6) == b"/blank"

    talk(use)


class Sheets:
    """A long answer that is made while it is read."""

    size = 64 << 20

    def __init__(self) -> None:
        self.file = self
        self.left = self.size
        self.closed = False

    def read(self, size: int) -> bytes:
        """The next bytes."""
        size = min(size, self.left)
        self.left -= size
        return b"x" * size

    def close(self) -> None:
        """Remember it."""
        self.closed = True


def test_a_large_answer_goes_as_fast_as_it_is_read() -> None:
    """It is read from its file as the peer takes it, and given back at the end, or when the peer goes away before."""
    made: list[Sheets] = []

    async def large(_request: Request) -> Response:
        made.append(Sheets())
        return Response(200, large=made[-1])  # ty: ignore[invalid-argument-type]

    async def read_all(ends: Ends) -> None:
        _, reader, writer = ends
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await turns_until(lambda: bool(made))
        await asyncio.sleep(0.1)
        assert made[-1].left  # nobody has read yet: the rest waits
        assert b"Content-Length: 67108864\r\n" in await reader.readuntil(b"\r\n\r\n")
        for _ in range(Sheets.size >> 16):
            assert await reader.readexactly(1 << 16) == b"x" * (1 << 16)
        await turns_until(lambda: made[-1].closed)

    async def leave(ends: Ends) -> None:
        _, _, writer = ends
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await turns_until(lambda: len(made) == 2)
        writer.transport.abort()
        await turns_until(lambda: made[-1].closed)
        assert made[-1].left

    talk(read_all, handler=large)
    talk(leave, handler=large)


def test_a_connection_is_busy_from_the_first_byte_to_the_answer() -> None:
    """Between requests it is idle, and whoever stops the server need not wait for it."""

    async def use(ends: Ends) -> None:
        connection, reader, writer = ends
        assert not connection.busy()
        writer.write(b"GET /a HT")
        await turns_until(connection.busy)
        writer.write(b"TP/1.1\r\n\r\n")
        await reader.readuntil(b"/a")
        await connection.finish()
        assert not connection.busy()

    talk(use)


def test_times_are_kept_by_the_clock_that_is_given() -> None:
    """Just before a limit nothing happens; after it the connection is gone."""

    async def use(ends: Ends) -> None:
        connection, reader, _ = ends
        now = asyncio.get_running_loop().time()
        connection.check(now + 50)
        assert connection._transport.is_closing() is False
        connection.check(now + 70)
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""

    talk(use, Limits(idle_seconds=60))


def test_a_body_must_come_at_some_rate() -> None:
    """One that trickles is cut off, although bytes keep coming."""

    async def use(ends: Ends) -> None:
        connection, _, writer = ends
        writer.write(b"POST /a HTTP/1.1\r\nContent-Length: 90000\r\n\r\n" + b"x" * 2000)
        await turns_until(lambda: connection._intake.received >= 2000)
        since = connection._intake.since
        connection._intake.heard = since + 30
        connection.check(since + 1)
        assert connection._transport.is_closing() is False
        connection.check(since + 30)
        assert connection._transport.is_closing() is True

    talk(use, Limits(body_rate=1000, request_seconds=100))


def test_one_peer_cannot_hold_all_connections() -> None:
    """A peer's connection too many is closed at once, and one that ends makes room for another."""

    async def use(ends: Ends) -> None:
        connection, _, writer = ends
        address = writer.get_extra_info("peername")
        port = connection._transport.get_extra_info("sockname")[1]
        reader, second = await asyncio.open_connection(address[0], port)
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        second.close()
        writer.close()
        await turns_until(lambda: not connection._site.connections)
        reader, third = await asyncio.open_connection(address[0], port)
        third.write(b"GET /a HTTP/1.1\r\n\r\n")
        await reader.readuntil(b"/a")
        third.close()

    talk(use, Limits(peer_connections=1))


def test_what_was_taken_of_the_budget_comes_back() -> None:
    """After the answer, and where the peer goes away in the middle of a body."""
    purse = Purse(1000)

    async def answered(ends: Ends) -> None:
        _, reader, writer = ends
        writer.write(b"POST /a HTTP/1.1\r\nContent-Length: 600\r\n\r\n" + b"x" * 600)
        await reader.readuntil(b"/a")

    async def left(ends: Ends) -> None:
        _, _, writer = ends
        writer.write(b"POST /a HTTP/1.1\r\nContent-Length: 600\r\n\r\n" + b"x" * 500)
        await turns_until(lambda: purse.left < 1000)

    for use in (answered, left):
        talk(use, purse=purse)
        assert purse.left == 1000


def test_who_sends_no_more_still_gets_its_answer():
    """A peer that shuts down its own direction and waits is answered, then the connection ends (H-16)."""
    may_go = asyncio.Event()

    async def slow(request: Request) -> Response:
        await may_go.wait()
        return Response(200, request.body)

    async def use(ends: Ends) -> None:
        connection, reader, writer = ends
        request = b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n"
        writer.write(request + b"first" + request + b"ha")  # the second is never whole
        writer.write_eof()
        await turns_until(lambda: connection._half_closed)
        may_go.set()
        answer = await reader.read()
        assert answer.count(b"HTTP/1.1") == 1
        assert answer.index(b"200") < answer.index(b"Connection: close") < answer.index(b"first")

    purse = Purse(1000)
    talk(use, purse=purse, handler=slow)
    assert purse.left == 1000


def test_who_sends_no_more_and_asked_nothing_is_let_go():
    """Without a request in work the end of what a peer sends ends the connection."""

    async def use(ends: Ends) -> None:
        _, reader, writer = ends
        writer.write(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nha")
        writer.write_eof()
        assert await reader.read() == b""

    talk(use)


def test_a_peer_that_is_gone_before_its_early_answer_costs_no_traceback():
    """Whoever sends nonsense and leaves at once cannot fill the log."""
    raised: list[dict[str, object]] = []

    async def use(ends: Ends) -> None:
        connection, _, writer = ends
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: raised.append(context))
        with socket.create_connection(writer.get_extra_info("peername")) as raw:
            raw.sendall(b"nonsense\r\n\r\n")
        connections = connection._site.connections
        await turns_until(lambda: len(connections) == 2)
        await turns_until(lambda: len(connections) == 1)
        gc.collect()  # which is when a task that failed unheard is told of

    talk(use)
    assert raised == []
