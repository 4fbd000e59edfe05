"""The single writer: requests from any thread, committed in groups by one thread on one connection.

A commit costs a disk flush of 3 to 16 ms however many rows it holds, so whatever arrives while one is under way goes into
the next. A future resolves only after COMMIT (C-11); over the queue's budget a request is refused at once (G-03).
"""

import logging
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
from collector.store.checkpoints import Checkpoints
from collector.store.database import Database
from collector.store.door import Door, Matter, Trouble
from collector.store.errors import Busy, StoreError, Unavailable
from collector.store.faults import Fault, classify
from collector.store.group import Receipt, Request, Rows, promise
from collector.store.limits import WriterLimits
from collector.store.measured import MeasuredCommitter
from collector.store.space import Space
from collector.store.supervisor import Supervisor

_log = logging.getLogger(__name__)


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
        self._path = None if database.in_memory else Path(database.path)
        self._door = Door(Space(self._path, self._limits.free_bytes))
        self._requests: deque[Request] = deque()
        self._appends: deque[_Append] = deque()
        self._exchange: _Exchange | None = None
        self._waiting_bytes, self._suspected = 0, False
        self._appended = False  # and no checkpoint since
        self._changed = threading.Condition()
        self._supervisor = Supervisor(self._committer, self._door, self._changed)
        self._checkpoints = Checkpoints(
            self._committer, self._supervisor, self._door, self._changed, self._path, self._limits
        )
        database.on_failure = self._suspect
        self._thread = threading.Thread(target=self._run, name="tracegrade-writer", daemon=True)
        self._thread.start()

    @property
    def seq(self) -> int:
        """The last commit that is durable."""
        return self._committer.seq

    @property
    def waiting_bytes(self) -> int:
        """Decoded bytes that wait or are being written."""
        return self._waiting_bytes

    def unready(self) -> str | None:
        """Why requests are refused now, in words for the operator; None: they are taken."""
        return self._door.why()

    def trouble(self) -> Trouble | None:
        """Why a request would be refused now, in the words of /readyz (H-19)."""
        if self._waiting_bytes >= self._limits.queue_bytes:
            return "queue_full"
        return self._door.trouble()

    def submit(self, decoded: Decoded) -> "Future[Receipt]":
        """Hand over a request; the future resolves after the commit of its rows, or fails with Busy or Unavailable.

        Raises Busy at once when the queue is full, Unavailable when draining or reopening.
        """
        future: Future[Receipt] = promise()
        if not decoded.rows:
            future.set_result(Receipt(self._committer.seq, 0, 0))
            return future
        with self._changed:
            if refusal := self._door.refusal():
                raise refusal
            # One request alone is always taken: else a large one could never get in.
            if self._waiting_bytes and self._waiting_bytes + decoded.size > self._limits.queue_bytes:
                raise Busy(retry_after=1.0)
            self._waiting_bytes += decoded.size
            self._requests.append(Request(decoded, future, time.monotonic()))
            self._changed.notify()
        return future

    def append(self, tables: Mapping[str, pa.Table], batch_id: str | None) -> "Future[bool]":
        """Append to tables by qualified name in one transaction; False where this batch id was appended before."""
        future: Future[bool] = promise()
        with self._changed:
            if (refusal := self._door.refusal()) and not isinstance(refusal, Busy):  # a checkpoint is waited for
                raise refusal
            self._appends.append(_Append(tables, batch_id, future))
            self._changed.notify()
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
            self._changed.notify()
        return future

    def close(self) -> None:
        """Refuse what comes from now on, commit what waits, and stop. A second call does nothing."""
        with self._changed:
            self._door.shut(Matter.STOPPING)
            self._changed.notify()
        self._thread.join()

    def _suspect(self) -> None:
        with self._changed:
            self._suspected = True
            self._changed.notify()

    def _run(self) -> None:
        dirty = False
        while True:
            broken = self._door.is_shut(Matter.BROKEN)
            pause = self._supervisor.retry_seconds if broken else self._limits.idle_seconds if dirty else None
            with self._changed:
                idle = not self._changed.wait_for(self._has_work, pause)
            if idle:
                dirty = not (self._supervisor.reopen() if broken else self._checkpoints.at_rest())
            elif broken:
                self._refuse_all()
                if self._door.is_shut(Matter.STOPPING):
                    break
            elif self._suspected:
                self._suspected = False
                self._supervisor.recover("a reader met a fatal error")
            elif not self._requests and not self._appends:
                if not self._exchange:
                    break  # stopping, and everything is written
                self._do_exchange(self._exchange)
            else:
                dirty = True
                self._write()
        self._committer.close()

    def _has_work(self) -> bool:
        stopping = self._door.is_shut(Matter.STOPPING)
        return bool(self._requests or self._appends or self._exchange or self._suspected or stopping)

    def _write(self) -> None:
        """The requests that wait, and then one thing that takes longer: no request waits for two of these."""
        if self._requests:
            self._write_group(self._gather())
        if self._checkpoints.due() and (self._appended or not self._appends):
            self._checkpoints.at_work()
            self._appended = False
        elif self._appends:
            self._write_append(self._appends.popleft())
            self._appended = True

    def _refuse_all(self) -> None:
        """Nothing can be written: all that waits is to be sent again."""
        with self._changed:
            requests, appends, exchange = list(self._requests), list(self._appends), self._exchange
            self._requests.clear()
            self._appends.clear()
            self._exchange, self._suspected = None, False
            self._door.open(Matter.EXCHANGE)
            self._waiting_bytes -= sum(request.decoded.size for request in requests)
        futures = [task.future for task in (*requests, *appends, *([exchange] if exchange else ()))]
        self._fail(futures, Unavailable(Matter.BROKEN.value))

    def _gather(self) -> list[Request]:
        """The next group: what is there, and what comes within the first request's time of waiting."""
        limits, group, rows, size = self._limits, [], 0, 0
        deadline = self._requests[0].arrived + limits.seconds
        while True:
            with self._changed:
                while self._requests and (not group or (rows < limits.rows and size < limits.bytes)):
                    request = self._requests.popleft()
                    group.append(request)
                    rows, size = rows + request.decoded.rows, size + request.decoded.size
                left = deadline - time.monotonic()
                if rows >= limits.rows or size >= limits.bytes or left <= 0 or self._door.refusal():
                    return group
                self._changed.wait(left)

    def _write_group(self, group: list[Request]) -> None:
        try:
            results = self._commit(group)
        except Exception as error:  # noqa: BLE001 -- the thread must outlive it
            self._fail([request.future for request in group], error)
        else:
            for request, receipt in results:
                request.future.set_result(receipt)
        finally:
            with self._changed:
                self._waiting_bytes -= sum(request.decoded.size for request in group)

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
                self._fail([task.future], error)

    def _do_exchange(self, task: _Exchange) -> None:
        try:
            result = self._committer.exchange(task.work)
        except Exception as error:  # noqa: BLE001 -- it is for whoever asked; the thread must outlive it
            self._supervisor.probe()
            task.future.set_exception(error)
        else:
            task.future.set_result(result)
        with self._changed:
            self._exchange = None
            self._door.open(Matter.EXCHANGE)

    def _fail(self, futures: "Iterable[Future[Any]]", error: Exception) -> None:
        """Every error becomes one of ours: what is not about the data is worth another try."""
        if not isinstance(error, StoreError):
            _log.error("Nothing of a group was stored: %s", type(error).__name__)
            error = Unavailable("The store could not commit; send again later.")
        for future in futures:
            future.set_exception(error)
