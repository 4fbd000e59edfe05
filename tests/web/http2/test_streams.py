"""Streams: many at the same time, each answered once."""

from collections.abc import Generator

import pytest

from collector.web.http2 import frames
from collector.web.http2.blocks import encoded
from collector.web.http2.frames import Code
from tests.receive.collecting import elsewhere
from tests.web.http2.speaking import GREETING, Echo, Other, Raw, data, opening, serving


@pytest.fixture
def service() -> Echo:
    """What is served."""
    return Echo()


@pytest.fixture
def raw(service: Echo) -> Generator[Raw]:
    """A connection to it."""
    with elsewhere(serving(service=service)) as port:
        made = Raw(port)
        made.send(GREETING)
        yield made
        made.close()


def test_another_client_is_served() -> None:
    """`h2`, which keeps the rules by itself: requests with and without bodies, small and large answers, trailers."""
    with elsewhere(serving()) as port:
        other = Other(port)
        for body in (b"", b"x", b"y" * 100_000, b"z" * 3_000_000):
            assert other.ask("/echo", body) == ({":status": "200"}, body, {"done": "yes"})
        assert len(other.ask("/large", b"")[1]) == 200_000
        assert other.ask("/early", b"")[1] == b""
        assert other.ask("/echo", b"no")[1] == b"no"
        assert other.ask("/echo", b"body", ("content-length", "4"))[1] == b"body"
        other.close()


def test_bodies_may_be_mixed(raw: Raw) -> None:
    """Pieces of several bodies come by turns, and each answer belongs to its own."""
    raw.send(*(opening(number, ends=False) for number in (1, 3, 5)))
    for piece in (b"a", b"b", b"c"):
        raw.send(*(data(number, piece * number, ends=piece == b"c") for number in (5, 1, 3)))
    answers = {found.stream: found.payload for found in (raw.until(frames.DATA) for _ in range(3))}
    assert answers == {number: b"a" * number + b"b" * number + b"c" * number for number in (1, 3, 5)}


def test_a_slow_answer_holds_up_nobody(raw: Raw, service: Echo) -> None:
    """Answers come in the order in which they are ready."""
    raw.send(opening(1, "/slow"), opening(3))
    raw.until(frames.HEADERS, 3)
    service.may_go.set()
    assert raw.until(frames.DATA, 1).payload == b"slow"


def test_a_failing_call_tells_nothing(raw: Raw) -> None:
    """An exception in the handler is answered without its text (G-05)."""
    raw.send(opening(1, "/fail"))
    assert raw.until(frames.HEADERS, 1).payload == encoded([(":status", "500")])


def test_a_body_that_is_refused_is_not_read_on(raw: Raw, service: Echo) -> None:
    """The answer comes before the end of the body, and the peer is asked to stop (RFC 9113, 8.1)."""
    raw.send(opening(1, ends=False), data(1, b"no", ends=False))
    assert raw.until(frames.DATA, 1).payload == b"no"
    assert raw.until(frames.RST_STREAM, 1).code == Code.NO_ERROR
    assert service.dropped == 1
    raw.send(opening(3, ends=False), data(3, b"no"))
    assert raw.until(frames.DATA, 3).payload == b"no"
    raw.send(opening(5))
    assert (
        next(found for found in raw.frames() if found.kind != frames.SETTINGS).kind == frames.HEADERS
    )  # no RST_STREAM


def test_a_stream_that_is_taken_back_gives_back(raw: Raw, service: Echo) -> None:
    """RST_STREAM drops a body that is being read."""
    raw.send(opening(1, ends=False), frames.rst_stream(1, Code.CANCEL), opening(3))
    raw.until(frames.HEADERS, 3)
    assert service.dropped == 1


def test_an_announced_length_is_kept(raw: Raw) -> None:
    """A body that is shorter or longer than its content-length is malformed (RFC 9113, 8.1.1)."""
    for number, body in ((1, b"abc"), (3, b"abcde")):
        raw.send(opening(number, "/echo", ("content-length", "4"), ends=False), data(number, body))
        assert raw.until(frames.RST_STREAM, number).code == Code.PROTOCOL_ERROR
