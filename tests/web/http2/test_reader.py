"""Bytes → frames, without sockets."""

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.web.http2 import frames
from collector.web.http2.frames import Code, ConnectionFault, frame
from collector.web.http2.reader import FrameReader

SOME = b"".join(
    (
        frame(frames.SETTINGS, 0, 0, bytes(12)),
        frame(frames.HEADERS, frames.END_HEADERS, 1, b"block"),
        frame(frames.DATA, 0, 1, b"first"),
        frame(frames.DATA, frames.PADDED, 1, b"\x03second\0\0\0"),
        frame(frames.PRIORITY, 0, 3, bytes(5)),
        frame(77, 0xFF, 9, b"nobody knows"),
        frame(frames.DATA, frames.PADDED | frames.END_STREAM, 1, b"\0"),
        frame(frames.DATA, 0, 5),
        frame(frames.PING, frames.ACK, 0, b"pingpong"),
        frame(frames.GOAWAY, 0, 0, bytes(20)),
        frame(frames.DATA, frames.END_STREAM, 3, b"x" * 1000),
    )
)


def read(*parts: bytes, largest: int = 16_384) -> list[tuple[object, ...]]:
    """What comes out: frames, and the DATA of each stream joined until a frame of it is whole."""
    found: list[tuple[object, ...]] = []
    pieces: list[bytes] = []
    flows: list[int] = []

    def on_data(stream: int, piece: bytes, flow: int, done: bool, ends: bool) -> None:
        pieces.append(piece)
        flows.append(flow)
        if done:
            found.append(("data", stream, b"".join(pieces), sum(flows), ends))
            pieces.clear()
            flows.clear()

    reader = FrameReader(lambda *frame: found.append(frame), on_data, largest, 1000)
    for part in parts:
        reader.feed(memoryview(part))
    return found


whole_frames = read(SOME)


def test_each_frame_comes_out() -> None:
    """Whole frames with their payload, DATA without padding, and of what nobody looks at the header alone."""
    assert whole_frames == [
        (frames.SETTINGS, 0, 0, bytes(12)),
        (frames.HEADERS, frames.END_HEADERS, 1, b"block"),
        ("data", 1, b"first", 5, False),
        ("data", 1, b"second", 10, False),
        (frames.PRIORITY, 0, 3, b""),
        (77, 0xFF, 9, b""),
        ("data", 1, b"", 1, True),
        ("data", 5, b"", 0, False),
        (frames.PING, frames.ACK, 0, b"pingpong"),
        (frames.GOAWAY, 0, 0, b""),
        ("data", 3, b"x" * 1000, 1000, True),
    ]


@given(st.lists(st.integers(1, len(SOME) - 1), max_size=40).map(sorted))
def test_any_split_gives_the_same_frames(cuts: list[int]) -> None:
    """However the bytes are cut, the same frames come out."""
    edges = [0, *cuts, len(SOME)]
    assert read(*(SOME[start:stop] for start, stop in pairwise(edges) if start < stop)) == whole_frames


def test_byte_by_byte_is_a_split_too() -> None:
    """The finest cut of all gives the same frames."""
    assert read(*(SOME[place : place + 1] for place in range(len(SOME)))) == whole_frames


@given(st.lists(st.binary(max_size=60) | st.sampled_from([SOME[:30], SOME[21:80], b"\0\0\0"]), max_size=8))
def test_any_bytes_end_in_frames_or_a_fault(parts: list[bytes]) -> None:
    """Nothing else is raised, whatever comes."""
    with suppress(ConnectionFault):
        read(*parts)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(frames.DATA, 0, 1, bytes(20_000))[:9], Code.FRAME_SIZE_ERROR),
        (frame(frames.SETTINGS, 0, 0, bytes(7)), Code.FRAME_SIZE_ERROR),
        (frame(frames.SETTINGS, frames.ACK, 0, bytes(6)), Code.FRAME_SIZE_ERROR),
        (frame(frames.SETTINGS, 0, 0, bytes(6000)), Code.ENHANCE_YOUR_CALM),
        (frame(frames.PING, 0, 0, bytes(7)), Code.FRAME_SIZE_ERROR),
        (frame(frames.PRIORITY, 0, 1, bytes(4)), Code.FRAME_SIZE_ERROR),
        (frame(frames.RST_STREAM, 0, 1, bytes(3)), Code.FRAME_SIZE_ERROR),
        (frame(frames.WINDOW_UPDATE, 0, 0, bytes(5)), Code.FRAME_SIZE_ERROR),
        (frame(frames.GOAWAY, 0, 0, bytes(7)), Code.FRAME_SIZE_ERROR),
        (frame(frames.DATA, 0, 0, b"x"), Code.PROTOCOL_ERROR),
        (frame(frames.HEADERS, 0, 0, b"x"), Code.PROTOCOL_ERROR),
        (frame(frames.RST_STREAM, 0, 0, bytes(4)), Code.PROTOCOL_ERROR),
        (frame(frames.SETTINGS, 0, 1), Code.PROTOCOL_ERROR),
        (frame(frames.PING, 0, 1, bytes(8)), Code.PROTOCOL_ERROR),
        (frame(frames.PUSH_PROMISE, 0, 1, bytes(8)), Code.PROTOCOL_ERROR),
        (frame(frames.DATA, frames.PADDED, 1, b"\x05abc"), Code.PROTOCOL_ERROR),
        (frame(frames.DATA, frames.PADDED, 1), Code.FRAME_SIZE_ERROR),
        (frame(frames.HEADERS, 0, 1, bytes(1001)), Code.ENHANCE_YOUR_CALM),
    ],
)
def test_what_no_frame_may_be(sent: bytes, code: Code) -> None:
    """A frame of a wrong size or on a wrong stream ends the connection, as soon as its header is there (RFC 9113, 6)."""
    with pytest.raises(ConnectionFault) as caught:
        read(sent)
    assert caught.value.code == code


def test_an_unfinished_frame_is_not_copied_again_and_again() -> None:
    """What has come of a frame is looked at again when it is whole, and not with each byte."""
    sent = frame(frames.HEADERS, 0, 1, bytes(900))
    reader = FrameReader(lambda *_: None, lambda *_: None, 16_384, 1000)
    for place in range(len(sent) - 1):
        reader.feed(sent[place : place + 1])
    assert (len(reader._rest), reader._needed) == (len(sent) - 1, len(sent))
