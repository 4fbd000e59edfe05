"""Bytes → frames, incrementally: whatever way the bytes are cut, the same frames come out (RFC 9113, 4.1 and 6).

The payload of DATA is passed on as it comes, so that a large frame is never held twice; every other frame is passed on
when it is whole, and what nobody looks at is skipped without being kept.
"""

from collections.abc import Callable

from collector.web.http2.frames import (
    ACK,
    CONTINUATION,
    DATA,
    END_STREAM,
    GOAWAY,
    HEADER,
    HEADER_SIZE,
    HEADERS,
    LARGEST_STREAM,
    PADDED,
    PING,
    PRIORITY,
    PUSH_PROMISE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    Code,
    ConnectionFault,
)

OnFrame = Callable[[int, int, int, bytes], None]
"""Kind, flags, stream and payload of a frame other than DATA; of what is skipped the payload is empty."""

OnData = Callable[[int, bytes, int, bool, bool], None]
"""Stream, a piece of its body, the bytes of flow control that the piece took (padding too), whether it is the frame's last
piece, and whether it is the stream's."""

_LENGTHS = {PRIORITY: 5, RST_STREAM: 4, PING: 8, WINDOW_UPDATE: 4}
_OF_STREAMS = frozenset({DATA, HEADERS, PRIORITY, RST_STREAM, PUSH_PROMISE, CONTINUATION})
_OF_THE_CONNECTION = frozenset({SETTINGS, PING, GOAWAY})
_KEPT = frozenset({HEADERS, CONTINUATION, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE})

_SETTINGS_SIZE = 6
_MOST_SETTINGS = 6 * 128
_GOAWAY_SIZE = 8


class FrameReader:
    """Reads what one peer sends after its preface. `largest`: bytes of a frame; `largest_block`: of one with headers."""

    def __init__(self, on_frame: OnFrame, on_data: OnData, largest: int, largest_block: int) -> None:
        self._on_frame, self._on_data = on_frame, on_data
        self._largest, self._largest_block = largest, largest_block
        self._rest = bytearray()
        self._needed = HEADER_SIZE
        self._skipping = 0
        self._stream = self._flags = 0
        self._left = self._padding = 0

    def feed(self, data: bytes | memoryview) -> None:
        """More bytes. Raises ConnectionFault; nothing may be fed afterwards."""
        if self._rest:
            self._rest += data
            if len(self._rest) < self._needed:
                return
            data, self._rest = memoryview(self._rest), bytearray()
        at, end, self._needed = 0, len(data), 0
        while not self._needed:
            if self._left:
                at = self._data_piece(data, at, end, 0)
            elif self._skipping:
                step = min(self._skipping, end - at)
                self._skipping -= step
                at += step
            if end - at < HEADER_SIZE:
                self._needed = HEADER_SIZE
            else:
                at = self._frame(data, at, end)
        if at < end:
            self._rest = bytearray(data[at:])

    def _frame(self, data: bytes | memoryview, at: int, end: int) -> int:
        """A frame, of which at least the header is there. Where to read on; `needed` is set where more must come first."""
        high, low, kind, flags, stream = HEADER.unpack_from(data, at)
        length, stream = high << 16 | low, stream & LARGEST_STREAM
        if length > self._largest:
            raise ConnectionFault(Code.FRAME_SIZE_ERROR, "the frame is larger than SETTINGS_MAX_FRAME_SIZE")
        if kind == DATA:
            return self._begin_data(data, at, end, length, flags, stream)
        self._check(kind, flags, stream, length)
        begin = at + HEADER_SIZE
        if kind not in _KEPT:
            self._skipping = length
            self._on_frame(kind, flags, stream, b"")
            return begin
        if end - begin < length:
            self._needed = HEADER_SIZE + length
            return at
        self._on_frame(kind, flags, stream, bytes(data[begin : begin + length]))
        return begin + length

    def _begin_data(self, data: bytes | memoryview, at: int, end: int, length: int, flags: int, stream: int) -> int:
        """The header of DATA, and what has come of its payload."""
        if stream == 0:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "DATA belongs to a stream")
        self._stream, self._flags, self._left, self._padding = stream, flags, length, 0
        at += HEADER_SIZE
        if not flags & PADDED:
            if length:
                return self._data_piece(data, at, end, 0) if at < end else at
            self._on_data(stream, b"", 0, True, bool(flags & END_STREAM))
            return at
        if length == 0:
            raise ConnectionFault(Code.FRAME_SIZE_ERROR, "a padded frame has a length of padding")
        if at == end:
            self._left, self._needed = 0, HEADER_SIZE + 1
            return at - HEADER_SIZE
        self._left, self._padding = length - 1, data[at]
        if self._padding > self._left:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "more padding than frame")
        return self._data_piece(data, at + 1, end, 1)

    def _data_piece(self, data: bytes | memoryview, at: int, end: int, before: int) -> int:
        """Pass on what has come of the frame; `before`: bytes that count for flow control beside it."""
        step = min(self._left, end - at)
        body = min(step, max(self._left - self._padding, 0))
        self._left -= step
        done = self._left == 0
        if step or before:
            ends = done and bool(self._flags & END_STREAM)
            self._on_data(self._stream, bytes(data[at : at + body]), step + before, done, ends)
        return at + step

    def _check(self, kind: int, flags: int, stream: int, length: int) -> None:
        """What can be said of a frame by its header alone."""
        if (kind in _OF_STREAMS and stream == 0) or (kind in _OF_THE_CONNECTION and stream):
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a frame on a stream where it does not belong")
        if length != _LENGTHS.get(kind, length) or (kind == GOAWAY and length < _GOAWAY_SIZE):
            raise ConnectionFault(Code.FRAME_SIZE_ERROR, "a frame of a wrong size")
        if kind in {HEADERS, CONTINUATION}:
            if length > self._largest_block:
                raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "the head is too large")
        elif kind == SETTINGS:
            if length % _SETTINGS_SIZE or (flags & ACK and length):
                raise ConnectionFault(Code.FRAME_SIZE_ERROR, "SETTINGS of a wrong size")
            if length > _MOST_SETTINGS:
                raise ConnectionFault(Code.ENHANCE_YOUR_CALM, "too many settings")
        elif kind == PUSH_PROMISE:
            raise ConnectionFault(Code.PROTOCOL_ERROR, "a client promises nothing")
