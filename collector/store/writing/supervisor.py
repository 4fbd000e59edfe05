"""Brings the store back after a fatal error of the database: the only cure is to drop every connection and open again (D-07).

Before that it keeps what only this process can still reach; afterwards the ledger says whether the commit that was under
way is durable. Where the file cannot be opened the door stays shut, with the reason, until it can.
"""

import logging
import threading

from collector.store.errors import FilesChanged, NotAStore, StoreError
from collector.store.writing.commit import Committer
from collector.store.writing.door import Door, Matter

_log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""Between attempts to open a file again that could not be opened."""

DAMAGE_SECONDS = 5.0
"""Likewise where what stands at the path is damaged or another file: somebody has to put it right."""


class Supervisor:
    """Works in the writer's thread; `lock` guards the door."""

    def __init__(self, committer: Committer, door: Door, lock: threading.Condition) -> None:
        self._committer = committer
        self._door = door
        self._lock = lock
        self.retry_seconds = RETRY_SECONDS

    def recover(self, error: Exception | str) -> bool:
        """After a fatal error open the file again; True where the ledger has the commit that was under way."""
        what = str(error) if isinstance(error, str | StoreError) else type(error).__name__
        _log.error("The database failed (%s) and is being reopened.", what)
        if isinstance(error, FilesChanged):
            self._rescue()
        before = self._committer.seq
        return self.reopen() and self._committer.seq > before

    def reopen(self) -> bool:
        """Open the file again; False where that fails: everything is refused then, and it is to be tried again."""
        with self._lock:
            self._door.shut(Matter.BROKEN)
        try:
            self._committer.reconnect()
        except Exception as error:  # noqa: BLE001 -- the thread must outlive it
            why = str(error) if isinstance(error, StoreError) else type(error).__name__
            _log.error("The store cannot be reopened: %s", why)
            with self._lock:
                self._door.shut(Matter.BROKEN, why)
            self.retry_seconds = DAMAGE_SECONDS if isinstance(error, NotAStore) else RETRY_SECONDS
            return False
        with self._lock:
            self._door.open(Matter.BROKEN)
        _log.info("The store is open again, at commit %d.", self._committer.seq)
        return True

    def probe(self) -> None:
        """Where the file is not open, or not ours, open it again, now or later."""
        try:
            self._committer.verify()
        except Exception as error:  # noqa: BLE001 -- whatever it is, opening again is the cure
            self.recover(error)

    def _rescue(self) -> None:
        try:
            folder = self._committer.rescue()
        except OSError as error:
            _log.error("What was open could not be copied: %s", error.strerror)
            return
        if folder:
            _log.error("What was open is kept in %s", folder)
