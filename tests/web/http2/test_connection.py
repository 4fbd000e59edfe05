"""One connection: who is on the other side, its limits of time, and how it ends."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from collector.web.http2 import frames
from collector.web.http2.connection import Connection
from collector.web.http2.frames import Code, frame
from collector.web.http2.site import Bounds, Site
from collector.web.messages import Limits
from tests.receive.collecting import elsewhere
from tests.waiting import turns_until
from tests.web.http2.speaking import GREETING, Echo, Raw, data, headers, opening, serving

Ends = tuple[Connection, asyncio.StreamReader, asyncio.StreamWriter]


def talk(
    use: Callable[[Ends], Awaitable[None]],
    limits: Limits | None = None,
    bounds: Bounds | None = None,
    service: Echo | None = None,
) -> None:
    """One connection over a real socket: the server's side of it, and a client's two streams."""

    async def meet() -> None:
        site = Site(limits=limits or Limits(), service=service or Echo(), bounds=bounds or Bounds())
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


async def greet(ends: Ends, *sent: bytes) -> None:
    """The preface and these frames, looked at by the server."""
    connection, _, writer = ends
    writer.write(b"".join((GREETING, *sent)))
    await turns_until(lambda: connection._session is not None and connection._session.settled)


async def said(reader: asyncio.StreamReader) -> list[tuple[int, bytes]]:
    """Kind and payload of all frames until the server closes."""
    found = []
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while head := await reader.readexactly(9):
            found.append((head[3], await reader.readexactly(int.from_bytes(head[:3], "big"))))
    return found


def goaways(found: list[tuple[int, bytes]]) -> list[tuple[int, int]]:
    """Last stream and code of each GOAWAY."""
    numbers = [payload for kind, payload in found if kind == frames.GOAWAY]
    return [(int.from_bytes(payload[:4], "big"), int.from_bytes(payload[4:8], "big")) for payload in numbers]


@pytest.mark.parametrize(
    "sent", [b"GET /secret HTTP/1.1\r\n\r\n", b"PUT /secret HTTP/1.0\r\nHost: secret\r\n", b"PRINT * HTTP/1.1\n"]
)
def test_who_speaks_http_1_is_told_so(sent: bytes) -> None:
    """The answer is one of HTTP/1.1, and repeats nothing (G-13)."""
    with elsewhere(serving()) as port:
        raw = Raw(port)
        raw.send(sent)
        answer = raw.rest()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b"This port speaks HTTP/2.\n")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"PRI * HTTP/2.0\r\n\r\nXX\r\n",
        b"\0" * 30,
        b"get / http",
        b"INVALID PREFACE\r\n",
    ],
)
def test_noise_is_cut_off(sent: bytes) -> None:
    """TLS, a wrong preface and garbage get no answer but the end (G-13)."""
    with elsewhere(serving()) as port:
        raw = Raw(port)
        raw.send(sent)
        assert raw.rest() == b""


def test_a_preface_may_come_byte_by_byte() -> None:
    """However the first bytes are cut, HTTP/2 begins."""
    with elsewhere(serving()) as port:
        raw = Raw(port)
        for place in range(len(GREETING)):
            raw.send(GREETING[place : place + 1])
        raw.send(opening(1))
        raw.until(frames.HEADERS, 1)
        raw.close()


SLOW = {
    "nothing": b"",
    "half a preface": GREETING[:10],
    "a preface without SETTINGS": frames.PREFACE,
    "a head without an end": GREETING + headers(1, flags=0),
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_who_does_not_begin_is_cut_off(sent: bytes) -> None:
    """Preface, SETTINGS and heads must come within `header_seconds` (H-16)."""
    with elsewhere(serving(Limits(header_seconds=0.3))) as port:
        raw = Raw(port)
        raw.send(sent)
        raw.rest()


def test_a_body_that_stalls_is_answered_and_the_others_go_on() -> None:
    """Its stream ends with an answer, its connection does not (H-08)."""
    with elsewhere(serving(Limits(body_idle_seconds=0.3))) as port:
        raw = Raw(port)
        raw.send(GREETING, opening(1, ends=False), data(1, b"half", ends=False))
        assert raw.until(frames.HEADERS, 1).flags & frames.END_STREAM
        assert raw.until(frames.RST_STREAM, 1).code == Code.NO_ERROR
        raw.send(opening(3))
        raw.until(frames.HEADERS, 3)
        raw.close()


def test_an_answer_that_nobody_makes_room_for_is_given_up() -> None:
    """After `request_seconds` its stream is reset."""
    with elsewhere(serving(Limits(request_seconds=0.3))) as port:
        raw = Raw(port)
        raw.send(frames.PREFACE, frames.settings({4: 0}), opening(1, "/large"))
        assert raw.until(frames.RST_STREAM, 1).code == Code.CANCEL
        raw.close()


def test_an_idle_connection_is_told_to_go() -> None:
    """After `idle_seconds` without streams and pings: GOAWAY comes twice, so that nothing is lost (RFC 9113, 6.8)."""

    async def use(ends: Ends) -> None:
        connection, reader, _ = ends
        await greet(ends)
        now = asyncio.get_running_loop().time()
        connection.check(now + 50)
        assert connection._session is not None
        assert not connection._session.leaving
        connection.check(now + 70)
        assert connection._session.leaving
        connection.check(asyncio.get_running_loop().time() + 2)
        assert goaways(await said(reader)) == [(2**31 - 1, Code.NO_ERROR), (0, Code.NO_ERROR)]

    talk(use, Limits(idle_seconds=60))


def test_a_ping_keeps_a_connection() -> None:
    """A client that pings wants to keep it."""

    async def use(ends: Ends) -> None:
        connection, _, _ = ends
        await greet(ends)
        session = connection._session
        assert session is not None
        now = asyncio.get_running_loop().time()
        session.heard = now + 50
        session.feed(frame(frames.PING, 0, 0, bytes(8)))
        connection.check(now + 70)
        assert not session.leaving

    talk(use, Limits(idle_seconds=60))


def test_an_old_connection_is_told_to_go_and_what_it_asked_is_answered() -> None:
    """After its age no new streams are wanted; those that are open have the grace (G-10)."""
    service = Echo()

    async def use(ends: Ends) -> None:
        connection, reader, _ = ends
        await greet(ends, opening(1, "/slow"))
        await turns_until(connection.busy)
        now = asyncio.get_running_loop().time()
        connection.check(now + 31 * 60)
        connection.check(now + 3)
        service.may_go.set()
        found = await said(reader)
        assert goaways(found) == [(2**31 - 1, Code.NO_ERROR), (1, Code.NO_ERROR)]
        assert (frames.DATA, b"slow") in found

    talk(use, service=service)


def test_the_grace_of_an_old_connection_ends() -> None:
    """What is not answered by then is cut off."""

    async def use(ends: Ends) -> None:
        connection, reader, _ = ends
        await greet(ends, opening(1, "/slow"))
        await turns_until(connection.busy)
        now = asyncio.get_running_loop().time()
        connection.check(now + 31 * 60)
        connection.check(now + 61)
        assert connection._transport.is_closing()
        await said(reader)

    talk(use)


def test_a_peer_that_does_not_read_is_cut_off() -> None:
    """While it does not take its answers it is not read, and after `request_seconds` it is gone."""

    async def use(ends: Ends) -> None:
        connection, _, _ = ends
        await greet(ends)
        connection.pause_writing()
        assert not connection._transport.is_reading()
        connection.resume_writing()
        assert connection._transport.is_reading()
        connection.pause_writing()
        now = asyncio.get_running_loop().time()
        connection.check(now + 50)
        assert not connection._transport.is_closing()
        connection.check(now + 61)
        assert connection._transport.is_closing()

    talk(use)


def test_who_sends_no_more_still_gets_its_answer() -> None:
    """A peer that shuts down its own direction and waits is answered, then the connection ends (C-11)."""
    service = Echo()

    async def use(ends: Ends) -> None:
        connection, reader, writer = ends
        await greet(ends, opening(1, "/slow"))
        writer.write_eof()
        await turns_until(lambda: connection._half_closed)
        service.may_go.set()
        assert (frames.DATA, b"slow") in await said(reader)

    talk(use, service=service)


def test_what_is_being_answered_is_finished_without_its_peer() -> None:
    """The client goes away; the work does not stop half-way (G-11), and a body that will not be whole is dropped."""
    service = Echo()

    async def use(ends: Ends) -> None:
        connection, _, writer = ends
        await greet(ends, opening(1, "/slow"), opening(3, ends=False), data(3, b"half", ends=False))
        await turns_until(connection.busy)
        writer.transport.abort()
        await turns_until(lambda: not connection._site.connections)
        assert (service.finished, service.dropped) == (0, 1)
        service.may_go.set()
        await turns_until(lambda: service.finished == 1)
        await turns_until(lambda: not connection.busy())

    talk(use, service=service)


def test_a_fault_of_ours_ends_one_connection(caplog: pytest.LogCaptureFixture) -> None:
    """GOAWAY with INTERNAL_ERROR, a line in the log, and no more."""

    async def use(ends: Ends) -> None:
        connection, reader, writer = ends
        await greet(ends)
        assert connection._session is not None
        connection._session._reader.feed = lambda _data: 1 / 0  # ty: ignore[invalid-assignment]
        writer.write(opening(1))
        writer.write_eof()
        assert goaways(await said(reader))[-1][1] == Code.INTERNAL_ERROR

    with caplog.at_level(logging.ERROR):
        talk(use)
    assert "a connection could not be read" in caplog.text
