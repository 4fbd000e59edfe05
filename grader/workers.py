"""Stored runs judged by several processes at the same time; the parts come back in the order of the runs.

This process judges too, so that few runs cost no start of another. Compiled checks do not travel: a worker reads the suite's
text again, and is given nothing to judge where that makes another suite.
"""

import gc
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.case import Suite
from grader.part import Judge, Part, Terms
from grader.results.reading import StoredRun
from grader.suites import read_text

MANY = 5_000
"""Runs from which a further process pays for its start (one to two seconds of a core)."""

BATCH = 100
"""Runs handed over at once: about 30 ms of work, so no process waits long for the last one."""

_AHEAD = 2
"""Batches that a worker has before it, so that it never waits for the next."""

LOST = (
    "the process that judged this run ended twice (out of memory, or killed), so nothing is known of it; "
    "grade it alone with --trace"
)


@dataclass(slots=True)
class _Handed:
    """Runs that a worker has, and what comes of them."""

    runs: list[StoredRun]
    part: "Future[Part]"


class Crew:
    """So many processes, this one among them (0: one a core). Workers are started when the first `many` runs come."""

    def __init__(self, processes: int = 1, many: int = MANY) -> None:
        self.workers = (processes or _cores()) - 1
        self.many = many
        self.handed = 0
        """Batches that were given to workers."""
        self._pool: ProcessPoolExecutor | None = None
        self._ready: Future[bool] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=self.ready, cancel_futures=True)  # one that still starts ends by itself

    def parts(self, suite: Suite, terms: Terms, batches: Iterable[list[StoredRun]], runs: int) -> Iterator[Part]:
        """What comes of the batches, in their order. `runs`: how many there are in all."""
        judge = Judge(suite, terms)
        order = _order(suite, terms)
        self._ready = self._start().submit(_can_judge, order) if self.workers and runs >= self.many else None
        waiting: deque[_Handed | Part] = deque()
        for batch in batches:
            if self._take(waiting):
                waiting.append(_Handed(batch, self._start().submit(_judged, order, batch)))
                self.handed += 1
            else:
                waiting.append(part_of(judge, batch))
            while waiting and (isinstance(waiting[0], Part) or waiting[0].part.done()):
                yield self._come(waiting.popleft(), suite, terms)
        while waiting:
            yield self._come(waiting.popleft(), suite, terms)

    def _start(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = _pool(self.workers)
        return self._pool

    @property
    def ready(self) -> bool:
        """Whether workers are there that read the same suite. Where none can start, this process judges everything."""
        done = self._ready is not None and self._ready.done()
        return bool(self.workers and done and self._ready and not self._ready.exception() and self._ready.result())

    def _take(self, waiting: Iterable[_Handed | Part]) -> bool:
        """Whether workers want another batch: they live, and have not enough before them."""
        if not self.ready:
            return False
        handed = [one.part for one in waiting if isinstance(one, _Handed)]
        if any(f.done() and isinstance(f.exception(), BrokenProcessPool) for f in handed):
            return False
        return sum(not f.done() for f in handed) < _AHEAD * self.workers

    def _come(self, one: _Handed | Part, suite: Suite, terms: Terms) -> Part:
        """The part. Runs whose worker died get a fresh one; where that dies too, each of them is an error."""
        if isinstance(one, Part):
            return one
        try:
            return one.part.result()
        except BrokenProcessPool:
            self.workers = 0
        with _pool(1) as fresh:
            try:
                return fresh.submit(_judged, _order(suite, terms), one.runs).result()
            except BrokenProcessPool:
                return part_of(Judge(suite, terms, lost=LOST), one.runs)


def part_of(judge: Judge, runs: Sequence[StoredRun]) -> Part:
    """What comes of these runs. Trees hold no cycles, and looking for some takes as long as reading the trees."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return judge.part(run.candidate() for run in runs)
    finally:
        if collecting:
            gc.enable()


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pool(workers: int) -> ProcessPoolExecutor:
    """A fork would copy the database's threads in whatever state they are, so workers are started anew."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin)


def _begin() -> None:
    """A worker ends with its parent: at Ctrl-C that one says so, and where it is killed nobody does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _order(suite: Suite, terms: Terms) -> bytes:
    return pickle.dumps((suite.path, suite.text, suite.format, suite.hash, terms))


@lru_cache(8)
def _judge(order: bytes) -> Judge | None:
    path, text, format_name, known, terms = pickle.loads(order)  # noqa: S301  our own process wrote it
    suite = next((suite for suite in read_text(Path(path), text, format_name) if suite.hash == known), None)
    return None if suite is None else Judge(suite, terms)


def _can_judge(order: bytes) -> bool:
    return _judge(order) is not None


def _judged(order: bytes, runs: list[StoredRun]) -> Part:
    judge = _judge(order)
    if judge is None:
        raise ValueError("another suite than that of this process")
    return part_of(judge, runs)
