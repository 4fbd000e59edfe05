"""What a client announces about itself (RFC 9113, 6.5)."""

import struct
from dataclasses import dataclass

from collector.web.http2.frames import (
    DEFAULT_WINDOW,
    LARGEST_FRAME,
    LARGEST_WINDOW,
    SMALLEST_FRAME,
    Code,
    ConnectionFault,
)

HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_LIST_SIZE = range(1, 7)


@dataclass(slots=True)
class PeerSettings:
    """The parameters that matter to somebody who sends small answers."""

    table: int = 4096
    window: int = DEFAULT_WINDOW
    frame: int = SMALLEST_FRAME

    def take(self, payload: bytes) -> None:
        """A SETTINGS frame, of which the last value of each counts; unknown ones are ignored. Raises ConnectionFault."""
        for name, value in struct.iter_unpack(">HI", payload):
            if name == HEADER_TABLE_SIZE:
                self.table = value
            elif name == ENABLE_PUSH and value > 1:
                raise ConnectionFault(Code.PROTOCOL_ERROR, "SETTINGS_ENABLE_PUSH is neither 0 nor 1")
            elif name == INITIAL_WINDOW_SIZE:
                if value > LARGEST_WINDOW:
                    raise ConnectionFault(Code.FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE is too large")
                self.window = value
            elif name == MAX_FRAME_SIZE:
                if not SMALLEST_FRAME <= value <= LARGEST_FRAME:
                    raise ConnectionFault(Code.PROTOCOL_ERROR, "SETTINGS_MAX_FRAME_SIZE is out of its range")
                self.frame = value
