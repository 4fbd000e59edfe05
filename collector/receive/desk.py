"""Where the bodies of one kind wait to be decoded. What waits is decoded together, stored together and answered together.

A request of one span costs as much to hand from thread to thread, to decode and to insert as one of fifty: together they
share that price. A body that finds nothing on its way is decoded at once; else it waits for company, until what is on its
way is answered, or there is enough, or `hold` seconds have passed.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from collector.decode import Batch, Decoded, Share
from collector.receive.encoding import LARGEST
from collector.store.group import UNSTORABLE, Receipt

INLINE = 32 << 10
"""Bytes up to which bodies are decoded on the event loop: a hop to a thread costs more (about 0.1 ms) than it frees."""

TOGETHER = 2 << 20
"""Bytes of bodies that are decoded at a time; a larger one is decoded alone."""

HOLD = 0.005
"""Seconds for which a body waits for company."""

ENOUGH = 128 << 10
"""Bytes of bodies that wait no longer."""

_AT_ONCE = 2
"""Batches that are decoded in threads at the same time: more would only wait for the interpreter's lock."""


@dataclass(slots=True)
class _Task:
    """One body: how to get its bytes (inflating it), how large that is about, and who waits for it."""

    fetch: Callable[[], bytes]
    size: int
    share: "asyncio.Future[Share]"


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
        self._decoding = self._storing = 0
        self._called = False
        self._timer: asyncio.TimerHandle | None = None

    async def take(self, fetch: Callable[[], bytes], size: int) -> Share:
        """One body, to the commit of its rows. Raises what `fetch` raises, DecodeError, Busy and Unavailable."""
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
        if not (self._decoding or self._storing) or self._size >= ENOUGH:
            self._work()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._hold, self._work)

    def _work(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while self._waiting and self._decoding < _AT_ONCE:
            tasks = self._next()
            if sum(task.size for task in tasks) <= INLINE:
                self._store(tasks, *self._decode(tasks))
                continue
            self._decoding += 1
            asyncio.get_running_loop().run_in_executor(None, self._decode, tasks).add_done_callback(
                lambda done, tasks=tasks: self._decoded(tasks, done)
            )

    def _next(self) -> list[_Task]:
        tasks = [self._waiting.popleft()]
        size = tasks[0].size
        while self._waiting and size + self._waiting[0].size <= TOGETHER:
            tasks.append(self._waiting.popleft())
            size += tasks[-1].size
        self._size -= size
        return tasks

    def _decode(self, tasks: list[_Task]) -> tuple[list[Share | Exception], Decoded]:
        bodies: list[bytes] = []
        found: dict[int, Exception] = {}
        for number, task in enumerate(tasks):
            try:
                bodies.append(task.fetch())
            except Exception as error:  # noqa: BLE001 -- it is for whoever sent this body
                bodies.append(b"")
                found[number] = error
        batch = self._read(bodies)
        return [found.get(number, share) for number, share in enumerate(batch.shares)], batch.decoded

    def _decoded(self, tasks: list[_Task], done: "asyncio.Future[tuple[list[Share | Exception], Decoded]]") -> None:
        self._decoding -= 1
        try:
            self._store(tasks, *done.result())
        except Exception as error:  # noqa: BLE001 -- whatever it was, all of them wait for an answer
            _fail(tasks, error)
        self._look()

    def _store(self, tasks: list[_Task], shares: list[Share | Exception], decoded: Decoded) -> None:
        """Hand over what was decoded; who sent what cannot be is told so at once."""
        for task, share in zip(tasks, shares, strict=True):
            if isinstance(share, Exception) and not task.share.done():
                task.share.set_exception(share)
        try:
            future = self._submit(decoded)
        except Exception as error:  # noqa: BLE001 -- Busy or Unavailable, or what must be answered all the same
            _fail(tasks, error)
            return
        self._storing += 1
        loop = asyncio.get_running_loop()
        future.add_done_callback(
            lambda done: loop.call_soon_threadsafe(self._stored, tasks, shares, decoded, done)  # once for all of them
        )

    def _stored(
        self, tasks: list[_Task], shares: list[Share | Exception], decoded: Decoded, done: "Future[Receipt]"
    ) -> None:
        self._storing -= 1
        _answer(tasks, shares, decoded, done)
        self._look()


def _answer(tasks: list[_Task], shares: list[Share | Exception], decoded: Decoded, done: "Future[Receipt]") -> None:
    if (error := done.exception()) is not None:
        _fail(tasks, error)
        return
    refused = [*decoded.left_out.items(), (UNSTORABLE, Counter(done.result().unstorable))]
    for number, (task, share) in enumerate(zip(tasks, shares, strict=True)):
        if isinstance(share, Exception) or task.share.done():
            continue
        for code, owners in refused:
            if owners[number]:
                share.rejected[code] = share.rejected.get(code, 0) + owners[number]
        task.share.set_result(share)


def _fail(tasks: list[_Task], error: BaseException) -> None:
    for task in tasks:
        if not task.share.done():
            task.share.set_exception(error)
