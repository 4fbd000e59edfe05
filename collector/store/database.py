"""The open DuckDB file: one instance a process, a cursor a thread, reopened after a fatal error.

Only this process may have the file open (D-01). Everything that DuckDB would do with the world outside of the
file is switched off.
"""

import contextlib
import os
import re
import threading
import time
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import duckdb

from collector.store.errors import NotAStore, StoreInUse, Unavailable
from collector.store.extension import Extension
from collector.store.hold import Hold
from collector.store.version import prepare

MEMORY = ":memory:"

CHECKPOINT_THRESHOLD = "1GiB"
"""Out of reach in daily work: with the default of 16 MiB the p99 of a commit is 290 to 530 ms, with this one 20 ms.
The writer checkpoints when it is idle."""

LONGEST_STATEMENT = 60.0
"""Seconds until statements that were interrupted must have ended: some functions take no notice for 40 (measured)."""

T = TypeVar("T")

_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "python_enable_replacements": "false",
}


def quarter_of_memory() -> int:
    """A quarter of this machine's (or container's) memory, in bytes."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with contextlib.suppress(OSError, ValueError):  # no container, or one without a limit
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")))
    return total // 4


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

    Raises StoreInUse where another process holds the file, NotAStore where it is none of ours.
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
        self._memory_limit = memory_limit or quarter_of_memory()
        self._created_by = created_by
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

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own for one thread. Raises Unavailable while the file is closed."""
        with self._lock:
            if self._connection is None:
                raise Unavailable("The store is closed or being reopened.")
            cursor = self._connection.cursor()
            self._cursors.add(cursor)
            return cursor

    def reopen(self) -> None:
        """Drop every connection and open the file again: after a fatal error nothing else helps (D-07).

        Who waits for a cursor meanwhile gets one afterwards.
        """
        with self._lock:
            if self.in_memory:
                raise NotAStore("The store in memory was lost after a fatal error of the database.")
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
        config = _CLOSED | {
            "checkpoint_threshold": CHECKPOINT_THRESHOLD,
            "memory_limit": f"{self._memory_limit // 2**20}MiB",
        }
        with private_files():
            try:
                connection = duckdb.connect(self.path, config=config)
            except duckdb.IOException as error:
                raise _explained(self.path, str(error)) from None
            try:
                prepare(connection, self.path, self._created_by, self.extensions)
            except BaseException:
                connection.close()
                raise
        return connection


def _explained(path: str, message: str) -> Exception:
    if "Conflicting lock" in message:
        holder = re.search(r"PID (\d+)", message)
        who = f"the process {holder[1]}" if holder else "another process"
        return StoreInUse(
            f"{path} is in use by {who}. If that is a tracegrade collector, name its address with --store; "
            "else wait until it ends."
        )
    if not Path(path).parent.exists():
        return NotAStore(f"{path} cannot be opened: its folder does not exist.")
    if "not a valid DuckDB database" in message:
        return NotAStore(f"{path} is not a DuckDB database; name another file with --store.")
    return NotAStore(f"{path} cannot be opened: {message.splitlines()[0]}")
