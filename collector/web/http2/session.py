"""What the frames of one connection mean (RFC 9113, 5 and 6).

It knows no sockets: bytes come by `feed`, and go to `write`. What the peer does wrong to the connection is raised as
ConnectionFault, what it does wrong to a stream ends that stream.
"""

from collections.abc import Callable

from collector.web.http2 import frames
from collector.web.http2.blocks import BlockReader
from collector.web.http2.frames import Code, ConnectionFault
from collector.web.http2.head import HEAD_BYTES, Malformed, check_trailers
from collector.web.http2.heading import Heading
from collector.web.http2.patience import EMPTY, EMPTY_A_SECOND, RESETS, RESETS_A_SECOND, USEFUL, Allowance, Pings
from collector.web.http2.peer_settings import INITIAL_WINDOW_SIZE, MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE, MAX_LIST_SIZE
from collector.web.http2.reader import FrameReader
from collector.web.http2.site import Site
from collector.web.http2.streams import Streams

_GOODBYE = b"goodbye!"
_LARGE_HEAD = 50.0
"""What a head that is too large costs of the allowance of empty frames: reading it takes some milliseconds."""

_SMALL, _OF_A_SMALL_ONE = 64, 0.25
"""Bytes below which a frame of a body counts as one that brings little, and what it costs of the same allowance."""


