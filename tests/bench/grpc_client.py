"""An OTLP/gRPC client that costs little: many connections, one thread, of HTTP/2 only what a call needs.

It shares the machine with the collector that is measured. grpcio in a thread for each connection took more of the processor
than the collector itself; this one makes a request of canned frames and looks at nothing of an answer but its status.
"""

import contextlib
import selectors
import socket
import struct
from collections import deque
from collections.abc import Iterator, Sequence

from hpack import Decoder

from collector.web.http2 import frames
from collector.web.http2.blocks import encoded
from collector.web.http2.peer_settings import INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE
from tests.bench.acknowledged import Address, must_be_whole
from tests.bench.driven import drive

METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
OK, RESOURCE_EXHAUSTED, UNAVAILABLE = "0", "8", "14"
_CHUNK = 1 << 16
_LARGEST_STREAM = 2**31 - 1
_OUR_WINDOW = 1 << 30
_HEAD = encoded(
    [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", METHOD),
        (":authority", "bench"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ]
)
_GREETING = (
    frames.PREFACE
    + frames.settings({INITIAL_WINDOW_SIZE: _OUR_WINDOW})
    + frames.window_update(0, _OUR_WINDOW - frames.DEFAULT_WINDOW)
)


class _Connection:
    """One call at a time: `body` is on its way, or there is nothing to send any more."""

    def __init__(self, address: Address, bodies: Sequence[bytes], poll: selectors.BaseSelector) -> None:
        self._socket = socket.create_connection(address)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._left, self._poll = deque(bodies), poll
        self._sending = memoryview(b"")
        self._body = memoryview(b"")
        self._came = bytearray()
        self._statuses: dict[bytes, str | None] = {}
        self._decoder = Decoder()
        self._stream = -1
        self._message = b""
        self._frame, self._initial = frames.SMALLEST_FRAME, frames.DEFAULT_WINDOW
        self._window, self._of_stream = frames.DEFAULT_WINDOW, 0
        self.refused = 0
        self._socket.sendall(_GREETING)
        while self._frame == frames.SMALLEST_FRAME and self._initial == frames.DEFAULT_WINDOW:
            self._came += self._socket.recv(_CHUNK)  # what the collector takes, before the clock starts
            self._read()
        self._socket.setblocking(False)
        poll.register(self._socket, selectors.EVENT_READ, self)

    def next(self) -> bool:
        """Send the next body; False where all are acknowledged."""
        if not self._left:
            self._poll.unregister(self._socket)
            self._socket.close()
            return False
        body = self._left[0]
        self._stream += 2
        self._of_stream = self._initial
        self._body = memoryview(b"\0" + len(body).to_bytes(4, "big") + body)
        self._message = b""
        self._queue(frames.frame(frames.HEADERS, frames.END_HEADERS, self._stream, _HEAD) + self._data())
        return True

    def send(self) -> None:
        """As much as the socket takes; the rest when it takes more."""
        with contextlib.suppress(BlockingIOError):
            self._sending = self._sending[self._socket.send(self._sending) :]
        waits = selectors.EVENT_WRITE if self._sending else 0
        self._poll.modify(self._socket, selectors.EVENT_READ | waits, self)

    def receive(self) -> bool | None:
        """Whether the call is acknowledged; None: the answer is not whole yet. Raises RuntimeError for an unexpected one."""
        piece = self._socket.recv(_CHUNK)
        if not piece:
            raise RuntimeError("the collector closed a connection")
        self._came += piece
        status = self._read()
        if status == OK:
            must_be_whole(self._message[5:])
            self._left.popleft()
        elif status in (RESOURCE_EXHAUSTED, UNAVAILABLE):
            self.refused += 1
        elif status is not None:
            raise RuntimeError(f"grpc-status {status}")
        return None if status is None else status == OK

    def _queue(self, sent: bytes) -> None:
        self._sending = memoryview(bytes(self._sending) + sent) if self._sending else memoryview(sent)
        self.send()

    def _data(self) -> bytes:
        """Frames with as much of the body as the collector has room for."""
        made = []
        while size := min(len(self._body), self._frame, self._window, self._of_stream):
            ends = frames.END_STREAM if size == len(self._body) else 0
            made += [frames.HEADER.pack(size >> 16, size & 0xFFFF, frames.DATA, ends, self._stream), self._body[:size]]
            self._body = self._body[size:]
            self._window -= size
            self._of_stream -= size
        return b"".join(made)

    def _read(self) -> str | None:
        """Look at all frames that are whole; the status, if it is among them."""
        status, room = None, False
        for kind, flags, stream, payload in self._frames():
            match kind:
                case frames.DATA:
                    self._message += payload
                case frames.HEADERS:
                    status = self._status(payload) or status
                case frames.SETTINGS if not flags & frames.ACK:
                    self._take_settings(payload)
                    room = True
                case frames.WINDOW_UPDATE:
                    self._grow(stream, int.from_bytes(payload, "big"))
                    room = True
                case frames.PING if not flags & frames.ACK:
                    self._queue(frames.frame(frames.PING, frames.ACK, 0, payload))
                case frames.RST_STREAM if stream == self._stream and status is None and payload[-1]:
                    raise RuntimeError("the collector reset a stream")
                case frames.GOAWAY:
                    raise RuntimeError("the collector sent a client away")
        if room and self._body:
            self._queue(self._data())
        return status

    def _frames(self) -> Iterator[tuple[int, int, int, bytes]]:
        at, came = 0, bytes(self._came)
        while len(came) - at >= frames.HEADER_SIZE:
            high, low, kind, flags, stream = frames.HEADER.unpack_from(came, at)
            end = at + frames.HEADER_SIZE + (high << 16 | low)
            if end > len(came):
                break
            yield kind, flags, stream, came[at + frames.HEADER_SIZE : end]
            at = end
        del self._came[:at]

    def _status(self, block: bytes) -> str | None:
        """`grpc-status` of a block. Bytes that were seen before say the same until the decoder's table changes.

        C-core's blocks are of indexed fields from the second answer on, ours of literals from the first.
        """
        if block not in self._statuses:
            table = self._decoder.header_table
            before = len(table.dynamic_entries)
            found = dict(self._decoder.decode(block, raw=True)).get(b"grpc-status", b"").decode() or None
            if len(table.dynamic_entries) != before:
                self._statuses.clear()
                return found
            self._statuses[block] = found
        return self._statuses[block]

    def _take_settings(self, payload: bytes) -> None:
        for name, value in struct.iter_unpack(">HI", payload):
            if name == INITIAL_WINDOW_SIZE:
                self._of_stream += value - self._initial
                self._initial = value
            elif name == MAX_FRAME_SIZE:
                self._frame = value
        acknowledged = frames.frame(frames.SETTINGS, frames.ACK, 0)
        if self._socket.getblocking():
            self._socket.sendall(acknowledged)
        else:
            self._queue(acknowledged)

    def _grow(self, stream: int, increment: int) -> None:
        if stream == 0:
            self._window += increment
        elif stream == self._stream:
            self._of_stream += increment


def deliver(address: Address, bodies: Sequence[bytes], connections: int) -> tuple[float, int]:
    """Send all bodies over this many connections at once: the seconds until the last answer, and the refusals."""
    return drive(lambda mine, poll: _Connection(address, mine, poll), bodies, connections)
