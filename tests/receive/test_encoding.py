"""Inflating gzip bodies."""

import gzip
import random
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.receive.encoding import EncodingError, NoRoom, TooLarge, gunzip, names


def always(_size: int) -> bool:
    """A budget without end."""
    return True


@given(st.lists(st.binary(max_size=2000), max_size=4))
def test_members_are_joined(parts: list[bytes]):
    """Several gzip members are one body (H-13)."""
    assert gunzip(b"".join(map(gzip.compress, parts)), always) == b"".join(parts)


def test_a_large_body_comes_back_whole():
    """A body of many steps is the same after inflating."""
    body = random.Random(1).randbytes(3 << 20)
    assert gunzip(gzip.compress(body, 1), always) == body


WHOLE = gzip.compress(b"something to say" * 50, mtime=0)


@pytest.mark.parametrize(
    "body",
    [
        WHOLE[:-1],
        WHOLE[:20],
        WHOLE[:-8] + b"\0" * 8,
        WHOLE + b"garbage",
        b"plain text",
        zlib.compress(b"zlib, not gzip"),
    ],
)
def test_what_is_not_gzip_is_an_error(body: bytes):
    """Truncated, damaged, trailed, plain and zlib bodies are refused (H-13)."""
    with pytest.raises(EncodingError):
        gunzip(body, always)


def test_a_bomb_is_cut_off():
    """A body that grows a thousandfold is refused early and costs no memory (T-05)."""
    bomb = gzip.compress(bytes(300 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            gunzip(bomb, always)
        assert tracemalloc.get_traced_memory()[1] < 80 << 20
    finally:
        tracemalloc.stop()


def test_the_limit_counts_inflated_bytes():
    """The limit holds after inflating, at any ratio (C-09)."""
    with pytest.raises(TooLarge):
        gunzip(gzip.compress(b"abc" * 1000), always, largest=2999)
    assert len(gunzip(gzip.compress(b"abc" * 1000), always, largest=3000)) == 3000


def test_the_budget_is_asked_first():
    """Without room in the budget inflating stops (X-06)."""
    with pytest.raises(NoRoom):
        gunzip(WHOLE, lambda _size: False)


def test_names_of_encodings():
    """Names are case-insensitive, and those that change nothing do not count (H-12)."""
    assert names("") == names("identity") == []
    assert names("GZip") == ["gzip"]
    assert names("gzip, gzip") == ["gzip", "gzip"]
