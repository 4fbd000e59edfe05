"""The single writer: requests from any thread, committed in groups by one thread on one connection.

A commit costs a disk flush of 3 to 16 ms however many rows it holds, so whatever arrives while one is under way goes into
the next. A future resolves only when its rows are on the disk (C-11): after their COMMIT or, in a burst and while the database
is held up, after they were written into the spool, from which they are committed next. Over the queue's budget a request is
refused at once (G-03).
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from collector.decode.decoded import Decoded
from collector.store.errors import StoreError, Unavailable
from collector.store.faults import Fault, classify, told
from collector.store.file.database import Database
from collector.store.file.space import Space
from collector.store.writing.checkpoints import Checkpoints
from collector.store.writing.door import Door, Matter, Trouble
from collector.store.writing.group import Receipt, Request, Rows, promise
from collector.store.writing.limits import WriterLimits
from collector.store.writing.measured import MeasuredCommitter
from collector.store.writing.queue import Queue
from collector.store.writing.spool import Spool
from collector.store.writing.stand_in import StandIn
from collector.store.writing.supervisor import Supervisor

RETRY_SECONDS = 1.0
"""Before an answered request that could not be committed is tried again."""


@dataclass(slots=True)
class _Append:
    tables: Mapping[str, pa.Table]
    batch_id: str | None
    future: "Future[bool]"


@dataclass(slots=True)
class _Exchange:
    work: Callable[[Path], object]
    future: "Future[object]"


class Writer:
    """Takes decoded requests (`submit`) and whole tables (`append`); both answer with futures.

    `on_commit(seq, trace_ids)` is called in the writer's thread after each commit and before the futures resolve.
    """

    def __init__(
        self,
        database: Database,
        limits: WriterLimits | None = None,
        on_commit: Callable[[int, list[str]], None] | None = None,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._limits = limits or WriterLimits()
        self._on_commit = on_commit or (lambda _seq, _traces: None)
        self._committer = MeasuredCommitter(database, clock)
        self.measured = self._committer.measured
        path = None if database.in_memory else Path(database.path)
        self._door = Door(Space(path, self._limits.free_bytes))
        self._changed = threading.Condition()
        self.queue = Queue(self._changed, self._door, self._limits)
        self._appends: deque[_Append] = deque()
        self._exchange: _Exchange | None = None
        self._suspected = False
        self._appended = False  # and no checkpoint since
        self._try_again = 0.0
        spool = None if path is None else Spool(path, self._committer.store_id)
        self._stand_in = StandIn(self.queue, spool, self._committer, self._limits.queue_bytes)
        self._supervisor = Supervisor(self._committer, self._door, self._changed)
        self._checkpoints = Checkpoints(self._committer, self._supervisor, self._door, path, self._limits)
        database.on_failure = self._suspect
        self._thread = threading.Thread(target=self._run, name="tracegrade-writer", daemon=True)
        self._thread.start()

    @property
    def seq(self) -> int:
        """The last commit that is durable."""
        return self._committer.seq

    def unready(self) -> str | None:
        """Why requests are refused now, in words for the operator; None: they are taken."""
        return self._door.why()

    def trouble(self) -> Trouble | None:
        """Why a request would be refused now, in the words of /readyz (H-19)."""
        if self.queue.waiting_bytes >= self._limits.queue_bytes:
            return "queue_full"
        return self._door.trouble()

    def submit(self, decoded: Decoded) -> "Future[Receipt]":
        """Hand over a request; the future resolves when its rows are durable, or fails with Busy or Unavailable.

        Raises Busy at once when the queue is full, Unavailable when draining or reopening.
        """
        if decoded.rows:
            return self.queue.submit(decoded).future
        future: Future[Receipt] = promise()
        future.set_result(Receipt(self._committer.seq, 0, 0))
        return future

    def append(self, tables: Mapping[str, pa.Table], batch_id: str | None) -> "Future[bool]":
        """Append to tables by qualified name in one transaction; False where this batch id was appended before."""
        future: Future[bool] = promise()
        with self._changed:
            if refusal := self._door.refusal():
                raise refusal
            self._appends.append(_Append(tables, batch_id, future))
            self._changed.notify_all()
        return future

    def exchange(self, work: Callable[[Path], object]) -> "Future[object]":
        """Have the file replaced: what waits is committed, the file closed, `work` called with its path, the file opened.

        From this call to the end of it all that comes is refused, to be sent again, and so are readers while the file is
        closed; statements of readers that run then are interrupted. Where the work fails, whatever stands at the path
        is opened again and the future raises its error. The new file must hold the ledger (`evidence.commits`) in full.
        """
        future: Future[object] = promise()
        with self._changed:
            if self._door.is_shut(Matter.STOPPING) or self._door.is_shut(Matter.BROKEN) or self._exchange:
                raise Unavailable("The store is shutting down, being reopened or being rewritten already.")
            self._door.shut(Matter.EXCHANGE)
            self._exchange = _Exchange(work, future)
            self._changed.notify_all()
        return future

    def catch_up(self) -> None:
        """Return when readers see what was answered by now (see `Promises.catch_up`)."""
        self.queue.promises.catch_up()

    def close(self) -> None:
        """Refuse what comes from now on, commit what waits, and stop. A second call does nothing."""
        with self._changed:
            self._door.shut(Matter.STOPPING)
            self._changed.notify_all()
        self._thread.join()

    def _suspect(self) -> None:
        with self._changed:
            self._suspected = True
            self._changed.notify_all()

    def _run(self) -> None:
        dirty = False
        while True:
            broken = self._door.is_shut(Matter.BROKEN)
            with self._changed:
                idle = not self._changed.wait_for(self._has_work, self._pause(broken=broken, dirty=dirty))
            if idle:
                dirty = self._rest(broken=broken)
            elif broken:
                self._refuse_all()
                if self._door.is_shut(Matter.STOPPING):
                    break
            elif self._suspected:
                self._suspected = False
                self._supervisor.recover("a reader met a fatal error")
            elif not self.queue and not self._appends:
                if not self._exchange:
                    break  # stopping, and everything is written
                self._do_exchange(self._exchange)
            else:
                dirty = True
                self._write()
        self._end()

    def _pause(self, *, broken: bool, dirty: bool) -> float | None:
        """Seconds without work after which something is to be done all the same; None: nothing is."""
        if broken:
            return self._supervisor.retry_seconds
        if self.queue.promises.put_back:
            return RETRY_SECONDS
        return self._limits.idle_seconds if dirty else None

    def _rest(self, *, broken: bool) -> bool:
        """Use the time; True where there is more to do in the next pause."""
        if broken:
            return not self._supervisor.reopen()
        if not self._write_put_back():
            return True
        with self.queue.held_up():
            return not self._checkpoints.at_rest()

    def _end(self) -> None:
        if not self._door.is_shut(Matter.BROKEN):
            self._write_put_back()
        self._stand_in.close()
        self._committer.close()

    def _has_work(self) -> bool:
        stopping = self._door.is_shut(Matter.STOPPING)
        return bool(self.queue or self._appends or self._exchange or self._suspected or stopping)

    def _write(self) -> None:
        """The requests that wait, and then one thing that takes longer: no request waits for two of these."""
        if self.queue and (group := self.queue.gather(lambda: self._appends)):
            self._write_group(group)
        if time.monotonic() > self._try_again:
            self._write_put_back()
        if self._checkpoints.due() and (self._appended or not self._appends):
            with self.queue.held_up():
                self._checkpoints.at_work()
            self._appended = False
        elif self._appends:
            with self.queue.held_up():
                self._write_append(self._appends.popleft())
            self._appended = True

    def _write_put_back(self) -> bool:
        """What was answered and could not be committed, one by one until one fails; whether nothing of it is left."""
        while self.queue.promises.put_back:
            if not self._write_group(self.queue.again()):
                return False
        return True

    def _refuse_all(self) -> None:
        """Nothing can be written: all that waits is to be sent again, but for what was answered."""
        self.queue.refuse(Unavailable(Matter.BROKEN.value))
        with self._changed:
            appends, exchange = list(self._appends), self._exchange
            self._appends.clear()
            self._exchange, self._suspected = None, False
            self._door.open(Matter.EXCHANGE)
        _fail([task.future for task in (*appends, *([exchange] if exchange else ()))], Unavailable(Matter.BROKEN.value))

    def _write_group(self, group: list[Request]) -> bool:
        """Whether it is committed."""
        try:
            results = self._commit(group)
        except Exception as error:  # noqa: BLE001 -- the thread must outlive it
            self._try_again = time.monotonic() + RETRY_SECONDS
            self.queue.failed(group, told(error))
            return False
        self.queue.committed(results)
        self._stand_in.tidy()
        return True

    def _commit(self, group: list[Request]) -> list[tuple[Request, Receipt]]:
        parts = {
            kind: Rows(requests, schema)
            for kind, schema in self._committer.schemas.items()
            if (requests := [r for r in group if r.decoded.kind == kind])
        }
        traces: list[str] = []
        try:
            traces = self._committer.commit(parts.get("spans"), parts.get("logs"))
        except Exception as error:
            if classify(error) is not Fault.FATAL or not self._supervisor.recover(error):
                raise
            traces = sorted(set().union(*(part.traces() for part in parts.values())))
        if traces:
            self._on_commit(self._committer.seq, traces)
        return [pair for part in parts.values() for pair in part.receipts(self._committer.seq)]

    def _write_append(self, task: _Append) -> None:
        try:
            task.future.set_result(self._committer.append(task.tables, task.batch_id))
        except Exception as error:  # noqa: BLE001 -- the thread must outlive it
            if classify(error) is Fault.FATAL and self._supervisor.recover(error):
                task.future.set_result(True)
            else:
                _fail([task.future], told(error))

    def _do_exchange(self, task: _Exchange) -> None:
        try:
            result = self._exchanged(task)
        except Exception as error:  # noqa: BLE001 -- it is for whoever asked; the thread must outlive it
            self._supervisor.probe()
            task.future.set_exception(error)
        else:
            task.future.set_result(result)
        with self._changed:
            self._exchange = None
            self._door.open(Matter.EXCHANGE)

    def _exchanged(self, task: _Exchange) -> object:
        if self.queue.promises.put_back:
            raise Unavailable("The store has answered for requests that it could not commit yet; try again later.")
        self._stand_in.forget()  # nothing that goes now may come back
        return self._committer.exchange(task.work)


def _fail(futures: "Iterable[Future[Any]]", error: StoreError) -> None:
    for future in futures:
        future.set_exception(error)
