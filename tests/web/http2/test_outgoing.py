"""Answers go as fast as the peer has room for them (RFC 9113, 5.2 and 6.9)."""

from collections.abc import Generator

import pytest

from collector.web.http2 import frames
from collector.web.http2.blocks import encoded
from collector.web.http2.calls import Reply
from collector.web.http2.frames import Code, ConnectionFault
from collector.web.http2.outgoing import Outgoing
from collector.web.http2.peer_settings import HEADER_TABLE_SIZE, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE
from collector.web.http2.stream import Stream
from tests.receive.collecting import elsewhere
from tests.web.http2.speaking import Raw, opening, serving


@pytest.fixture(scope="module")
def port() -> Generator[int]:
    """A server for all tests of this file."""
    with elsewhere(serving()) as found:
        yield found


def talk(port: int, settings: dict[int, int]) -> Raw:
    """A connection of a peer with these settings."""
    raw = Raw(port)
    raw.send(frames.PREFACE, frames.settings(settings))
    return raw


def body(raw: Raw, size: int) -> list[int]:
    """Sizes of the DATA frames that bring so many bytes."""
    sizes: list[int] = []
    while sum(sizes) < size:
        sizes.append(len(raw.until(frames.DATA).payload))
    assert sum(sizes) == size
    return sizes


def test_no_window_no_body(port: int) -> None:
    """A peer without room gets the head, and the body when it makes room, for the stream and for the connection."""
    raw = talk(port, {INITIAL_WINDOW_SIZE: 0})
    raw.send(opening(1, "/large"))
    raw.until(frames.HEADERS, 1)
    raw.send(frames.window_update(1, 10))
    assert body(raw, 10) == [10]
    raw.send(frames.settings({INITIAL_WINDOW_SIZE: 200_000}))
    body(raw, 65_535 - 10)  # the window of the connection
    raw.send(frames.window_update(0, 1 << 20))
    body(raw, 200_000 - 65_535)
    assert raw.until(frames.HEADERS, 1).flags & frames.END_STREAM
    raw.close()


def test_frames_are_as_large_as_the_peer_takes(port: int) -> None:
    """16 KiB at first, and more where it announces more."""
    for settings, largest in (({}, 16_384), ({MAX_FRAME_SIZE: 40_000}, 40_000)):
        raw = talk(port, settings)
        raw.send(opening(1, "/large"))
        assert max(body(raw, 65_535)) == largest
        raw.close()


def test_a_window_may_fall_below_zero(port: int) -> None:
    """A smaller INITIAL_WINDOW_SIZE counts for bytes that were sent already (RFC 9113, 6.9.2)."""
    raw = talk(port, {INITIAL_WINDOW_SIZE: 1000})
    raw.send(opening(1, "/large"))
    body(raw, 1000)
    raw.send(frames.settings({INITIAL_WINDOW_SIZE: 100}), frames.window_update(1, 900), frames.window_update(1, 7))
    assert body(raw, 7) == [7]
    raw.close()


def test_windows_cannot_overflow(port: int) -> None:
    """A stream's ends the stream, one that SETTINGS make too large the connection (RFC 9113, 6.9.1 and 6.9.2)."""
    raw = talk(port, {})
    raw.send(opening(1, "/slow", ends=False), frames.window_update(1, 2**31 - 1))
    assert raw.until(frames.RST_STREAM, 1).code == Code.FLOW_CONTROL_ERROR
    raw.send(opening(3, "/slow", ends=False), frames.window_update(3, 0))
    assert raw.until(frames.RST_STREAM, 3).code == Code.PROTOCOL_ERROR
    raw.send(opening(5, "/slow", ends=False), frames.window_update(5, 2**31 - 1 - 65_535))
    raw.send(frames.settings({INITIAL_WINDOW_SIZE: 65_536}))
    assert raw.ended_with() == Code.FLOW_CONTROL_ERROR


def test_a_stream_that_is_taken_back_is_not_sent_any_more(port: int) -> None:
    """What waits for room is forgotten with it."""
    raw = talk(port, {INITIAL_WINDOW_SIZE: 0})
    raw.send(opening(1, "/large"))
    raw.until(frames.HEADERS, 1)
    raw.send(frames.rst_stream(1, Code.CANCEL), frames.settings({INITIAL_WINDOW_SIZE: 50}), opening(3, "/large"))
    assert raw.until(frames.DATA).stream == 3
    raw.close()


def test_an_answer_is_one_write() -> None:
    """Head, body and trailers go out together where there is room."""
    written: list[bytes] = []
    head, trailers = encoded([(":status", "200")]), encoded([("a", "b")])
    assert Outgoing(written.append).answer(Stream(1, 0, 10, 10), Reply(head, b"body", trailers))
    assert written == [
        frames.frame(frames.HEADERS, 4, 1, head)
        + frames.frame(frames.DATA, 0, 1, b"body")
        + frames.frame(frames.HEADERS, 5, 1, trailers)
    ]


def test_a_peer_that_wants_no_table_is_told_that_there_is_none() -> None:
    """The first block after SETTINGS that make the table smaller says so, and no other (RFC 7541, 4.2)."""
    written: list[bytes] = []
    outgoing = Outgoing(written.append)
    outgoing.set(HEADER_TABLE_SIZE.to_bytes(2, "big") + bytes(4), [])
    for number in (1, 3):
        assert outgoing.answer(Stream(number, 0, 10, 10), Reply(b"\x88"))
    assert [sent[9:] for sent in written] == [b"\x20\x88", b"\x88"]


def test_the_window_of_the_connection_is_bounded() -> None:
    """More than 2**31 - 1 is a fault (RFC 9113, 6.9.1)."""
    with pytest.raises(ConnectionFault):
        Outgoing(lambda _: None).grow(2**31 - 1)
