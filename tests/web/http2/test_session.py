"""The rules of HTTP/2, broken one by one on a real socket (RFC 9113)."""

from collections.abc import Callable, Generator

import pytest

from collector.web.http2 import frames
from collector.web.http2.blocks import encoded
from collector.web.http2.frames import Code, frame
from tests.receive.collecting import elsewhere
from tests.web.http2.speaking import GREETING, HEAD, OPENING, Raw, data, headers, opening, serving

Open = Callable[..., Raw]


@pytest.fixture(scope="module")
def port() -> Generator[int]:
    """A server for all tests of this file."""
    with elsewhere(serving()) as found:
        yield found


@pytest.fixture
def raw(port: int) -> Generator[Raw]:
    """A connection that has sent its greeting."""
    made = Raw(port)
    made.send(GREETING)
    yield made
    made.close()


def settings(name: int, value: int) -> bytes:
    """SETTINGS of one parameter."""
    return frames.settings({name: value})


ENDS = {
    "HEADERS on stream 2": (headers(2), Code.PROTOCOL_ERROR),
    "a number that was passed over": (headers(5) + headers(3), Code.PROTOCOL_ERROR),
    "a stream that is over": (headers(1) + headers(1), Code.STREAM_CLOSED),
    "DATA after the end": (headers(1) + data(1, b"x"), Code.STREAM_CLOSED),
    "DATA of a stream that was not opened": (data(1, b"x"), Code.PROTOCOL_ERROR),
    "RST_STREAM of one": (frames.rst_stream(1, Code.CANCEL), Code.PROTOCOL_ERROR),
    "WINDOW_UPDATE of one": (frames.window_update(7, 1), Code.PROTOCOL_ERROR),
    "WINDOW_UPDATE of nothing": (frames.window_update(0, 0), Code.PROTOCOL_ERROR),
    "a window that is too large": (frames.window_update(0, 2**31 - 1) * 2, Code.FLOW_CONTROL_ERROR),
    "a frame within a head": (headers(1, flags=0) + frame(frames.PING, 0, 0, bytes(8)), Code.PROTOCOL_ERROR),
    "DATA within a head": (headers(1, flags=0) + data(1, b"x"), Code.PROTOCOL_ERROR),
    "CONTINUATION of another": (headers(1, flags=0) + frame(9, 4, 3, b"x"), Code.PROTOCOL_ERROR),
    "CONTINUATION of nothing": (frame(frames.CONTINUATION, 4, 1, b"x"), Code.PROTOCOL_ERROR),
    "a head that cannot be read": (
        headers(1, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
        Code.COMPRESSION_ERROR,
    ),
    "an index of nothing": (headers(1, b"\xfe"), Code.COMPRESSION_ERROR),
    "a table that is too large": (headers(1, b"\x3f\xe1\x7f"), Code.COMPRESSION_ERROR),
    "padding that is longer than its frame": (headers(1, b"\xff", frames.PADDED | 5), Code.PROTOCOL_ERROR),
    "a padded frame of nothing": (headers(1, b"", frames.PADDED | 5), Code.FRAME_SIZE_ERROR),
    "a frame that is too large": (frame(77, 0, 0, bytes(2 << 20)), Code.FRAME_SIZE_ERROR),
    "PUSH_PROMISE": (frame(frames.PUSH_PROMISE, 4, 1, bytes(5)), Code.PROTOCOL_ERROR),
    "ENABLE_PUSH of 2": (settings(2, 2), Code.PROTOCOL_ERROR),
    "INITIAL_WINDOW_SIZE of 2**31": (settings(4, 2**31), Code.FLOW_CONTROL_ERROR),
    "MAX_FRAME_SIZE of 100": (settings(5, 100), Code.PROTOCOL_ERROR),
    "MAX_FRAME_SIZE of 2**24": (settings(5, 2**24), Code.PROTOCOL_ERROR),
}


@pytest.mark.parametrize(("sent", "code"), ENDS.values(), ids=ENDS)
def test_what_ends_a_connection(raw: Raw, sent: bytes, code: Code) -> None:
    """A fault of the connection is answered with GOAWAY and its code, and the connection is closed (RFC 9113, 5.4.1)."""
    raw.send(sent)
    assert raw.ended_with() == code


def test_the_first_frame_is_settings(port: int) -> None:
    """Anything else after the preface ends the connection, as does an acknowledgement of nothing (RFC 9113, 3.4)."""
    for sent in (headers(1), frame(frames.SETTINGS, frames.ACK, 0), data(1, b"x")):
        raw = Raw(port)
        raw.send(frames.PREFACE, sent)
        assert raw.ended_with() == Code.PROTOCOL_ERROR


def block(*pairs: tuple[str, str]) -> bytes:
    """A block of these headers."""
    return encoded(pairs)


MALFORMED = {
    "an upper-case name": block(*OPENING, ("X-Own", "1")),
    "an empty name": block(*OPENING, ("", "1")),
    "a name with a space": block(*OPENING, ("a b", "1")),
    "a line break in a value": block(*OPENING, ("a", "b\r\nc: d")),
    "a value that begins with a space": block(*OPENING, ("a", " b")),
    "connection": block(*OPENING, ("connection", "close")),
    "transfer-encoding": block(*OPENING, ("transfer-encoding", "chunked")),
    "te that is not trailers": block(*OPENING, ("te", "gzip")),
    "an unknown pseudo-header": block(*OPENING, (":own", "1")),
    "one of an answer": block(*OPENING, (":status", "200")),
    "one that is there twice": block(*OPENING, (":path", "/b")),
    "one behind the others": block(*OPENING[:3], ("a", "b"), OPENING[3]),
    "no method": block(*OPENING[1:]),
    "no scheme": block(OPENING[0], *OPENING[2:]),
    "no path": block(*OPENING[:2]),
    "an empty path": block(*OPENING[:2], (":path", "")),
    "a length that is no number": block(*OPENING, ("content-length", "x")),
    "a length that is wrong": block(*OPENING, ("content-length", "4")),
}


@pytest.mark.parametrize("sent", MALFORMED.values(), ids=MALFORMED)
def test_what_ends_a_stream(raw: Raw, sent: bytes) -> None:
    """A malformed request is reset with PROTOCOL_ERROR, and the connection goes on (RFC 9113, 8.1.1)."""
    raw.send(headers(1, sent), opening(3))
    assert raw.until(frames.RST_STREAM, 1).code == Code.PROTOCOL_ERROR
    raw.until(frames.HEADERS, 3)


def test_settings_are_acknowledged(raw: Raw) -> None:
    """Ours are announced first, and each of the peer's is acknowledged (RFC 9113, 6.5.3)."""
    first = next(raw.frames())
    assert (first.kind, first.flags) == (frames.SETTINGS, 0)
    raw.until(frames.SETTINGS, flags=frames.ACK)
    raw.send(settings(0xABCD, 7))
    raw.until(frames.SETTINGS, flags=frames.ACK)


def test_what_nobody_knows_is_ignored(raw: Raw) -> None:
    """PRIORITY, unknown frames and flags, GOAWAY of the client and reserved bits change nothing (RFC 9113, 4.1 and 5.5)."""
    odd = frame(frames.PRIORITY, 0, 1, bytes(5)) + frame(200, 0xFF, 5, b"x" * 50) + frame(frames.GOAWAY, 0, 0, bytes(8))
    raw.send(odd, headers(1, flags=0xD5 & ~(frames.PADDED | frames.WITH_PRIORITY)), odd)
    raw.until(frames.HEADERS, 1)
    reserved = bytearray(opening(3))
    reserved[5] |= 0x80
    raw.send(bytes(reserved))
    raw.until(frames.HEADERS, 3)


def test_padding_and_priority_are_taken_off(raw: Raw) -> None:
    """HEADERS with both, and DATA with padding, say what they say without (RFC 9113, 6.1 and 6.2)."""
    raw.send(
        headers(1, b"\x04" + bytes(5) + HEAD + bytes(4), frames.PADDED | frames.WITH_PRIORITY | frames.END_HEADERS)
    )
    raw.send(frame(frames.DATA, frames.PADDED | frames.END_STREAM, 1, b"\x03body" + bytes(3)))
    assert raw.until(frames.DATA, 1).payload == b"body"


def test_a_head_may_come_in_pieces(raw: Raw) -> None:
    """HEADERS and its CONTINUATIONs are one block (RFC 9113, 6.10)."""
    raw.send(
        headers(1, HEAD[:5], frames.END_STREAM), frame(9, 0, 1, HEAD[5:20]), frame(9, frames.END_HEADERS, 1, HEAD[20:])
    )
    raw.until(frames.HEADERS, 1)


def test_a_ping_is_answered(raw: Raw) -> None:
    """With what it brought (RFC 9113, 6.7)."""
    raw.send(frame(frames.PING, 0, 0, b"12345678"))
    assert raw.until(frames.PING, flags=frames.ACK).payload == b"12345678"


def test_trailers_of_a_client_end_its_body(raw: Raw) -> None:
    """They are read and count for nothing; without END_STREAM or with a pseudo-header they are malformed (RFC 9113, 8.1)."""
    trailers = encoded([("checksum", "1")])
    raw.send(opening(1, ends=False), data(1, b"body", ends=False), headers(1, trailers))
    assert raw.until(frames.DATA, 1).payload == b"body"
    for number, wrong in ((3, headers(3, trailers, frames.END_HEADERS)), (5, headers(5, encoded([(":path", "/")])))):
        raw.send(opening(number, ends=False), wrong)
        assert raw.until(frames.RST_STREAM, number).code == Code.PROTOCOL_ERROR


def test_the_table_of_headers_is_kept_by_a_refused_stream(raw: Raw) -> None:
    """A block that was only read to be refused may name headers that the next one rests on (RFC 9113, 4.3)."""
    inserted = HEAD + b"\x40\x01a\x01b" + block(("X", "malformed"))
    raw.send(headers(1, inserted), headers(3, HEAD + b"\xbe"))
    assert raw.until(frames.RST_STREAM, 1).code == Code.PROTOCOL_ERROR
    raw.until(frames.HEADERS, 3)


def test_what_comes_for_an_answered_stream_is_ignored(raw: Raw) -> None:
    """After an early answer the peer is asked to stop, and what was on its way counts for the connection alone."""
    raw.send(opening(1, "/early", ends=False))
    raw.until(frames.HEADERS, 1)
    assert raw.until(frames.RST_STREAM, 1).code == Code.NO_ERROR
    raw.send(data(1, b"x" * 9000, ends=False), headers(1, encoded([("a", "b")])), frames.window_update(1, 5))
    raw.send(frames.rst_stream(1, Code.CANCEL), opening(3))
    raw.until(frames.HEADERS, 3)
