"""What a header list must be like; on the wire it is tried with the session."""

import pytest

from collector.web.http2.head import Malformed, check_trailers, request_head, size

GOOD = [(b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/a?b=c"), (b":authority", b"host:1")]


def test_a_head_is_that_of_any_server() -> None:
    """Path and query are apart, repeated headers joined, the authority is the host, and the peer is told."""
    head = request_head([*GOOD, (b"a", b"1"), (b"a", b"2"), (b"te", b"trailers")], "peer")
    assert (head.method, head.target, head.path, head.query, head.peer) == ("POST", "/a?b=c", "/a", "b=c", "peer")
    assert head.headers == {"a": "1, 2", "te": "trailers", "host": "host:1"}


@pytest.mark.parametrize(
    "pair",
    [(b"A", b"1"), (b"", b"1"), (b"a", b"\0"), (b"a", b" b"), (b"a", b"b\t"), (b"a\n", b"b"), (b"upgrade", b"h2c")],
)
def test_what_no_header_may_be(pair: tuple[bytes, bytes]) -> None:
    """In a head and behind a body (RFC 9113, 8.2)."""
    with pytest.raises(Malformed):
        request_head([*GOOD, pair], "")
    with pytest.raises(Malformed):
        check_trailers([pair])


def test_trailers_have_no_pseudo_headers() -> None:
    """They belong to the head (RFC 9113, 8.1)."""
    check_trailers([(b"a", b"1")])
    with pytest.raises(Malformed):
        check_trailers([(b":path", b"/")])


def test_a_list_counts_more_than_its_bytes() -> None:
    """32 for each header (RFC 9113, 6.5.2)."""
    assert size([(b"ab", b"c"), (b"", b"")]) == 3 + 64
