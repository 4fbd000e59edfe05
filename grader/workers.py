"""Stored runs judged by several processes at the same time; the parts come back in the order of the runs.

This process judges too, so that few runs cost no start of another. Where a check does not travel, a worker reads the suite's
text again, and is given nothing to judge where that makes another suite.
"""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import IO, Any, Self

from grader.case import Suite
from grader.part import Judge, Part, Terms
from grader.stored_run import StoredRun
from grader.worker import order, part_of

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

MANY = 2_000
"""Runs from which a further process pays for its start (0.3 to 0.6 seconds of a core)."""

BATCH = 50
"""Runs handed over at once: about 10 ms of work, so no process waits long for the last one."""

_AHEAD = 3
"""Batches that a worker has before it, so that it never waits for the next."""

PIPE_BYTES = 1 << 20
"""What a pipe holds, where the system allows it: a batch goes through in one piece."""

SWITCH_SECONDS = 0.0005
"""How soon a thread that waits for a pipe goes on, while this process judges in another: at Python's own 5 ms a batch waited
longer for its turns than it took to judge (10,000 runs: 2,000 of them by the worker instead of 4,500)."""

_STARTED = "import sys; sys.path[:] = sys.argv[1:]; from grader.worker import main; main()"

LOST = (
    "the process that judged this run ended twice (out of memory, or killed), so nothing is known of it; "
    "grade it alone with --trace"
)


class WorkerLostError(Exception):
    """The process that had these runs is gone, or cannot be reached."""


class _Handed:
    """Runs that a worker has, and what comes of them."""

    __slots__ = ("part", "runs")

    def __init__(self, runs: list[StoredRun], part: "Future[Part]") -> None:
        self.runs = runs
        self.part = part


class Worker:
    """Another process that judges, with two threads that write to it and read from it, so that it never waits for this one."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603  our own interpreter
            [sys.executable, "-c", _STARTED, *sys.path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=PIPE_BYTES,
        )  # fmt: skip
        _widen(self.process.stdin, self.process.stdout)
        self._asked: queue.SimpleQueue[tuple[Any, Future[Any]] | None] = queue.SimpleQueue()
        self._sent: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        self.alive = True
        self.busy = 0
        """Orders that it has not answered yet."""
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._send, self._receive)]
        for thread in self._threads:
            thread.start()

    def ask(self, wanted: Any) -> "Future[Any]":
        """What comes of an order, or of runs. The future raises WorkerLostError where the process ends before it answers."""
        answer: Future[Any] = Future()
        self.busy += 1
        self._asked.put((wanted, answer))
        return answer

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        self._asked.put(None)
        self.process.kill()
        for thread in self._threads:
            thread.join()
        self.process.wait()

    def _send(self) -> None:
        pipe = self.process.stdin
        assert pipe is not None
        while (asked := self._asked.get()) is not None:
            wanted, answer = asked
            self._sent.put(answer)
            try:
                pickle.dump(wanted, pipe, pickle.HIGHEST_PROTOCOL)
                pipe.flush()
            except OSError:
                self.alive = False  # the thread that reads finds the end, and says so of every answer
        self._sent.put(None)
        try:
            pipe.close()
        except OSError:  # what could not be written any more
            self.alive = False

    def _receive(self) -> None:
        pipe = self.process.stdout
        assert pipe is not None
        while (answer := self._sent.get()) is not None:
            try:
                come = pickle.load(pipe) if self.alive else None  # noqa: S301  our own process wrote it
            except (OSError, EOFError, pickle.UnpicklingError):
                self.alive = False
            self.busy -= 1
            if self.alive:
                answer.set_result(come)
            else:
                answer.set_exception(WorkerLostError())
        pipe.close()


class Crew:
    """So many processes, this one among them (0: one a core). Workers are started when the first `many` runs come."""

    def __init__(self, processes: int = 1, many: int = MANY) -> None:
        self.wanted = (processes or _cores()) - 1
        self.many = many
        self.handed = 0
        """Batches that were given to workers."""
        self.workers: list[Worker] = []
        self._ready: list[Future[bool]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for worker in self.workers:
            worker.end()
        self.workers = []

    def prepare(self, suite: Suite, terms: Terms, runs: int) -> None:
        """Has the workers read the suite, if there may be so many runs that they pay: they start while rows are read."""
        if self.wanted and runs >= self.many:
            self._start()
            self._ready = [worker.ask(order(suite, terms)) for worker in self.workers]

    def parts(self, suite: Suite, terms: Terms, batches: Iterable[list[StoredRun]]) -> Iterator[Part]:
        """What comes of the batches, in their order. Workers judge with where they were prepared for the suite."""
        interval = sys.getswitchinterval()
        if self._ready:
            sys.setswitchinterval(SWITCH_SECONDS)
        try:
            yield from self._parts(suite, terms, batches)
        finally:
            sys.setswitchinterval(interval)
            self._ready = []

    def _parts(self, suite: Suite, terms: Terms, batches: Iterable[list[StoredRun]]) -> Iterator[Part]:
        judge = Judge(suite, terms)
        waiting: deque[_Handed | Part] = deque()
        for batch in batches:
            worker = self._idle()
            if worker is None:
                waiting.append(part_of(judge, batch))
            else:
                waiting.append(_Handed(batch, worker.ask(batch)))
                self.handed += 1
            while waiting and (isinstance(waiting[0], Part) or waiting[0].part.done()):
                yield self._come(waiting.popleft(), suite, terms)
        while waiting:
            yield self._come(waiting.popleft(), suite, terms)

    @property
    def ready(self) -> bool:
        """Whether all workers have answered whether they can judge."""
        return all(answer.done() for answer in self._ready)

    def _start(self) -> None:
        """Where none can start, this process judges everything."""
        try:
            while len(self.workers) < self.wanted:
                self.workers.append(Worker())
        except OSError:
            self.wanted = len(self.workers)

    def _idle(self) -> Worker | None:
        """A worker that lives, has read the same suite, and has not enough before it."""
        for worker, answer in zip(self.workers, self._ready, strict=False):
            if worker.alive and worker.busy < _AHEAD and _said_yes(answer):
                return worker
        return None

    def _come(self, one: _Handed | Part, suite: Suite, terms: Terms) -> Part:
        """The part. Runs whose worker died get a fresh one; where that dies too, each of them is an error."""
        if isinstance(one, Part):
            return one
        try:
            return one.part.result()
        except WorkerLostError:
            return self._again(one.runs, suite, terms)

    def _again(self, runs: list[StoredRun], suite: Suite, terms: Terms) -> Part:
        fresh = Worker()
        try:
            fresh.ask(order(suite, terms))
            return fresh.ask(runs).result()
        except WorkerLostError:
            return part_of(Judge(suite, terms, lost=LOST), runs)
        finally:
            fresh.end()


def _widen(*pipes: IO[bytes] | None) -> None:
    for pipe in pipes:
        if pipe is not None and hasattr(fcntl, "F_SETPIPE_SZ"):
            with contextlib.suppress(OSError):  # over what one user may have
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _said_yes(answer: "Future[bool]") -> bool:
    return answer.done() and answer.exception() is None and answer.result()


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
