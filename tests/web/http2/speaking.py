"""A client that can say anything in HTTP/2, right or wrong, on a real socket, and an independent one (`h2`)."""

import asyncio
import socket
import struct
import threading
from collections.abc import AsyncGenerator, Awaitable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import h2.config
import h2.connection
import h2.events

from collector.web.http2 import frames
from collector.web.http2.blocks import encoded
from collector.web.http2.calls import Call, Fault, Reply, plainly
from collector.web.http2.server import Bounds, Http2Server
from collector.web.messages import Head, Limits

GREETING = frames.PREFACE + frames.settings({})
OPENING = [(":method", "POST"), (":scheme", "http"), (":path", "/echo"), (":authority", "x")]
HEAD = encoded(OPENING)
_OK = encoded([(":status", "200")])
_END = encoded([("done", "yes")])


class Echo:
    """Answers with the body. `/slow` takes its time, `/early` answers before the body, `/fail` breaks, `/large` is long."""

    def __init__(self) -> None:
        self.dropped = 0
        self.finished = 0
        self.may_go = threading.Event()
        """Set from anywhere."""

    def open(self, head: Head) -> Call | Reply:
        """A request."""
        return Reply(_OK) if head.path == "/early" else EchoCall(self, head.path)

    def refuse(self, fault: Fault) -> Reply:
        """In HTTP's own words."""
        return plainly(fault)


class EchoCall:
    """One request."""

    def __init__(self, service: Echo, path: str) -> None:
        self._service, self._path = service, path
        self._parts: list[bytes] = []

    def feed(self, piece: bytes) -> Reply | None:
        """More of the body; one that begins with `no` is refused."""
        self._parts.append(piece)
        return Reply(_OK, b"no") if piece.startswith(b"no") else None

    def end(self) -> Reply | Awaitable[Reply]:
        """All of it."""
        if self._path == "/large":
            return Reply(_OK, b"x" * 200_000, _END)
        return self._answer() if self._path in ("/slow", "/fail") else Reply(_OK, b"".join(self._parts), _END)

    async def _answer(self) -> Reply:
        if self._path == "/fail":
            raise RuntimeError("secret")
        while not self._service.may_go.is_set():  # noqa: ASYNC110 -- it is set by other threads
            await asyncio.sleep(0.001)
        self._service.finished += 1
        return Reply(_OK, b"slow", _END)

    def drop(self) -> None:
        """Nobody waits for it."""
        self._service.dropped += 1


@dataclass
class Frame:
    """A frame that came."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def code(self) -> int:
        """Of RST_STREAM or GOAWAY."""
        return int.from_bytes(self.payload[:4] if self.kind == frames.RST_STREAM else self.payload[4:8], "big")


class Raw:
    """One connection: what is sent goes as it is, what comes is taken apart."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._came = b""

    def send(self, *sent: bytes) -> None:
        """These bytes; a server that has closed already is no fault."""
        with suppress(ConnectionError):
            self._socket.sendall(b"".join(sent))

    def shut(self) -> None:
        """The end of what is sent."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def frames(self) -> Iterator[Frame]:
        """Frames as they come, until the server closes."""
        while True:
            while len(self._came) < 9 or len(self._came) < 9 + int.from_bytes(self._came[:3], "big"):
                try:
                    piece = self._socket.recv(65536)
                except ConnectionError:
                    return
                if not piece:
                    return
                self._came += piece
            size = 9 + int.from_bytes(self._came[:3], "big")
            _, _, kind, flags, stream = struct.unpack_from(">BHBBI", self._came)
            payload, self._came = self._came[9:size], self._came[size:]
            yield Frame(kind, flags, stream, payload)

    def until(self, kind: int, stream: int | None = None, flags: int = 0) -> Frame:
        """The next frame of this kind."""
        for found in self.frames():
            if found.kind == kind and stream in (None, found.stream) and found.flags & flags == flags:
                return found
        raise AssertionError("the connection was closed before")

    def rest(self) -> bytes:
        """All that comes until the server closes."""
        with suppress(ConnectionError):
            while piece := self._socket.recv(65536):
                self._came += piece
        self.close()
        return self._came

    def ended_with(self) -> int:
        """The code of the GOAWAY after which the server closes."""
        codes = [found.code for found in self.frames() if found.kind == frames.GOAWAY]
        self.close()
        assert codes, "closed without GOAWAY"
        return codes[-1]


def headers(stream: int, block: bytes = HEAD, flags: int = frames.END_HEADERS | frames.END_STREAM) -> bytes:
    """HEADERS."""
    return frames.frame(frames.HEADERS, flags, stream, block)


def opening(stream: int, path: str = "/echo", *more: tuple[str, str], ends: bool = True) -> bytes:
    """HEADERS of a request."""
    pairs = [(name, path if name == ":path" else value) for name, value in OPENING]
    return headers(stream, encoded([*pairs, *more]), frames.END_HEADERS | (frames.END_STREAM if ends else 0))


def data(stream: int, body: bytes, *, ends: bool = True) -> bytes:
    """DATA."""
    return frames.frame(frames.DATA, frames.END_STREAM if ends else 0, stream, body)


@asynccontextmanager
async def serving(
    limits: Limits | None = None, bounds: Bounds | None = None, service: Echo | None = None
) -> AsyncGenerator[int]:
    """A server of HTTP/2; its port."""
    server = Http2Server(service or Echo(), limits, bounds)
    try:
        yield await server.start("127.0.0.1", 0)
    finally:
        await server.stop(0)


class Other:
    """A client made of the library `h2`, which shares no code with us."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.state = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self.state.initiate_connection()
        self._events: list[h2.events.Event] = []
        self.flush()

    def flush(self) -> None:
        """Send what the library has to say."""
        self._socket.sendall(self.state.data_to_send())

    def receive(self) -> None:
        """One read."""
        piece = self._socket.recv(65536)
        assert piece, "the server closed"
        self._events += self.state.receive_data(piece)
        self.flush()

    def ask(self, path: str, body: bytes, *more: tuple[str, str]) -> tuple[dict[str, str], bytes, dict[str, str]]:
        """One request: the answer's headers, body and trailers."""
        number = self.state.get_next_available_stream_id()
        pairs = [(name, path if name == ":path" else value) for name, value in OPENING]
        self.state.send_headers(number, [*pairs, *more], end_stream=not body)
        while body:
            size = min(self.state.local_flow_control_window(number), self.state.max_outbound_frame_size, len(body))
            if size:
                self.state.send_data(number, body[:size], end_stream=size == len(body))
                body = body[size:]
                self.flush()
            else:
                self.receive()
        self.flush()
        found: dict[type, list[h2.events.Event]] = {}
        while h2.events.StreamEnded not in found:
            if not self._events:
                self.receive()
            for event in self._events:
                if getattr(event, "stream_id", None) == number:
                    found.setdefault(type(event), []).append(event)
                if isinstance(event, h2.events.DataReceived):
                    self.state.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            self._events = []
            self.flush()
        pieces = [event.data for event in found.get(h2.events.DataReceived, [])]  # ty: ignore[missing-attribute]
        return _dict(found, h2.events.ResponseReceived), b"".join(pieces), _dict(found, h2.events.TrailersReceived)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def _dict(found: dict[type, list[h2.events.Event]], kind: type) -> dict[str, str]:
    pairs = [pair for event in found.get(kind, []) for pair in event.headers]  # ty: ignore[missing-attribute]
    return {name.decode(): value.decode() for name, value in pairs}
