"""The first bytes of a connection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.web.http2 import greeting
from collector.web.http2.frames import PREFACE


@given(st.integers(0, len(PREFACE) - 1))
def test_a_preface_may_not_be_there_yet(cut: int) -> None:
    """Until it is whole more is waited for."""
    assert greeting.kind(PREFACE[:cut]) == "more"
    assert greeting.kind(PREFACE + b"more") == "http2"


@given(st.binary(min_size=1))
def test_anything_else_is_told_apart(data: bytes) -> None:
    """All but what begins with a method, in capital letters, is noise at once."""
    assert greeting.kind(data) == "noise" or data[:1].isupper()


@pytest.mark.parametrize(
    "line", [b"GET / HTTP/1.1\r\n", b"POST http://x/v1/traces?a=b HTTP/1.0\r\n", b"OPTIONS * HTTP/1.1\n"]
)
def test_http_1_is_known_by_its_first_line(line: bytes) -> None:
    """Until it is there more is waited for, to a limit; what follows does not matter."""
    assert all(greeting.kind(line[:cut]) == "more" for cut in range(len(line)))
    assert greeting.kind(line + b"Host: x") == "http1"
    assert greeting.kind(b"GET /" + b"x" * 9000) == "noise"


def test_http_1_gets_a_whole_answer() -> None:
    """With its length and the end of the connection."""
    answer = greeting.http1_answer("Not here.\n")
    assert b"\r\nContent-Length: 10\r\n" in answer
    assert answer.endswith(b"Connection: close\r\n\r\nNot here.\n")
