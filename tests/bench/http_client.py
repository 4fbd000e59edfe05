"""An OTLP/HTTP client that costs little: many kept-alive connections, one thread, nothing made per request but its head.

It shares the machine with the collector that is measured. `http.client` in a thread for each connection took 180 µs a
request, half of what the collector takes; this one takes 21 to 26.
"""

import contextlib
import re
import selectors
import socket
from collections import deque
from collections.abc import Sequence
from http import HTTPStatus

from tests.bench.acknowledged import REFUSED, Address, must_be_whole
from tests.bench.driven import drive

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_STATUS = slice(9, 12)  # HTTP/1.1 200
_CHUNK = 1 << 16


class _Connection:
    """One request at a time: `body` is on its way, or there is nothing to send any more."""

    def __init__(self, address: Address, bodies: Sequence[bytes], poll: selectors.BaseSelector) -> None:
        self._socket = socket.create_connection(address)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setblocking(False)
        self._host = "{}:{}".format(*address)
        self._left, self._poll = deque(bodies), poll
        self._sending = memoryview(b"")
        self._answer = bytearray()
        self.refused = 0
        poll.register(self._socket, selectors.EVENT_READ, self)

    def next(self) -> bool:
        """Send the next body; False where all are acknowledged."""
        if not self._left:
            self._poll.unregister(self._socket)
            self._socket.close()
            return False
        body = self._left[0]
        head = f"POST /v1/traces HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/x-protobuf\r\n"
        self._sending = memoryview(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        self.send()
        return True

    def send(self) -> None:
        """As much as the socket takes; the rest when it takes more."""
        with contextlib.suppress(BlockingIOError):
            self._sending = self._sending[self._socket.send(self._sending) :]
        waits = selectors.EVENT_WRITE if self._sending else 0
        self._poll.modify(self._socket, selectors.EVENT_READ | waits, self)

    def receive(self) -> bool | None:
        """Whether the request is acknowledged; None: the answer is not whole yet. Raises RuntimeError for an unexpected one."""
        piece = self._socket.recv(_CHUNK)
        if not piece:
            raise RuntimeError("the collector closed a connection")
        self._answer += piece
        end = self._answer.find(b"\r\n\r\n")
        length = _LENGTH.search(self._answer, 0, end + 2) if end >= 0 else None
        if length is None or len(self._answer) < end + 4 + int(length[1]):
            return None
        status, answer = HTTPStatus(int(self._answer[_STATUS])), bytes(self._answer[end + 4 :])
        self._answer.clear()
        if status == HTTPStatus.OK:
            must_be_whole(answer)
            self._left.popleft()
        elif status in REFUSED:
            self.refused += 1
        else:
            raise RuntimeError(f"HTTP {status}")
        return status == HTTPStatus.OK


def deliver(address: Address, bodies: Sequence[bytes], connections: int) -> tuple[float, int]:
    """Send all bodies over this many connections at once: the seconds until the last answer, and the refusals."""
    return drive(lambda mine, poll: _Connection(address, mine, poll), bodies, connections)
