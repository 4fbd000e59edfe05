"""Peers that cost more than they bring are sent away, and the others are served (X-10)."""

from collections.abc import Generator

import pytest

from collector.web.http2 import frames
from collector.web.http2.blocks import encoded
from collector.web.http2.frames import Code, frame
from collector.web.http2.patience import EMPTY, PING_STRIKES, RESETS
from collector.web.http2.site import Bounds
from tests.receive.collecting import elsewhere
from tests.web.http2.speaking import GREETING, HEAD, OPENING, Other, Raw, data, headers, opening, serving

MANY = int(EMPTY) * 2


@pytest.fixture(scope="module")
def port() -> Generator[int]:
    """A server for all tests of this file."""
    with elsewhere(serving()) as found:
        yield found


def attacked(port: int, *sent: bytes) -> int:
    """What the server says to this; another client is served afterwards."""
    raw = Raw(port)
    raw.send(GREETING, *sent)
    code = raw.ended_with()
    other = Other(port)
    assert other.ask("/echo", b"body")[1] == b"body"
    other.close()
    return code


BOMB = HEAD + b"\x40" + encoded([("a", "x" * 4000)])[1:]
"""A header of 4,000 bytes, which is an index from then on."""

FLOODS = {
    "SETTINGS": frames.settings({}) * MANY,
    "SETTINGS that are acknowledgements": frame(frames.SETTINGS, frames.ACK, 0) * MANY,
    "PRIORITY": frame(frames.PRIORITY, 0, 1, bytes(5)) * MANY,
    "unknown frames": frame(99, 0, 0) * MANY,
    "PING that are acknowledgements": frame(frames.PING, frames.ACK, 0, bytes(8)) * MANY,
    "WINDOW_UPDATE": frames.window_update(0, 1) * MANY,
    "DATA without a byte": opening(1, ends=False) + data(1, b"", ends=False) * MANY,
    "DATA of single bytes": opening(1, ends=False) + data(1, b"x", ends=False) * MANY * 4,
    "DATA of padding": opening(1, ends=False) + frame(frames.DATA, frames.PADDED, 1, bytes(1)) * MANY,
    "CONTINUATION without a byte": headers(1, flags=0) + frame(frames.CONTINUATION, 0, 1) * MANY,
    "CONTINUATION without an end": headers(1, flags=0) + frame(frames.CONTINUATION, 0, 1, bytes(1000)) * 100,
    "a head of a megabyte": headers(1, bytes(1 << 20)),
    "a header that is named again and again": headers(1, BOMB + b"\xbe" * 10_000),
    "heads that are too large": b"".join(headers(n, encoded([*OPENING, ("a", "x" * 20_000)])) for n in range(1, 99, 2)),
    "streams that are taken back": b"".join(
        opening(n, "/slow", ends=False) + frames.rst_stream(n, Code.CANCEL) for n in range(1, int(RESETS) * 8, 2)
    ),
}


@pytest.mark.parametrize("sent", FLOODS.values(), ids=FLOODS)
def test_floods(port: int, sent: bytes) -> None:
    """Too much of what brings nothing ends the connection with ENHANCE_YOUR_CALM (CVE-2019-9512 to 9518, CVE-2023-44487)."""
    assert attacked(port, sent) == Code.ENHANCE_YOUR_CALM


def test_a_head_that_is_too_large_is_answered(port: int) -> None:
    """More than 16 KiB of headers are refused on their stream, and the connection goes on (G-10)."""
    raw = Raw(port)
    raw.send(GREETING, headers(1, encoded([*OPENING, ("a", "x" * 9000), ("b", "x" * 9000)])), opening(3))
    assert raw.until(frames.HEADERS, 1).payload == encoded([(":status", "431")])
    raw.until(frames.HEADERS, 3)
    raw.close()


def test_too_many_pings(port: int) -> None:
    """A peer that pings while nothing is answered is sent away after some, as gRPC has it."""
    raw = Raw(port)
    raw.send(GREETING, frame(frames.PING, 0, 0, bytes(8)) * (PING_STRIKES + 2))
    found = list(raw.frames())
    raw.close()
    assert sum(each.kind == frames.PING for each in found) == PING_STRIKES + 1
    assert found[-1].payload[4:] == Code.ENHANCE_YOUR_CALM.to_bytes(4, "big") + b"too_many_pings"


def test_pings_between_answers_are_no_fault(port: int) -> None:
    """A client that measures its way with each answer is served (BDP pings of gRPC)."""
    raw = Raw(port)
    raw.send(GREETING)
    for number in range(1, 40, 2):
        raw.send(frame(frames.PING, 0, 0, bytes(8)), opening(number))
        raw.until(frames.HEADERS, number)
    raw.close()


def test_streams_at_the_same_time_are_limited() -> None:
    """One too many is refused, to be sent again; so are those that follow streams whose answers are still being made."""
    with elsewhere(serving(bounds=Bounds(streams=2))) as port:
        raw = Raw(port)
        raw.send(GREETING, opening(1, "/slow"), opening(3, "/slow"), opening(5))
        assert raw.until(frames.RST_STREAM, 5).code == Code.REFUSED_STREAM
        raw.send(frames.rst_stream(1, Code.CANCEL), frames.rst_stream(3, Code.CANCEL), opening(7))
        assert raw.until(frames.RST_STREAM, 7).code == Code.REFUSED_STREAM
        raw.close()


def test_nobody_may_send_more_than_the_windows_allow() -> None:
    """A stream that does is reset, or ended with its connection (RFC 9113, 6.9.1)."""
    with elsewhere(serving(bounds=Bounds(stream_window=1000, connection_window=70_000))) as port:
        raw = Raw(port)
        raw.send(GREETING, opening(1, ends=False), data(1, bytes(1001)))
        assert raw.until(frames.RST_STREAM, 1).code == Code.FLOW_CONTROL_ERROR
        raw.send(opening(3, "/early", ends=False), data(3, bytes(1001)))
        assert raw.ended_with() == Code.FLOW_CONTROL_ERROR


def test_windows_are_filled_up_again() -> None:
    """A body that is longer than both windows comes through, with few messages about it."""
    with elsewhere(serving(bounds=Bounds(stream_window=70_000, connection_window=100_000))) as port:
        other = Other(port)
        body = bytes(range(256)) * 2000
        assert other.ask("/echo", body)[1] == body
        other.close()


def test_a_peer_that_does_not_read_is_not_read(port: int) -> None:
    """Answers that nobody takes do not pile up: the server stops to read, and the peer cannot go on."""
    raw = Raw(port)
    raw.send(frames.PREFACE, frames.settings({4: 2**31 - 1}), frames.window_update(0, 2**31 - 1 - 65_535))
    raw._socket.settimeout(2)
    sent = b"".join(opening(number, "/large") for number in range(1, 2**18, 2))
    with pytest.raises((TimeoutError, ConnectionError)):
        raw._socket.sendall(sent)
    raw.close()
