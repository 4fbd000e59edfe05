"""The open DuckDB file: one instance a process, a cursor a thread, reopened after a fatal error.

Only this process may have the file open (D-01). Everything that DuckDB would do with the world outside of the
file is switched off.
"""

import contextlib
import os
import re
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb

from collector.store.errors import NotAStore, StoreInUse, Unavailable
from collector.store.extension import Extension
from collector.store.hold import Hold
from collector.store.version import prepare

MEMORY = ":memory:"

CHECKPOINT_THRESHOLD = "1GiB"
"""Out of reach in daily work: with the default of 16 MiB the p99 of a commit is 290 to 530 ms, with this one 20 ms.
The writer checkpoints when it is idle."""

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
        self._connection: duckdb.DuckDBPyConnection | None = self._open()

    @property
    def in_memory(self) -> bool:
        """Whether there is no file at all."""
        return self.path == MEMORY

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own for one thread. Raises Unavailable while the file is closed."""
        with self._lock:
            if self._connection is None:
                raise Unavailable("The store is closed or being reopened.")
            return self._connection.cursor()

    def reopen(self) -> None:
        """Drop every connection and open the file again: after a fatal error nothing else helps (D-07)."""
        with self._lock:
            if self.in_memory:
                raise NotAStore("The store in memory was lost after a fatal error of the database.")
            self._drop()
            self._connection = self._open()

    def close(self) -> None:
        """Close the file; DuckDB writes its log into it. A second call does nothing."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(duckdb.Error):  # it may be thrown away because it does not work any more
                self._connection.close()
            self._connection = None

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
