"""The first bytes of a connection."""

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
def test_anything_else_is_told_apart_at_once(data: bytes) -> None:
    """A method of HTTP/1.1 in capital letters, or noise."""
    kind = greeting.kind(data)
    assert kind in ("http1", "noise") or PREFACE.startswith(data)
    assert (kind == "http1") <= data[:1].isupper()


def test_http_1_gets_a_whole_answer() -> None:
    """With its length and the end of the connection."""
    answer = greeting.http1_answer("Not here.\n")
    assert b"\r\nContent-Length: 10\r\n" in answer
    assert answer.endswith(b"Connection: close\r\n\r\nNot here.\n")
