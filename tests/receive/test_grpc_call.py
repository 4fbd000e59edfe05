"""A unary call while its message comes, without sockets."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.receive import reply
from collector.receive.grpc_call import UnaryCall
from collector.receive.reply import Answer
from collector.web.http2.calls import Reply
from collector.web.messages import Held
from tests.web.test_server import Purse

REFUSED = Answer(reply.BUSY, "no room")


class Method:
    """Takes messages of up to 100 bytes, and remembers all."""

    largest = 100

    def __init__(self) -> None:
        self.calls: list[tuple[bytes, bool]] = []
        self.refusals: list[Answer] = []
        self.held: Held | None = None

    def objection(self, size: int, _held: Held, /) -> Answer | None:
        """50 bytes are not wanted."""
        return REFUSED if size == 50 else None

    def no_room(self, _held: Held, /) -> Answer:
        """There is none."""
        return REFUSED

    def answer(self, answer: Answer) -> Reply:
        """A refusal."""
        self.refusals.append(answer)
        return Reply(b"refused")

    def call(self, message: bytes, held: Held, /, *, gzipped: bool) -> Reply:
        """Whole."""
        self.calls.append((message, gzipped))
        self.held = held
        return Reply(b"done")


def framed(message: bytes, flag: int = 0) -> bytes:
    """A message with what stands before it."""
    return bytes([flag]) + len(message).to_bytes(4, "big") + message


def fed(*pieces: bytes, gzip: bool = False, purse: Purse | None = None) -> Method:
    """A call with these pieces, and its end where none was refused."""
    method = Method()
    call = UnaryCall(method, Held(purse), gzip=gzip)
    refusals = [call.feed(piece) for piece in pieces]  # all of them, as a bad peer goes on
    if not any(refusals):
        call.end()
    call.drop()
    return method


@given(st.binary(max_size=90).filter(lambda m: len(m) != 50), st.lists(st.integers(1, 94), max_size=6))
def test_any_split_gives_the_same_message(message: bytes, cuts: list[int]) -> None:
    """However its bytes come."""
    sent = framed(message)
    edges = [0, *sorted({cut for cut in cuts if cut < len(sent)}), len(sent)]
    assert fed(*(sent[start:stop] for start, stop in pairwise(edges))).calls == [(message, False)]


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0\0",
        framed(b"abc")[:-1],
        framed(b"abc") + b"x",
        framed(b"abc") * 2,
        framed(b"abc", 2),
        framed(b"abc", 1),
        b"POST ",
    ],
    ids=["nothing", "half a length", "too short", "too long", "two", "flag 2", "compressed, not said", "no length"],
)
def test_what_is_not_one_message(sent: bytes) -> None:
    """It is refused for good, with a text; nothing is called (G-04)."""
    method = fed(sent)
    assert [answer.outcome for answer in method.refusals] in ([reply.MALFORMED], [reply.TOO_LARGE])
    assert not method.calls


def test_gzip_is_told_by_the_head_and_the_flag() -> None:
    """Where the head says gzip a message may be compressed or not (gRPC, "Compression")."""
    assert fed(framed(b"a", 1), gzip=True).calls == [(b"a", True)]
    assert fed(framed(b"a", 0), gzip=True).calls == [(b"a", False)]


def test_the_length_alone_may_be_too_much() -> None:
    """A message that is too large, or finds no room, is refused by its first five bytes (G-03, G-07)."""
    for size, outcome in ((101, reply.TOO_LARGE), (50, reply.BUSY)):
        purse = Purse(1000)
        assert [answer.outcome for answer in fed(b"\0" + size.to_bytes(4, "big"), purse=purse).refusals] == [outcome]
        assert purse.left == 1000


def test_bytes_are_taken_as_they_come() -> None:
    """What cannot be taken is refused and given back; what is whole is given back by who was called."""
    purse = Purse(60)
    assert fed(framed(bytes(70))[:40], framed(bytes(70))[40:], purse=purse).refusals == [REFUSED]
    assert purse.left == 60
    method = fed(framed(bytes(20)), purse=purse)
    assert purse.left == 40
    assert method.held is not None
    method.held.release()
    assert purse.left == 60
