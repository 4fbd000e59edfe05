"""HTTP/2 frames as bytes: kinds, flags, error codes, and how each frame that we send looks (RFC 9113, 4 and 6)."""

import struct
from enum import IntEnum

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""What a client sends first (RFC 9113, 3.4)."""

HEADER = struct.Struct(">BHBBI")
"""Length (8 and 16 bits), kind, flags, stream."""

HEADER_SIZE = 9
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)

END_STREAM, ACK, END_HEADERS, PADDED, WITH_PRIORITY = 0x1, 0x1, 0x4, 0x8, 0x20

LARGEST_WINDOW = 2**31 - 1
LARGEST_STREAM = 2**31 - 1
LARGEST_FRAME = 2**24 - 1

SMALLEST_FRAME = 16_384
"""The size of frames that everybody must take (RFC 9113, 4.2)."""

DEFAULT_WINDOW = 65_535


class Code(IntEnum):
    """Why a stream or a connection ends (RFC 9113, 7)."""

    NO_ERROR = 0
    PROTOCOL_ERROR = 1
    INTERNAL_ERROR = 2
    FLOW_CONTROL_ERROR = 3
    SETTINGS_TIMEOUT = 4
    STREAM_CLOSED = 5
    FRAME_SIZE_ERROR = 6
    REFUSED_STREAM = 7
    CANCEL = 8
    COMPRESSION_ERROR = 9
    ENHANCE_YOUR_CALM = 11


class ConnectionFault(Exception):  # noqa: N818 -- what the peer did, not what went wrong here
    """The peer broke a rule, and the connection ends for it. The text is sent: it holds nothing that came."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A frame. The payload must fit what the peer takes: that is the caller's part."""
    size = len(payload)
    return HEADER.pack(size >> 16, size & 0xFFFF, kind, flags, stream) + payload


def headers(stream: int, last: int, block: bytes, largest: int) -> bytes:
    """A header block in as many frames as it takes, where one may have `largest` bytes (RFC 9113, 4.3 and 6.10).

    `last` is END_STREAM, or 0.
    """
    if len(block) <= largest:
        return frame(HEADERS, END_HEADERS | last, stream, block)
    made = frame(HEADERS, last, stream, block[:largest])
    for start in range(largest, len(block), largest):
        ends = END_HEADERS if start + largest >= len(block) else 0
        made += frame(CONTINUATION, ends, stream, block[start : start + largest])
    return made


def settings(values: dict[int, int]) -> bytes:
    """SETTINGS with these parameters (RFC 9113, 6.5)."""
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", name, value) for name, value in values.items()))


def window_update(stream: int, increment: int) -> bytes:
    """WINDOW_UPDATE of a stream, or of the connection (0) (RFC 9113, 6.9)."""
    return frame(WINDOW_UPDATE, 0, stream, increment.to_bytes(4, "big"))


def rst_stream(stream: int, code: Code) -> bytes:
    """RST_STREAM (RFC 9113, 6.4)."""
    return frame(RST_STREAM, 0, stream, code.to_bytes(4, "big"))


def goaway(last: int, code: Code, text: str = "") -> bytes:
    """GOAWAY: streams above `last` were not looked at (RFC 9113, 6.8)."""
    return frame(GOAWAY, 0, 0, last.to_bytes(4, "big") + code.to_bytes(4, "big") + text.encode())


def fragment(flags: int, payload: bytes) -> bytes:
    """What HEADERS hold of the block, without padding and priority (RFC 9113, 6.2). Raises ConnectionFault."""
    start, end = 0, len(payload)
    if flags & PADDED:
        if not payload:
            raise ConnectionFault(Code.FRAME_SIZE_ERROR, "a padded frame has a length of padding")
        start, end = 1, end - payload[0]
    if flags & WITH_PRIORITY:
        start += 5
    if start > end:
        raise ConnectionFault(Code.PROTOCOL_ERROR, "more padding than frame")
    return payload[start:end]
