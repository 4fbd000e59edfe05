"""The HTTP/2 server: connections, TLS, and a graceful end."""

import asyncio
import socket
import ssl
from pathlib import Path

from collector.web.http2 import frames
from collector.web.http2.frames import Code, frame
from collector.web.http2.server import Http2Server
from collector.web.messages import Limits
from collector.web.tls import Certificates
from tests.certificates import Authority
from tests.web.http2.speaking import GREETING, Echo, Raw, opening


def test_the_connections_are_limited() -> None:
    """One too many of an address is closed at once, the others are served, and a place that is left can be taken (H-16)."""

    def knock(port: int) -> tuple[Raw, bool]:
        raw = Raw(port)
        raw.send(GREETING)
        return raw, next(raw.frames(), None) is not None

    def try_places(port: int) -> None:
        (first, one), (second, two), (third, three) = knock(port), knock(port), knock(port)
        assert (one, two, three) == (True, True, False)
        first.close()
        third.close()
        while not (again := knock(port))[1]:
            again[0].close()
        again[0].close()
        second.close()

    async def talk() -> None:
        server = Http2Server(Echo(), Limits(peer_connections=2))
        port = await server.start("127.0.0.1", 0)
        await asyncio.wait_for(asyncio.to_thread(try_places, port), 20)
        await server.stop(0)

    asyncio.run(talk())


def test_a_graceful_end() -> None:
    """Told to stop, the server says so, takes what was on its way, answers it, and closes (G-12; RFC 9113, 6.8)."""
    service = Echo()

    async def talk() -> list[tuple[int, bytes]]:
        server = Http2Server(service)
        raw = Raw(await server.start("127.0.0.1", 0))
        raw.send(GREETING, opening(1, "/slow"))
        await asyncio.to_thread(raw.until, frames.SETTINGS, None, frames.ACK)
        stopping = asyncio.create_task(server.stop(10))
        first = await asyncio.to_thread(raw.until, frames.GOAWAY)
        ping = await asyncio.to_thread(raw.until, frames.PING)
        raw.send(opening(3), frame(frames.PING, frames.ACK, 0, ping.payload), opening(5))  # 5: it knows by now
        second = await asyncio.to_thread(raw.until, frames.GOAWAY)
        assert not stopping.done()
        service.may_go.set()
        rest = await asyncio.to_thread(lambda: list(raw.frames()))
        await stopping
        raw.close()
        assert (first.payload[:4], first.code) == ((2**31 - 1).to_bytes(4, "big"), Code.NO_ERROR)
        assert (second.payload[:4], second.code) == ((3).to_bytes(4, "big"), Code.NO_ERROR)
        return [(found.stream, found.payload) for found in rest if found.kind == frames.DATA]

    assert asyncio.run(talk()) == [(1, b"slow")]


def test_the_grace_ends() -> None:
    """What is not answered within it is cut off; a peer that is idle and silent is not waited for that long."""

    async def talk() -> float:
        server = Http2Server(Echo())
        raw = Raw(await server.start("127.0.0.1", 0))
        raw.send(GREETING, opening(1, "/slow"))
        await asyncio.to_thread(raw.until, frames.SETTINGS, None, frames.ACK)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await server.stop(0.3)
        took = loop.time() - began
        await asyncio.to_thread(raw.rest)
        return took

    assert 0.25 < asyncio.run(talk()) < 5


def test_tls_chooses_h2(tmp_path: Path) -> None:
    """ALPN is answered with h2, by the context of the first and of each later certificate (RFC 9113, 3.2)."""
    authority = Authority(tmp_path)
    pair = authority.issue("server")

    def shake(port: int) -> str | None:
        context = ssl.create_default_context(cafile=str(authority.cert))
        context.set_alpn_protocols(["h2", "http/1.1"])
        with (
            socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as secure,
        ):
            secure.sendall(GREETING + opening(1))
            assert secure.recv(9)[3] == frames.SETTINGS
            return secure.selected_alpn_protocol()

    async def talk() -> list[str | None]:
        server = Http2Server(Echo())
        port = await server.start("127.0.0.1", 0, Certificates(str(pair.cert), str(pair.key)))
        found = [await asyncio.to_thread(shake, port)]
        authority.issue("server")
        found.append(await asyncio.to_thread(shake, port))
        await server.stop(1)
        return found

    assert asyncio.run(talk()) == ["h2", "h2"]
