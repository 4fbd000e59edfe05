"""Who did what with the store: a row for each question in free SQL, export, deletion, change of tokens and label (X-34).

Never what was in it: counts, ids, and of a statement its SHA-256 and its length, since its text may quote what people said
(who knows a statement can tell whether it was asked). Questions are noted without making anybody wait, and written together
a moment later; what changes something is noted in the transaction that changes it, or before it is answered.
"""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import Literal

import pyarrow as pa

from collector.store.errors import StoreError

_log = logging.getLogger(__name__)

TABLE = "access.audit"
AUDIT = "audit"
"""The fixed query that lists them: for the store's owner alone."""

KEPT_DAYS = 400
"""A year and a month: older rows go when the file is written anew."""

EVERY = 2.0
"""Seconds that a question waits for others to be written with. A kill within them leaves it unwritten."""

MOST = 10_000
"""Rows that wait while the store cannot be written; beyond them the oldest are dropped, and that is logged."""

Outcome = Literal["done", "refused", "failed"]

_SCHEMA = pa.schema(
    {
        "at": pa.timestamp("ns"),
        "who": pa.string(),
        "what": pa.string(),
        "outcome": pa.string(),
        "row_count": pa.uint64(),
        "trace_count": pa.uint64(),
        "about": pa.string(),
        "size": pa.uint64(),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One row of the table (schema.sql says what its columns mean)."""

    who: str
    what: str
    outcome: Outcome = "done"
    row_count: int | None = None
    trace_count: int | None = None
    about: str | None = None
    size: int | None = None
    at: int = field(default_factory=time.time_ns)


def question(who: str, text: str, outcome: Outcome, row_count: int | None = None) -> Deed:
    """Somebody asked in free SQL."""
    raw = text.encode("utf-8", "surrogatepass")
    about = hashlib.sha256(raw).hexdigest()
    return Deed(who=who, what="sql", outcome=outcome, row_count=row_count, about=about, size=len(raw))


def rows(deeds: Sequence[Deed]) -> dict[str, pa.Table]:
    """As rows to append."""
    return {TABLE: pa.Table.from_pylist([asdict(deed) for deed in deeds], schema=_SCHEMA)}


def changes(who: str, tables: Mapping[str, pa.Table], names: Mapping[str, str]) -> list[Deed]:
    """What an append changes, where `names` says which tables count and what a row in them is called."""
    found = [(names[table], added) for table, added in tables.items() if table in names and added.num_rows]
    return [Deed(who=who, what=what, row_count=added.num_rows, about=_token(added)) for what, added in found]


def _token(added: pa.Table) -> str | None:
    """The id of the token that it is about, where it is about one."""
    return added["token_id"][0].as_py() if "token_id" in added.column_names else None


class Journal:
    """Writes deeds through `append`, the store's own channel. Safe to call from any thread."""

    def __init__(self, append: Callable[[dict[str, pa.Table]], "Future[bool]"], every: float = EVERY) -> None:
        self._append, self._every = append, every
        self._waiting: list[Deed] = []
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def note(self, deed: Deed) -> None:
        """Have it written within a moment; nobody waits."""
        self._put([deed])
        with self._changed:
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="tracegrade-audit", daemon=True)
                self._thread.start()

    def record(self, deed: Deed) -> None:
        """Write it, and all that waits, and return then; where that cannot be done now it waits with the others."""
        self._put([deed])
        self.flush()

    def flush(self) -> bool:
        """Write what waits; False where the store cannot be written now."""
        with self._writing:
            with self._changed:
                deeds, self._waiting = self._waiting, []
            if not deeds:
                return True
            try:
                self._append(rows(deeds)).result()
            except StoreError:
                self._put(deeds, first=True)
                return False
            return True

    def close(self) -> None:
        """Write what waits, and stop."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        if not self.flush():
            _log.error("%d rows of the audit table could not be written.", len(self._waiting))

    def _put(self, deeds: Iterable[Deed], *, first: bool = False) -> None:
        with self._changed:
            self._waiting = [*deeds, *self._waiting] if first else [*self._waiting, *deeds]
            if (over := len(self._waiting) - MOST) > 0:
                del self._waiting[:over]
                _log.error("%d rows of the audit table are lost: the store cannot be written.", over)
            self._changed.notify_all()

    def _run(self) -> None:
        while not self._closed.is_set():
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed.is_set())
            self._closed.wait(self._every)
            self.flush()
