"""What an error of the database means for the requests that were being written."""

import logging
from collections.abc import Callable
from enum import Enum

import duckdb
import pyarrow as pa

from collector.store.errors import FilesChanged, StoreError, Unavailable

_log = logging.getLogger(__name__)


class Fault(Enum):
    """Three kinds of trouble, each with its own way out."""

    ROWS = "rows"
    """Some row cannot be stored: find it, reject it alone, store the others."""
    TRANSIENT = "transient"
    """Nothing was stored; the same may work later: memory was short, the disk is full."""
    FATAL = "fatal"
    """The instance is dead, and whether the commit is durable is unknown: reopen, then ask the ledger."""


_FATAL = (duckdb.FatalException, duckdb.InternalException, duckdb.ConnectionException)
_ROWS = (
    duckdb.DataError,
    duckdb.InvalidInputException,
    duckdb.InvalidTypeException,
    duckdb.IntegrityError,
    duckdb.NotSupportedError,
    pa.ArrowException,
    UnicodeError,
    OverflowError,
    TypeError,
    ValueError,
)


def classify(error: Exception) -> Fault:
    """The kind of trouble. What is unknown counts as transient: the client sends again, and repeats change nothing."""
    if isinstance(error, (*_FATAL, FilesChanged)) or "database has been invalidated" in str(error):
        return Fault.FATAL
    if isinstance(error, duckdb.OutOfMemoryException | duckdb.IOException | duckdb.TransactionException | MemoryError):
        return Fault.TRANSIENT
    return Fault.ROWS if isinstance(error, _ROWS) else Fault.TRANSIENT


def told(error: Exception) -> StoreError:
    """What is told to those whose rows were not stored: what is not about the data is worth another try (G-05)."""
    if isinstance(error, StoreError):
        return error
    _log.error("Nothing of a group was stored: %s", type(error).__name__)
    return Unavailable("The store could not commit; send again later.")


def find_poison(rows: int, fails: Callable[[list[int]], bool]) -> set[int]:
    """The rows that fail by themselves, found by halving: about 2·log2(rows) attempts for one bad row."""
    bad: set[int] = set()
    parts = [list(range(rows))]
    while parts:
        part = parts.pop()
        if not part or not fails(part):
            continue
        if len(part) == 1:
            bad.update(part)
        else:
            middle = len(part) // 2
            parts += [part[:middle], part[middle:]]
    return bad
