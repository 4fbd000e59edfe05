"""What processes of free SQL say to each other over sockets: orders to fork, and frames (a kind, a length, bytes)."""

import os
import socket
import struct
from typing import Any

import orjson

ORDER = struct.Struct("!ddd")
"""Seconds that the new process may take (0: no limit), since when (the machine's monotonic clock) its data must be complete,
and how much older it may be where that spares much. Its socket comes with it."""
YES, STALE = b"y", b"s"

FRAME = struct.Struct("!cI")
DATA, END = b"d", b"e"


def order(control: socket.socket, seconds: float = 0.0, since: float = 0.0, age: float = 0.0) -> socket.socket | None:
    """Have a process forked; the socket that leads to it, or None where what it would read is out of date or gone."""
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            socket.send_fds(control, [ORDER.pack(seconds, since, age)], [theirs.fileno()])
            if exactly(control, 1) == YES:
                return ours
        except (EOFError, OSError):
            pass
    ours.close()
    return None


def send(peer: socket.socket, value: Any) -> None:
    """One value as a frame."""
    text = orjson.dumps(value)
    peer.sendall(FRAME.pack(END, len(text)) + text)


def receive(peer: socket.socket) -> Any:
    """The value of one frame. Raises EOFError where the other end is gone."""
    return orjson.loads(exactly(peer, FRAME.unpack(exactly(peer, FRAME.size))[1]))


def write(to: int, kind: bytes, data: bytes | memoryview) -> None:
    """One frame, by plain writes: a cell may not call what sockets offer."""
    for part in (FRAME.pack(kind, len(data)), data):
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(to, rest) :]


def exactly(peer: socket.socket, size: int) -> bytes:
    """So many bytes. Raises EOFError where they do not come."""
    data = bytearray()
    while len(data) < size:
        part = peer.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
