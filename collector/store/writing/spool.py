"""What was answered before it is committed: files beside the store that keep such requests until the database has them.

While the database is held up (a checkpoint, a large append) requests would wait for it: at 5,000 spans/s the p99 of an answer
was 105 to 231 ms after five minutes, and grew with the file. In a burst the database is quicker with many rows at a time than
clients send before they wait for answers. So requests are written here, flushed to the disk and answered; the database gets
them next. What a killed process left here is the first that the next one commits; what was committed all the same is found to
be there (`identity`), so that nothing is stored twice.

There are two segments: one takes what comes, while the other waits until all that is in it is committed, and is emptied.
"""

import logging
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import pyarrow as pa

from collector.private_files import distrust
from collector.store.errors import BadAppend, NotAStore
from collector.store.file.quarantine import keep, quarantine
from collector.store.writing import segment
from collector.store.writing.inserting import fitted
from collector.store.writing.segment import Contents, Kept, Kind, Segment
from collector.store_files import SPOOLS, beside

_log = logging.getLogger(__name__)

TURN = 32 << 20
"""Bytes of a segment after which the other takes what comes, once it is empty: about a group of a burst."""


class Pending(Protocol):
    """A request that is kept."""

    settled: bool
    """It is committed, or refused."""


class Waiting(NamedTuple):
    """What waits in the spool of a store."""

    records: list[Kept]
    unreadable: int
    """Bytes that are no whole record."""

    def rows(self, kind: Kind) -> int:
        """How many rows of a kind wait."""
        return sum(record.rows.num_rows for record in self.records if record.kind == kind)


class Spool:
    """The spool of one open store. Safe to use from several threads."""

    def __init__(self, store: str | Path, store_id: str) -> None:
        self._store, self._store_id = Path(store), store_id
        self._segments = [Segment(path, store_id) for path in paths(store)]
        self._pending: list[deque[Pending]] = [deque() for _ in self._segments]
        self._current = 0
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(each.size for each in self._segments)

    def left(self, schemas: Mapping[str, pa.Schema]) -> list[Kept]:
        """What an earlier process left here, as rows of these schemas. What cannot be read or stored is set aside, and told.

        Raises NotAStore for a file that others of this machine could have made: its rows would pass for answered ones (X-33).
        """
        for each in self._segments:
            if wrong := distrust(each.path):
                raise NotAStore(f"{each.path} {wrong}")
        return [kept for each in self._segments for kept in self._left(each, schemas)]

    def expect(self, requests: Iterable[Pending]) -> None:
        """These are what was left: it stays until they are settled."""
        found = list(requests)
        for pending in self._pending:
            pending.extend(found)

    def add(self, records: list[Kept], of: Iterable[Pending]) -> None:
        """Keep these records until the requests that they are of are settled: they are on the disk when this returns.

        Raises OSError, and nothing is kept then.
        """
        with self._lock:
            other = 1 - self._current
            if self._segments[self._current].size >= TURN and not self._segments[other].used:
                self._current = other
            self._segments[self._current].add(records)
            self._pending[self._current].extend(of)

    def tidy(self, *, wait: bool = False) -> None:
        """Empty what holds settled requests alone: not while something is being kept, unless that is to be waited for."""
        if not self._lock.acquire(blocking=wait):
            return
        try:
            for each, pending in zip(self._segments, self._pending, strict=True):
                while pending and pending[0].settled:
                    pending.popleft()
                if each.used and not pending:
                    each.clear()
        finally:
            self._lock.release()

    def forget(self) -> None:
        """Return when what is settled is gone from the disk."""
        self.tidy(wait=True)
        with self._lock:
            for each in self._segments:
                each.forget()

    def close(self) -> None:
        """Close the files, and remove those in which nothing waits. A second call does nothing."""
        with self._lock:
            for each in self._segments:
                each.close()

    def _left(self, each: Segment, schemas: Mapping[str, pa.Schema]) -> list[Kept]:
        found = segment.read(each.path)
        foreign = found.store_id not in (None, self._store_id)
        kept: list[Kept] = []
        misfit = 0
        for record in () if foreign else found.records:
            try:
                kept.append(Kept(record.kind, fitted(record.rows, schemas[record.kind], record.kind)))
            except (BadAppend, pa.ArrowException):
                misfit += record.rows.num_rows
        if foreign or misfit or found.unreadable:
            why = "are another store's" if foreign else f"cannot be read ({found.unreadable:,} bytes, {misfit:,} rows)"
            _log.error("Requests in %s %s: they are kept in %s", each.path, why, self._set_aside(each.path))
        each.resume(0 if foreign else found.end)
        return kept

    def _set_aside(self, path: Path) -> Path:
        folder = quarantine(self._store)
        folder.mkdir(parents=True, mode=0o700)
        return keep(path, folder).parent


def paths(store: str | Path) -> list[Path]:
    """Where the files of a store's spool lie."""
    return [beside(store, ending) for ending in SPOOLS]


def read(store: str | Path) -> Waiting:
    """What waits in the spool of this store, which may be open or not."""
    found: list[Contents] = [segment.read(path) for path in paths(store)]
    return Waiting([record for each in found for record in each.records], sum(each.unreadable for each in found))


def give_away(store: str | Path) -> None:
    """Let whatever store is made at this path next take what waits: the one that it was for is lost."""
    for path in paths(store):
        segment.give_away(path)
