"""The sending side of a connection: whole answers in one write, or as much of them as the peer has room for (RFC 9113, 5.2)."""

from collections.abc import Callable, Iterator

from collector.web.http2.blocks import NO_TABLE, TABLE_SIZE
from collector.web.http2.calls import Reply
from collector.web.http2.frames import (
    DATA,
    DEFAULT_WINDOW,
    END_STREAM,
    LARGEST_WINDOW,
    Code,
    ConnectionFault,
    frame,
    headers,
)
from collector.web.http2.peer_settings import PeerSettings
from collector.web.http2.stream import Stream


class Outgoing:
    """What the peer takes, and the answers that wait for it. `write` gets bytes in the order of the wire."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self.settings = PeerSettings()
        self.window = DEFAULT_WINDOW
        """Bytes of bodies that the connection has room for."""
        self._waiting: dict[int, Stream] = {}
        self._before = b""
        self._no_table = False

    def answer(self, stream: Stream, reply: Reply) -> bool:
        """Send it; False: a part waits for room, which `more` sends."""
        size, number, head, largest = len(reply.body), stream.number, reply.head, self.settings.frame
        if self._before:
            head, self._before = self._before + head, b""
        last = 0 if reply.trailers else END_STREAM
        if not size:
            sent = headers(number, last, head, largest)
        elif size <= stream.send_window and size <= self.window and size <= largest:
            self.window -= size
            sent = headers(number, 0, head, largest) + frame(DATA, last, number, reply.body)
        else:
            self._write(headers(number, 0, head, largest))
            stream.reply = reply
            self._waiting[number] = stream
            return self._go_on(stream, reply)
        if reply.trailers:
            sent += headers(number, END_STREAM, reply.trailers, largest)
        self._write(sent)
        return True

    def more(self) -> Iterator[Stream]:
        """After the peer made room: the streams that are answered in full now."""
        for stream in list(self._waiting.values()):
            if stream.reply is not None and self._go_on(stream, stream.reply):
                yield stream

    def forget(self, stream: Stream) -> None:
        """What waits of its answer is not sent any more."""
        self._waiting.pop(stream.number, None)

    def grow(self, increment: int) -> None:
        """The connection has more room. Raises ConnectionFault (RFC 9113, 6.9.1)."""
        self.window += increment
        if self.window > LARGEST_WINDOW:
            raise ConnectionFault(Code.FLOW_CONTROL_ERROR, "the window is too large")

    def set(self, payload: bytes, streams: list[Stream]) -> None:
        """The peer's SETTINGS, which count for open streams, too (RFC 9113, 6.9.2). Raises ConnectionFault."""
        before = self.settings.window
        self.settings.take(payload)
        change = self.settings.window - before
        for stream in streams if change else ():
            stream.send_window += change
            if stream.send_window > LARGEST_WINDOW:
                raise ConnectionFault(Code.FLOW_CONTROL_ERROR, "the window of a stream is too large")
        if self.settings.table < TABLE_SIZE and not self._no_table:
            self._no_table, self._before = True, NO_TABLE

    def _go_on(self, stream: Stream, reply: Reply) -> bool:
        """Send what there is room for; whether that was the rest."""
        size = len(reply.body)
        while stream.sent < size:
            step = min(size - stream.sent, stream.send_window, self.window, self.settings.frame)
            if step <= 0:
                return False
            stream.send_window -= step
            self.window -= step
            body = reply.body[stream.sent : stream.sent + step]
            stream.sent += step
            ends = END_STREAM if stream.sent == size and not reply.trailers else 0
            self._write(frame(DATA, ends, stream.number, body))
        if reply.trailers:
            self._write(headers(stream.number, END_STREAM, reply.trailers, self.settings.frame))
        del self._waiting[stream.number]
        return True
