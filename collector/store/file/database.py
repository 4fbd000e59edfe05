"""The open DuckDB file: one instance a process, a cursor a thread, reopened after a fatal error.

Only this process may have the file open (D-01). Everything that DuckDB would do with the world outside of the
file is switched off.
"""

import contextlib
import os
import shutil
import threading
import time
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import duckdb

from collector.store import statements
from collector.store.errors import FilesChanged, NotAStore, Unavailable
from collector.store.extension import Extension
from collector.store.file.highwater import HighWater, Mark
from collector.store.file.hold import Hold
from collector.store.file.opening import Settings, block_size, connect, cursor_of, explained, least_size, lost
from collector.store.file.presence import Presence
from collector.store.file.quarantine import keep, quarantine
from collector.store.version import STORE_ID, prepare
from collector.store_files import ASIDE, MEMORY, SPOOLS, beside

_NO_CHECKPOINT_BY_ITSELF: Settings = {
    "checkpoint_threshold": "1TiB",
    "auto_checkpoint_skip_wal_threshold": "1000000000000",
}
"""With the default of 16 MiB the p99 of a commit is 290 to 530 ms, without checkpoints 20 ms: the writer says when."""

LONGEST_STATEMENT = 60.0
"""Seconds until statements that were interrupted must have ended: some functions take no notice for 40 (measured)."""

T = TypeVar("T")

CLOSED: Settings = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
}


MOST_MEMORY = 1 << 30
"""Bytes that the database takes at most, unless it is told otherwise: blocks that it read or wrote it keeps for as long as it
has room. With 6 GiB a collector had grown to 3.3 GiB after five million spans and was no quicker than with this (measured)."""


def own_memory() -> int:
    """A quarter of this machine's (or container's) memory, at most `MOST_MEMORY`, in bytes."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with contextlib.suppress(OSError, ValueError):  # no container, or one without a limit
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")))
    return min(total // 4, MOST_MEMORY)


@contextmanager
def private_files() -> Generator[None]:
    """Files made inside are for their owner alone, 0600 (X-33)."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


