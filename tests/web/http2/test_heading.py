"""Header lists that are read, and looked at."""

from collector.web.http2.head import HEAD_BYTES
from collector.web.http2.heading import Heading
from tests.web.http2.test_head import GOOD


def test_a_request() -> None:
    """Its head, and the length that it announces."""
    heading = Heading([*GOOD, (b"content-length", b"12")], "peer")
    assert heading.head is not None
    assert (heading.head.path, heading.length, heading.large) == ("/a", 12, False)
    assert Heading(GOOD, "").length == -1


def test_what_is_no_request() -> None:
    """A list that is malformed, or announces a length that is no number, has no head; its pairs are kept."""
    for pairs in (GOOD[1:], [*GOOD, (b"content-length", b"1, 2")]):
        heading = Heading(pairs, "")
        assert (heading.head, heading.pairs) == (None, pairs)


def test_a_large_list() -> None:
    """One that is longer than announced is not looked at."""
    assert Heading([*GOOD, (b"a", b"x" * HEAD_BYTES)], "").large
