"""When the log is written into the file: at work for as short as can be, at rest with all that makes the file tidy."""

import logging
import time
from pathlib import Path

from collector.store.faults import Fault, classify
from collector.store.file.space import log_size
from collector.store.writing.commit import Committer
from collector.store.writing.door import Door, Matter
from collector.store.writing.limits import WriterLimits
from collector.store.writing.supervisor import Supervisor

_log = logging.getLogger(__name__)

HELD_SECONDS = 2.0
"""Before a checkpoint that had to wait for a reader is tried again."""

BURST = 32 << 20
"""Bytes a second by which the log grows in a burst: four times what 5,000 spans/s come to without their trees."""

BURST_LOGS = 8
"""The log of a burst is written when the burst is over, or when it is so many times as large as it should be: what is written
into the file takes a quarter of the time of a collector that has all it can do (40,000 instead of 53,000 spans/s; measured)."""

MERGED = 16
"""Checkpoints after which one merges the row groups that they left and that are not full: in a pause, or after as many again
at work, where nobody waits for an answer meanwhile but readers wait that quarter of a second."""

_SHORTEST = 0.25
"""Seconds of growth that tell a burst."""


class Checkpoints:
    """Belongs to the writer's thread. What comes meanwhile is answered from the spool."""

    def __init__(
        self,
        committer: Committer,
        supervisor: Supervisor,
        door: Door,
        path: Path | None,
        limits: WriterLimits,
    ) -> None:
        self._committer, self._supervisor = committer, supervisor
        self._door = door
        self._path, self._limits = path, limits
        self._not_before = 0.0
        self._since = time.monotonic()  # the log grows
        self._unmerged = MERGED  # of what was before nobody knows

    def due(self) -> bool:
        """Whether the log is so large that one must be made between two commits."""
        if self._door.is_shut(Matter.BROKEN):  # the commit before met that: there is nothing to write into
            return False
        log, most, now = self._log(), self._limits.log_bytes, time.monotonic()
        if log <= most or now <= self._not_before:
            return False
        return log > most * BURST_LOGS or log <= BURST * max(now - self._since, _SHORTEST)

    def at_work(self) -> None:
        """Between two commits."""
        merge = self._unmerged >= 2 * MERGED
        self._not_before = time.monotonic() + (0.0 if self._checkpoint(merge=merge) else HELD_SECONDS)

    def at_rest(self) -> bool:
        """With nothing else to do. False where it must be tried again.

        Tables that nothing came for are not merged.
        """
        return self._checkpoint(merge=self._unmerged >= MERGED and bool(self._log()))

    def _checkpoint(self, *, merge: bool) -> bool:
        try:
            done = self._committer.checkpoint(merge=merge)
        except Exception as error:  # noqa: BLE001 -- the thread must outlive it
            _log.warning("The checkpoint failed: %s", type(error).__name__)
            if classify(error) is Fault.FATAL:
                self._supervisor.recover(error)
            return False
        if done:
            self._unmerged = 0 if merge else self._unmerged + 1
            self._since = time.monotonic()
        return done

    def _log(self) -> int:
        return 0 if self._path is None else log_size(self._path)