class Database:
    """The store's file, open for reading and writing; `path` may be `:memory:`.

    Raises StoreInUse where another process holds the file, NotAStore where it is none of ours, Damaged where it is not whole
    or less is in it than was acknowledged; nothing is changed then, the log least of all.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        extensions: Sequence[Extension] = (),
        memory_limit: int | None = None,
        created_by: str = "tracegrade",
    ) -> None:
        self.path = str(path)
        self.extensions = tuple(extensions)
        self.hold = Hold()
        self._memory_limit = memory_limit or own_memory()
        self._created_by = created_by
        self.high_water = None if self.in_memory else HighWater(self.path)
        """The mark of what was acknowledged; None in memory."""
        self._presence: Presence | None = None
        self.on_failure: Callable[[], None] = lambda: None
        """Called in a reader's thread (see `failed`)."""
        self._lock = threading.Lock()
        self._cursors: weakref.WeakSet[duckdb.DuckDBPyConnection] = weakref.WeakSet()
        self._connection: duckdb.DuckDBPyConnection | None = self._open()

    @property
    def in_memory(self) -> bool:
        """Whether there is no file at all."""
        return self.path == MEMORY

    @property
    def file(self) -> Path:
        """The file, where there is one."""
        return Path(self.path)

    @property
    def memory_limit(self) -> int:
        """Bytes that the database may take."""
        return self._memory_limit

    @property
    def is_open(self) -> bool:
        """Whether cursors can be had."""
        return self._connection is not None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own for one thread. Raises Unavailable while the file is closed."""
        with self._lock:
            if self._connection is None:
                raise Unavailable("The store is closed or being reopened.")
            cursor = cursor_of(self._connection, self.path)
            self._cursors.add(cursor)
            return cursor

    def verify(self, *, checkpointed: bool = False) -> None:
        """Raise FilesChanged unless the open file and its log are still those at their path. To be asked after each commit.

        After a checkpoint it also raises what the database raises, where that does not answer any more.
        """
        if self._presence is None:
            return
        least = None
        if checkpointed:
            with contextlib.closing(self.cursor()) as cursor:
                least = least_size(cursor)
        self._raise(self._presence.wrong(least))

    def present(self) -> None:
        """Raise FilesChanged where the open file or its log are plainly not at their path any more (see `Presence.gone`).

        From any thread.
        """
        if (presence := self._presence) is not None:
            self._raise(presence.gone())

    @contextmanager
    def checkpoint(self) -> Generator[None]:
        """The writer makes a checkpoint inside, and looks at the files at the end of it (see `verify`)."""
        with self._presence.checkpoint() if self._presence else contextlib.nullcontext():
            yield
            self.verify(checkpointed=True)

    def _raise(self, wrong: str | None) -> None:
        if wrong:
            raise FilesChanged(f"{self.path} {wrong} while it was open.")

    def rescue(self) -> Path | None:
        """Copy what is still open, whatever stands at its path now, into quarantine; the folder, or None."""
        if self._presence is None:
            return None
        folder = quarantine(Path(self.path))
        if not self._presence.rescue(folder):
            return None
        for ending in SPOOLS:  # what was answered and is not committed yet
            with contextlib.suppress(FileNotFoundError):
                keep(beside(self.path, ending), folder)
        return folder

    def failed(self) -> None:
        """A reader met a fatal error: tell the writer, which reopens."""
        self.on_failure()

    def reopen(self) -> None:
        """Drop every connection and open the file again: after a fatal error nothing else helps (D-07).

        Who waits for a cursor meanwhile gets one afterwards.
        """
        with self._lock:
            if self.in_memory:
                raise NotAStore("The store in memory was lost after a fatal error of the database.")
            if self._connection is not None:
                with contextlib.suppress(duckdb.Error):  # a broken or foreign file is to be left as it is
                    self._connection.cursor().execute("PRAGMA disable_checkpoint_on_shutdown")
            self._drop()
            self._connection = self._open()

    def exchange(self, work: Callable[[Path], T]) -> T:
        """Close the file, do `work` with its path, and open whatever stands there then, also where the work failed.

        Meanwhile cursors are refused as unavailable. Statements that run are interrupted.
        """
        if self.in_memory:
            raise NotAStore("A store in memory has no file.")
        with self._lock:
            self._drop()
        try:
            return work(Path(self.path))
        finally:
            with self._lock:
                self._connection = self._open()

    def close(self) -> None:
        """Close the file; DuckDB writes its log into it. A second call does nothing."""
        with self._lock:
            self._drop()
            if self.high_water is not None:
                self.high_water.close()

    def _drop(self) -> None:
        """Close every connection. One that is at work refuses to be closed, and would keep the old instance alive."""
        deadline = time.monotonic() + LONGEST_STATEMENT
        while self._connection is not None:
            for cursor in list(self._cursors):
                with contextlib.suppress(duckdb.Error):  # it may be closed already
                    cursor.interrupt()
            try:
                self._connection.close()
            except duckdb.ResourceInUseException:
                if time.monotonic() > deadline:
                    raise Unavailable("A statement that runs keeps the store from being reopened.") from None
                time.sleep(0.02)
                continue
            except duckdb.Error:  # it may be thrown away because it does not work any more
                pass
            self._connection = None
            self._cursors.clear()

    def _open(self) -> duckdb.DuckDBPyConnection:
        config = CLOSED | _NO_CHECKPOINT_BY_ITSELF | {"memory_limit": f"{self._memory_limit // 2**20}MiB"}
        if self.high_water is not None and not Path(self.path).exists() and (loss := self.high_water.loss(None)):
            raise lost(self.path, loss)  # else an empty store would take its place
        with private_files():
            connection = connect(self.path, config)  # what is damaged stays as it is
            try:
                if not self.in_memory:  # what a killed process put aside
                    shutil.rmtree(beside(self.path, ASIDE), ignore_errors=True)
                self._compare(connection)
                prepare(connection, self.path, self._created_by, self.extensions)
                connection.execute("PRAGMA enable_checkpoint_on_shutdown")
                size = block_size(connection)
            except duckdb.Error as error:
                connection.close()
                raise explained(self.path, error) from None
            except BaseException:
                connection.close()
                raise
        self._presence = None if self.in_memory else Presence(self.path, size)
        return connection

    def _compare(self, connection: duckdb.DuckDBPyConnection) -> None:
        if self.high_water is not None and (loss := self.high_water.loss(progress(connection))):
            raise lost(self.path, loss)


def progress(connection: duckdb.DuckDBPyConnection) -> Mark | None:
    """How far the store in this file has come; None where there is no store in it, or one without commits and id."""
    sql = statements.load()
    try:
        about = dict(connection.execute(sql["ledger/about"]).fetchall())
        seq, spans, logs = connection.execute(sql["ledger/last_commit"]).fetchall()[0]
    except duckdb.CatalogException:
        return None
    return Mark(about[STORE_ID], seq, spans, logs) if STORE_ID in about else None
