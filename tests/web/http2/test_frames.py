"""Frames that we send are read by another library (hyperframe)."""

import pytest
from hyperframe import frame as other

from collector.web.http2 import frames
from collector.web.http2.frames import Code, ConnectionFault


def parsed(raw: bytes) -> other.Frame:
    """One frame."""
    found, size = other.Frame.parse_frame_header(memoryview(raw[:9]))
    assert len(raw) == 9 + size
    found.parse_body(memoryview(raw[9:]))
    return found


def test_each_frame_is_what_it_says() -> None:
    """Kind, flags, stream and contents."""
    data = parsed(frames.frame(frames.DATA, frames.END_STREAM, 5, b"x" * 70_000))
    assert isinstance(data, other.DataFrame)
    assert (data.stream_id, data.flags, len(data.data)) == (5, {"END_STREAM"}, 70_000)
    settings = parsed(frames.settings({3: 100, 6: 16_384}))
    assert isinstance(settings, other.SettingsFrame)
    assert settings.settings == {3: 100, 6: 16_384}
    update = parsed(frames.window_update(7, 1000))
    assert isinstance(update, other.WindowUpdateFrame)
    assert (update.stream_id, update.window_increment) == (7, 1000)
    reset = parsed(frames.rst_stream(9, Code.REFUSED_STREAM))
    assert isinstance(reset, other.RstStreamFrame)
    assert (reset.stream_id, reset.error_code) == (9, 7)
    away = parsed(frames.goaway(11, Code.ENHANCE_YOUR_CALM, "too_many_pings"))
    assert isinstance(away, other.GoAwayFrame)
    assert (away.last_stream_id, away.error_code, away.additional_data) == (11, 11, b"too_many_pings")


def test_the_block_of_a_head_is_found() -> None:
    """Behind padding and priority; what cannot be is a fault (RFC 9113, 6.2)."""
    assert frames.fragment(0, b"block") == b"block"
    assert frames.fragment(frames.PADDED | frames.WITH_PRIORITY, b"\x02" + bytes(5) + b"block\0\0") == b"block"
    for flags, payload in ((frames.PADDED, b""), (frames.PADDED, b"\x02a"), (frames.WITH_PRIORITY, bytes(4))):
        with pytest.raises(ConnectionFault):
            frames.fragment(flags, payload)


def test_a_long_block_takes_several_frames() -> None:
    """HEADERS, and CONTINUATION until it ends; END_STREAM stands on the first (RFC 9113, 6.10)."""
    block = bytes(range(250))
    for largest, kinds in ((250, [1]), (249, [1, 9]), (100, [1, 9, 9]), (125, [1, 9])):
        raw, found = frames.headers(3, frames.END_STREAM, block, largest), []
        while raw:
            size = 9 + int.from_bytes(raw[:3], "big")
            found.append(parsed(raw[:size]))
            raw = raw[size:]
        assert [each.type for each in found] == kinds
        assert b"".join(each.data for each in found) == block
        assert ["END_HEADERS" in each.flags for each in found] == [False] * (len(kinds) - 1) + [True]
        assert ["END_STREAM" in each.flags for each in found] == [True] + [False] * (len(kinds) - 1)
