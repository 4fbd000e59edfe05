"""Where the bodies of one kind wait to be decoded. What waits is decoded together, stored together and answered together.

A request of one span costs as much to hand from thread to thread, to decode and to insert as one of fifty: together they
share that price. A body that finds nothing on its way is decoded at once; else it waits until what is on its way is
answered, and then for a moment, so that those who were answered can come again: else clients that wait for their answers
fall into two halves, each of which waits for the other's commit (measured: 1.5 times as many requests together).
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from collector.decode import Batch, Decoded, Share
from collector.receive.encoding import LARGEST
from collector.store.writing.group import UNSTORABLE, Receipt

INLINE = 32 << 10
"""Bytes up to which bodies are decoded on the event loop: a hop to a thread costs more (about 0.1 ms) than it frees."""

TOGETHER = 4 << 20
"""Bytes of bodies that are decoded at a time; a larger one is decoded alone."""

HOLD = 0.01
"""Seconds for which bodies wait at most for as many as there were before."""

ENOUGH = 128 << 10
"""Bytes of bodies that wait for nobody."""

_AT_ONCE = 2
"""Batches that are decoded in threads at the same time: more would only wait for the interpreter's lock."""


@dataclass(slots=True)
class _Task:
    """One body: how to get its bytes (inflating it), how large that is about, and who waits for it."""

    fetch: Callable[[], bytes]
    size: int
    share: "asyncio.Future[Share]"


_Outcome = tuple[list[Share | Exception], Decoded] | Exception
"""What each is to be told, and the rows of all; or what went wrong with all of them."""


class Desk:
    """Belongs to the event loop. `read` decodes (in threads, too), `submit` stores."""

    def __init__(
        self,
        read: Callable[[Sequence[bytes]], Batch],
        submit: Callable[[Decoded], "Future[Receipt]"],
        hold: float = HOLD,
    ) -> None:
        self._read, self._submit, self._hold = read, submit, hold
        self._waiting: deque[_Task] = deque()
        self._size = 0
        self._decoding = self._on_the_way = 0
        self._expected = 0
        self._called = False
        self._timer: asyncio.TimerHandle | None = None

    async def take(self, fetch: Callable[[], bytes], size: int) -> Share:
        """One body, until its rows are durable. Raises what `fetch` raises, DecodeError, Busy and Unavailable."""
        loop = asyncio.get_running_loop()
        task = _Task(fetch, min(size, LARGEST), loop.create_future())
        self._waiting.append(task)
        self._size += task.size
        if not self._called:
            self._called = True
            loop.call_soon(self._look)  # after all that has arrived by now
        return await task.share

    def _look(self) -> None:
        """Take up what waits, or let it wait for company."""
        self._called = False
        if not self._waiting:
            return
        if self._size >= ENOUGH or (not self._on_the_way and len(self._waiting) >= self._expected):
            self._work()
        elif not self._on_the_way and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._hold, self._work)

    def _work(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._expected = self._on_the_way + len(self._waiting)
        while self._waiting and self._decoding < _AT_ONCE:
            tasks = self._next()
            self._on_the_way += len(tasks)
            if sum(task.size for task in tasks) <= INLINE:
                self._decoded(tasks, self._decode(tasks))
                continue
            self._decoding += 1
            asyncio.get_running_loop().run_in_executor(None, self._decode, tasks).add_done_callback(
                lambda done, tasks=tasks: self._back(tasks, done)
            )

    def _next(self) -> list[_Task]:
        tasks = [self._waiting.popleft()]
        size = tasks[0].size
        while self._waiting and size + self._waiting[0].size <= TOGETHER:
            tasks.append(self._waiting.popleft())
            size += tasks[-1].size
        self._size -= size
        return tasks

    def _decode(self, tasks: list[_Task]) -> _Outcome:
        bodies: list[bytes] = []
        found: dict[int, Exception] = {}
        for number, task in enumerate(tasks):
            try:
                bodies.append(task.fetch())
            except Exception as error:  # noqa: BLE001 -- it is for whoever sent this body
                bodies.append(b"")
                found[number] = error
        try:
            batch = self._read(bodies)
        except Exception as error:  # noqa: BLE001 -- a fault of ours: all of them are to come again
            return error
        return [found.get(number, share) for number, share in enumerate(batch.shares)], batch.decoded

    def _back(self, tasks: list[_Task], done: "asyncio.Future[_Outcome]") -> None:
        """From a thread."""
        self._decoding -= 1
        self._decoded(tasks, done.result())
        self._look()

    def _decoded(self, tasks: list[_Task], outcome: _Outcome) -> None:
        if isinstance(outcome, Exception):
            self._fail(tasks, outcome)
        else:
            self._store(tasks, *outcome)

    def _store(self, tasks: list[_Task], shares: list[Share | Exception], decoded: Decoded) -> None:
        """Hand over what was decoded; who sent what cannot be is told so at once."""
        for task, share in zip(tasks, shares, strict=True):
            if isinstance(share, Exception) and not task.share.done():
                task.share.set_exception(share)
        try:
            future = self._submit(decoded)
        except Exception as error:  # noqa: BLE001 -- Busy or Unavailable, or what must be answered all the same
            self._fail(tasks, error)
            return
        loop = asyncio.get_running_loop()
        future.add_done_callback(
            lambda done: loop.call_soon_threadsafe(self._stored, tasks, shares, decoded, done)  # once for all of them
        )

    def _stored(
        self, tasks: list[_Task], shares: list[Share | Exception], decoded: Decoded, done: "Future[Receipt]"
    ) -> None:
        if (error := done.exception()) is not None:
            self._fail(tasks, error)
        else:
            _tell(tasks, shares, [*decoded.left_out.items(), (UNSTORABLE, Counter(done.result().unstorable))])
            self._on_the_way -= len(tasks)
        self._look()

    def _fail(self, tasks: list[_Task], error: BaseException) -> None:
        self._on_the_way -= len(tasks)
        for task in tasks:
            if not task.share.done():
                task.share.set_exception(error)


def _tell(tasks: list[_Task], shares: list[Share | Exception], refused: Sequence[tuple[str, Counter[int]]]) -> None:
    """Each its own share, with what was refused of it on the way (reason code → number of the request → rows)."""
    for number, (task, share) in enumerate(zip(tasks, shares, strict=True)):
        if isinstance(share, Exception) or task.share.done():
            continue
        for code, owners in refused:
            if owners[number]:
                share.rejected[code] = share.rejected.get(code, 0) + owners[number]
        task.share.set_result(share)
