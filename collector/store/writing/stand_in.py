"""Answers for the writer in a burst and while that is held up: what waits is kept in the spool, and its senders are told so."""

import logging
import threading
from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from collector.store.writing.group import Request, Rows
from collector.store.writing.queue import Queue
from collector.store.writing.segment import Kept
from collector.store.writing.spool import Spool

_log = logging.getLogger(__name__)

LARGEST = 256 << 20
"""Bytes of a spool that takes no more. It is emptied when the writer has caught up; one that never does must be waited for."""

_SHARE = 0.5
"""Of what may wait in the queue so much may be answered: else a writer that is slower than a burst would have all refused."""


class Progress(Protocol):
    """What is told of the store."""

    schemas: dict[str, pa.Schema]
    """The columns that arrive, by kind."""

    @property
    def seq(self) -> int:
        """The last commit that is durable."""
        ...

    def present(self) -> None:
        """Raise FilesChanged where the file is not the one that was opened any more."""
        ...


class StandIn:
    """A thread of its own; without a spool (a store in memory) there is none, and everybody waits for the writer."""

    def __init__(self, queue: Queue, spool: Spool | None, progress: Progress, queue_bytes: int) -> None:
        """What an earlier process answered and did not commit is put into the queue, in which so many bytes may wait."""
        self._queue, self._spool, self._progress = queue, spool, progress
        self._most = int(queue_bytes * _SHARE)
        self._thread: threading.Thread | None = None
        if spool is not None:
            queue.stand_in()
            spool.expect([queue.resume(kept.decoded()) for kept in spool.left(progress.schemas)])
            self._thread = threading.Thread(target=self._run, args=(spool,), name="tracegrade-spool", daemon=True)
            self._thread.start()

    def tidy(self) -> None:
        """Empty the spool of what is committed. A record that is left by a crash in between is a duplicate."""
        if self._spool is not None:
            self._spool.tidy()

    def forget(self) -> None:
        """Return when what is committed is gone from the disk, too. Nothing comes meanwhile: the door is shut."""
        if self._spool is not None:
            self._queue.await_kept()
            self._spool.forget()

    def close(self) -> None:
        """Stop. What was answered and could not be committed stays in the spool."""
        self._queue.end()
        if self._thread is not None and self._spool is not None:
            self._thread.join()
            if left := self._queue.promises.put_back:
                _log.error("%d answered requests are left in the spool, for the next start.", left)
            self._spool.close()

    def _run(self, spool: Spool) -> None:
        while requests := self._queue.to_answer():
            kept: Sequence[Request] = ()
            try:
                kept = self._keep(requests, spool)
                self._progress.present()  # what is answered must have a store to go to
            except Exception as error:  # noqa: BLE001 -- they wait for the writer, as without a spool
                kept = ()
                _log.warning("Requests could not be kept in the spool: %s", type(error).__name__)
            declined = [request for request in requests if request not in kept] if len(kept) < len(requests) else ()
            self._queue.answer(kept, declined, self._progress.seq)
            spool.tidy()  # they may be committed by now

    def _keep(self, requests: Sequence[Request], spool: Spool) -> list[Request]:
        """Keep the rows of these; those with a row that cannot be held wait for the writer, which tells their senders."""
        if spool.size > LARGEST or self._queue.waiting_bytes > self._most:
            return []
        kept: list[Request] = []
        records: list[Kept] = []
        for kind, schema in self._progress.schemas.items():
            ours = [request for request in requests if request.decoded.kind == kind]
            if not ours:
                continue
            rows = Rows(ours, schema)
            if not rows.refused:
                records.append(Kept(ours[0].decoded.kind, rows.kept))
                kept += ours
                rows.hand_back()
        if records:
            spool.add(records, kept)
        return kept
