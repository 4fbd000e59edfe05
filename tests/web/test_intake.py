"""The reading side of a connection, without sockets."""

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from collector.web.connection import Site
from collector.web.intake import Intake, Whole
from collector.web.messages import Limits, Request, Response, refuse_plainly


async def _never(_request: Request) -> Response:
    return Response(200)


def read(*parts: bytes, limits: Limits | None = None) -> tuple[list[Request], list[object]]:
    """The requests and the faults of these bytes, fed piece by piece."""

    async def feed() -> tuple[list[Request], list[object]]:
        site = Site(
            handler=_never,
            limits=limits or Limits(),
            admit=None,
            refuse=refuse_plainly,
            budget=None,
        )
        wholes: list[Whole] = []
        faults: list[object] = []
        intake = Intake(site, "peer", wholes.append, lambda _head, reason, _held: faults.append(reason), lambda: None)
        for part in parts:
            if not intake.ended:
                intake.feed(part)
        return [whole.request for whole in wholes], faults

    return asyncio.run(feed())


TWO = (
    b"POST /a?x=1 HTTP/1.1\r\nX-One: 1\r\nx-one: 2\r\nContent-Length: 4\r\n\r\nbody"
    b"POST http://host/b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nTrailer: t\r\n\r\n"
)


@given(st.lists(st.integers(1, len(TWO) - 1), max_size=6).map(sorted))
def test_any_split_gives_the_same_requests(cuts: list[int]):
    """However the bytes are cut, the same two requests come out."""
    edges = [0, *cuts, len(TWO)]
    requests, faults = read(*(TWO[start:stop] for start, stop in pairwise(edges) if start < stop))
    assert [(r.path, r.query, r.body) for r in requests] == [("/a", "x=1", b"body"), ("/b", "", b"hi")]
    assert requests[0].headers["x-one"] == "1, 2"
    assert faults == []


@given(st.lists(st.binary(max_size=80) | st.sampled_from([TWO[:30], TWO[40:90], b"\r\n\r\n"]), max_size=6))
def test_any_bytes_end_in_requests_or_one_fault(parts: list[bytes]):
    """Nothing is raised, and after a fault nothing more is read."""
    _, faults = read(*parts)
    assert len(faults) <= 1


def test_a_head_is_bounded_however_it_comes():
    """Byte by byte or at once (H-16)."""
    limits = Limits(header_bytes=100)
    head = b"GET / HTTP/1.1\r\nX: " + b"x" * 200
    for parts in ([head + b"\r\n\r\n"], [head[place : place + 1] for place in range(len(head))]):
        assert read(*parts, limits=limits) == ([], ["head_too_large"])