class Session:
    """One connection after its preface. `heard`, the time in seconds, is set by who feeds, before each time."""

    def __init__(self, site: Site, peer: str, write: Callable[[bytes], None], on_idle: Callable[[], None]) -> None:
        bounds = site.bounds
        self._site, self._write = site, write
        self.streams = Streams(site, write, self._on_answer, on_idle)
        self.heard = self.active = 0.0
        """When bytes came last, and when a stream or a ping did."""
        self.settled = False
        """The peer's SETTINGS came, as they must (RFC 9113, 3.4)."""
        self.leaving = self.refusing = False
        """The peer was told to go; and has heard it, so that further streams are not looked at."""
        self._last = 0
        self._window, self._half = bounds.connection_window, bounds.connection_window // 2
        self._headings = BlockReader(lambda pairs: Heading(pairs, peer), bounds.head_list)
        self._reader = FrameReader(self._on_frame, self._on_data, bounds.frame, bounds.head_list)
        self._block: bytearray | None = None
        self._block_of, self._block_since = (0, 0), 0.0
        self._pings = Pings()
        self._resets, self._empty = Allowance(RESETS, RESETS_A_SECOND), Allowance(EMPTY, EMPTY_A_SECOND)
        self._handlers: dict[int, Callable[[int, int, bytes], None]] = {
            frames.HEADERS: self._on_headers,
            frames.CONTINUATION: self._on_continuation,
            frames.RST_STREAM: self._on_reset,
            frames.SETTINGS: self._on_settings,
            frames.PING: self._on_ping,
            frames.WINDOW_UPDATE: self._on_window_update,
        }

    def start(self) -> None:
        """Say what we take (RFC 9113, 6.5.2)."""
        bounds = self._site.bounds
        told = {
            MAX_CONCURRENT_STREAMS: bounds.streams,
            INITIAL_WINDOW_SIZE: bounds.stream_window,
            MAX_FRAME_SIZE: bounds.frame,
            MAX_LIST_SIZE: HEAD_BYTES,
        }
        more = bounds.connection_window - frames.DEFAULT_WINDOW
        self._write(frames.settings(told) + frames.window_update(0, more))

    def feed(self, data: bytes | memoryview) -> None:
        """More bytes of the peer. Raises ConnectionFault."""
        self._reader.feed(data)

    def check(self, now: float) -> None:
        """End what broke a limit of time. Raises ConnectionFault."""
        if self._block is not None and now - self._block_since > self._site.limits.header_seconds:
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "the head does not come")
        self.streams.check(now)

    def say_goodbye(self) -> None:
        """The peer is to open no more streams; those that are on their way still count (RFC 9113, 6.8)."""
        if not self.leaving:
            self.leaving = True
            self._write(frames.goaway(frames.LARGEST_STREAM, Code.NO_ERROR) + frames.frame(frames.PING, 0, 0, _GOODBYE))

    def last_call(self) -> None:
        """The peer has heard it, or had the time to: what it opens from now on is not looked at, and it knows that."""
        if not self.refusing:
            self.leaving = self.refusing = True
            self._write(frames.goaway(self._last, Code.NO_ERROR))

    def farewell(self, fault: ConnectionFault) -> None:
        """The last frame of a connection that ends for a fault."""
        self._write(frames.goaway(self._last, fault.code, fault.text))

    def drop(self) -> None:
        """The peer is gone, or is not heard any more; answers that are being made are finished (G-11)."""
        for stream in list(self.streams.open.values()):
            self.streams.forget(stream)

    # frames

    def _on_frame(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if self._block is not None and kind != frames.CONTINUATION:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a frame within a head")
        if not self.settled and (kind != frames.SETTINGS or flags & frames.ACK):
            raise ConnectionFault(Code.PROTOCOL_ERROR, "the first frame is not SETTINGS")
        handler = self._handlers.get(kind)
        if handler is not None:
            handler(flags, number, payload)
        else:
            self._tire()  # PRIORITY, GOAWAY and what nobody knows are ignored (RFC 9113, 4.1, 5.3.2, 5.5)

    def _on_headers(self, flags: int, number: int, payload: bytes) -> None:
        if flags & (frames.PADDED | frames.WITH_PRIORITY):
            payload = frames.fragment(flags, payload)
        if flags & frames.END_HEADERS:
            self._head(flags, number, payload)
        else:
            self._block, self._block_of, self._block_since = bytearray(payload), (flags, number), self.heard

    def _on_continuation(self, flags: int, number: int, payload: bytes) -> None:
        if self._block is None or number != self._block_of[1]:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "CONTINUATION of no head")
        self._tire()  # with END_HEADERS never coming there would be no end of them (CVE-2024-27316)
        self._block += payload
        if len(self._block) > self._site.bounds.head_list:
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "the head is too large")
        if flags & frames.END_HEADERS:
            block, self._block = bytes(self._block), None
            self._head(*self._block_of, block)

    def _on_reset(self, _flags: int, number: int, _payload: bytes) -> None:
        self._must_have_begun(number)
        stream = self.streams.open.get(number)
        if stream is None:
            self._tire()
            return
        self.streams.taken_back(stream)
        if not self._resets.take(self.heard):
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "too many streams are taken back")

    def _on_settings(self, flags: int, _number: int, payload: bytes) -> None:
        self._tire()
        if not flags & frames.ACK:
            self.settled = True
            self.streams.out.set(payload, list(self.streams.open.values()))
            self._write(frames.frame(frames.SETTINGS, frames.ACK, 0))
            self.streams.send_more()

    def _on_ping(self, flags: int, _number: int, payload: bytes) -> None:
        self.active = self.heard
        if flags & frames.ACK:
            self._tire()
            if payload == _GOODBYE and self.leaving:
                self.last_call()
            return
        if not self._pings.take(self.heard):
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "too_many_pings")
        self._write(frames.frame(frames.PING, frames.ACK, 0, payload))

    def _on_window_update(self, _flags: int, number: int, payload: bytes) -> None:
        self._tire()
        increment = int.from_bytes(payload, "big") & frames.LARGEST_WINDOW
        if number == 0:
            if increment == 0:
                raise ConnectionFault(Code.PROTOCOL_ERROR, "WINDOW_UPDATE of nothing")
            self.streams.out.grow(increment)
        else:
            self._must_have_begun(number)
            stream = self.streams.open.get(number)
            if stream is None:
                return
            stream.send_window += increment
            if increment == 0 or stream.send_window > frames.LARGEST_WINDOW:
                self.streams.reset(stream, Code.FLOW_CONTROL_ERROR if increment else Code.PROTOCOL_ERROR)
                return
        self.streams.send_more()

    def _on_data(self, number: int, piece: bytes, flow: int, done: bool, ends: bool) -> None:
        if self._block is not None or not self.settled:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "DATA where it does not belong")
        self._window -= flow
        if self._window < self._half:
            more = self._site.bounds.connection_window - self._window
            if self._window < 0:
                raise ConnectionFault(Code.FLOW_CONTROL_ERROR, "more than the window of the connection")
            self._window += more
            self._write(frames.window_update(0, more))
        if done and not ends and (flow < _SMALL or not piece):
            self._tire(_OF_A_SMALL_ONE if piece else 1.0)
        stream = self.streams.open.get(number)
        if stream is not None:
            self.streams.feed(stream, piece, flow, self.heard, ends=ends)
        elif not (self.refusing and number > self._last) and not self.streams.closed.ignores(number, flow):
            self._must_have_begun(number)
            raise self.streams.closed.fault(number)

    def _head(self, flags: int, number: int, block: bytes) -> None:
        heading = self._headings.read(block)  # whatever becomes of it: the next block may rest on it
        ends = bool(flags & frames.END_STREAM)
        if number <= self._last:
            self._second_head(number, heading, ends=ends)
            return
        if not number & 1:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a client's streams have odd numbers")
        if self.refusing:
            return
        self._last, self.active = number, self.heard
        if heading.large:
            self._tire(_LARGE_HEAD)
        self.streams.begin(number, heading, self.heard, ends=ends)

    def _second_head(self, number: int, heading: Heading, *, ends: bool) -> None:
        """Trailers, or what comes for a stream that is over."""
        stream = self.streams.open.get(number)
        if stream is None:
            if not self.streams.closed.ignores(number):
                raise self.streams.closed.fault(number)
            return
        try:
            check_trailers(heading.pairs)
        except Malformed:
            ends = False
        if stream.ended:
            self.streams.reset(stream, Code.STREAM_CLOSED)
        elif not ends or heading.large:
            self.streams.reset(stream, Code.PROTOCOL_ERROR)
        else:
            self.streams.whole(stream)

    def _must_have_begun(self, number: int) -> None:
        if number > self._last and not self.refusing:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a frame for a stream that was not opened")

    def _on_answer(self) -> None:
        self.active = self.heard
        self._pings.answered()
        self._empty.give(USEFUL)

    def _tire(self, by: float = 1.0) -> None:
        """A frame came that brings nothing by itself."""
        if not self._empty.take(self.heard, by):
            raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "too many frames that bring nothing")
