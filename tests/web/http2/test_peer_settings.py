"""What a client announces; wrong values are tried with the session."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from collector.web.http2.frames import ConnectionFault
from collector.web.http2.peer_settings import (
    HEADER_TABLE_SIZE,
    INITIAL_WINDOW_SIZE,
    MAX_CONCURRENT_STREAMS,
    MAX_FRAME_SIZE,
    PeerSettings,
)


def taken(*values: tuple[int, int]) -> PeerSettings:
    """After one frame."""
    found = PeerSettings()
    found.take(b"".join(struct.pack(">HI", *value) for value in values))
    return found


def test_what_matters_is_kept() -> None:
    """The last value of each counts, and what does not concern us is ignored."""
    assert taken() == PeerSettings(4096, 65_535, 16_384)
    values = ((MAX_FRAME_SIZE, 20_000), (MAX_FRAME_SIZE, 30_000), (INITIAL_WINDOW_SIZE, 0), (HEADER_TABLE_SIZE, 7))
    assert taken(*values, (MAX_CONCURRENT_STREAMS, 0), (0xFFFF, 1)) == PeerSettings(7, 0, 30_000)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2**32 - 1)), max_size=6))
def test_values_stay_in_their_range(values: list[tuple[int, int]]) -> None:
    """Whatever is announced is refused, or one can send by it."""
    try:
        found = taken(*values)
    except ConnectionFault:
        return
    assert 16_384 <= found.frame < 2**24
    assert 0 <= found.window < 2**31
