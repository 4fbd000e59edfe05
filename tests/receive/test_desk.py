"""The desk: what waits is decoded together, and each is answered for itself."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from typing import Any

import pytest

from collector.decode import Batch, Decoded, DecodeError, Share, traces_protobuf
from collector.decode.batch import one_by_one
from collector.receive.desk import INLINE, TOGETHER, Desk
from collector.receive.encoding import EncodingError
from collector.store.errors import Busy
from collector.store.writing.group import Receipt
from tests.decode.samples import request, span

GOOD = request(span(), span(trace_id=b"x")).SerializeToString()


class Shelf:
    """A store that notes what it gets, and answers when it is told to."""

    def __init__(self, receipt: Receipt | Exception | None = None) -> None:
        self.receipt = receipt or Receipt(1, 1, 0)
        self.got: list[Decoded] = []

    def submit(self, decoded: Decoded) -> "Future[Receipt]":
        """Takes rows."""
        self.got.append(decoded)
        if isinstance(self.receipt, Exception):
            raise self.receipt
        future: Future[Receipt] = Future()
        future.set_result(self.receipt)
        return future


def read(bodies: Sequence[bytes]) -> Batch:
    """Decodes."""
    return one_by_one(traces_protobuf, bodies)


def ask(shelf: Shelf, *fetches: Callable[[], bytes], size: int = 10) -> list[Any]:
    """Bodies that come at once, and what each is told."""

    async def go() -> list[Any]:
        desk = Desk(read, shelf.submit)
        asked: list[Awaitable[Share]] = [desk.take(fetch, size) for fetch in fetches]
        return await asyncio.gather(*asked, return_exceptions=True)

    return asyncio.run(go())


def broken() -> bytes:
    """A body that cannot be inflated."""
    raise EncodingError


@pytest.mark.parametrize("size", [10, INLINE])
def test_what_comes_at_once_is_stored_at_once(size: int):
    """Several bodies, one hand-over, and each its own answer: on the loop and in a thread."""
    shelf = Shelf()
    one, wrong, other, torn = ask(shelf, lambda: GOOD, lambda: b"\xff", lambda: GOOD, broken, size=size)
    assert len(shelf.got) == 1
    assert one == other == Share(2, {"trace_id_length": 1})
    assert isinstance(wrong, DecodeError)
    assert isinstance(torn, EncodingError)


def test_a_large_body_is_decoded_alone():
    """Batches have a size."""
    shelf = Shelf()
    ask(shelf, lambda: GOOD, lambda: GOOD, lambda: GOOD, size=TOGETHER)
    assert [decoded.rows for decoded in shelf.got] == [1, 1, 1]


def test_what_the_store_refused_is_told_to_whom_it_concerns():
    """A row that the database could not hold, and rows of deleted traces, count for their request alone."""
    shelf = Shelf(Receipt(1, 1, 0, {"unstorable": 1}, {1: 1}))
    first, second = ask(shelf, lambda: request(span()).SerializeToString(), lambda: GOOD)
    assert first == Share(1)
    assert second == Share(2, {"trace_id_length": 1, "unstorable": 1})


def test_a_store_that_takes_nothing_fails_all():
    """Each is told to come again."""
    assert all(isinstance(told, Busy) for told in ask(Shelf(Busy(retry_after=1.0)), lambda: GOOD, lambda: GOOD))


@pytest.mark.parametrize("size", [10, INLINE])
def test_a_fault_of_ours_leaves_nobody_without_an_answer(size: int):
    """Whatever decoding raises, on the loop or in a thread, each is told, and the next is served."""

    def wrong(bodies: Sequence[bytes]) -> Batch:
        if b"" in bodies:
            raise KeyError
        return read(bodies)

    async def go() -> list[Any]:
        desk = Desk(wrong, Shelf().submit)
        first = await asyncio.gather(
            desk.take(lambda: b"", size), desk.take(lambda: GOOD, size), return_exceptions=True
        )
        return [*first, await desk.take(lambda: GOOD, size)]

    one, other, later = asyncio.run(asyncio.wait_for(go(), 30))
    assert (type(one), type(other)) == (KeyError, KeyError)
    assert later == Share(2, {"trace_id_length": 1})


def test_who_went_away_hinders_nobody():
    """A client that hung up while its body was decoded costs its neighbours nothing; its rows are stored (G-11)."""
    shelf = Shelf()

    async def go() -> Share:
        desk = Desk(read, shelf.submit)
        gone = asyncio.create_task(desk.take(lambda: GOOD, INLINE))
        stays = asyncio.create_task(desk.take(lambda: GOOD, INLINE))
        await asyncio.sleep(0)
        gone.cancel()
        return await stays

    assert asyncio.run(go()) == Share(2, {"trace_id_length": 1})
    assert [decoded.rows for decoded in shelf.got] == [2]
