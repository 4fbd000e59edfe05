"""Traces on their way to their trees: while one batch is being built the evidence of the next is read.

What was read ahead is only a head start. A batch is judged (connections, what the store holds of it) when all batches before
it are committed, so that the trees are those that would have been built one batch after the other.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import duckdb

from collector.store.errors import BadAppend, StoreError
from collector.store.file.database import Database
from collector.store.trees.builder import Builder, Building
from collector.store.trees.changes import Before, Built, Newest, Tables, changes, identity
from collector.store.trees.component import Snapshot
from collector.store.trees.known import Known
from collector.store.trees.pending import Pending
from collector.store.writing.lookup import filled

AT_ONCE = 2
"""Batches under way: one that is being built, and one that is ready to be."""

Append = Callable[[Tables], None]
"""Appends tables by qualified name in one transaction and returns when it is committed."""


@dataclass(frozen=True)
class _Flight:
    members: set[str]
    upto: int
    building: Building


class Pipeline:
    """Builds batches in the order of their start. Belongs to one thread at a time.

    `built(members, upto)` is called when the trees of these traces hold all evidence up to that commit,
    `failed(trace, upto, error)` when a trace cannot be built.
    """

    def __init__(
        self,
        database: Database,
        append: Append,
        builder: Builder,
        pending: Pending,
        built: Callable[[Collection[str], int], None],
        failed: Callable[[str, int, Exception], None],
    ) -> None:
        self._database = database
        self._append = append
        self._builder = builder
        self._pending = pending
        self._built = built
        self._failed = failed
        self._flights: deque[_Flight] = deque()
        self._last_build: int | None = None
        self._known = Known(self._fill)
        self._normalizers: frozenset[str] | None = None

    @property
    def traces(self) -> set[str]:
        """The traces of all batches under way."""
        return set[str]().union(*(flight.members for flight in self._flights))

    @property
    def full(self) -> bool:
        """Whether a batch must be finished before another is started."""
        return len(self._flights) >= AT_ONCE

    def __len__(self) -> int:
        return len(self._flights)

    def snapshot(self, cursor: Any) -> Snapshot:
        """What is committed now."""
        upto = int(Snapshot(cursor, 0).rows("ledger/last_commit")[0][0])
        return Snapshot(cursor, upto, self._pending, self._known)

    def start(self, traces: Iterable[str]) -> set[str]:
        """Read the evidence of these traces and of all that are connected, and hand it to the builder.

        Returns what of it was tried meanwhile: batches under way are finished first where they are full or hold some of it.
        """
        tried = self.finish() if self.full else set[str]()
        cursor = self._database.cursor()
        try:
            snapshot = self.snapshot(cursor)
            members = snapshot.closure(traces)
            if not members.isdisjoint(self.traces):
                tried |= self.drain()
                snapshot = self.snapshot(cursor)
                members = snapshot.closure(members)
            building = self._begin(snapshot, members)
        finally:
            cursor.close()
        self._flights.append(_Flight(members, snapshot.upto, building))
        return tried

    def finish(self) -> set[str]:
        """Wait for the oldest batch and commit its trees; the traces that were tried.

        Raises what the store raises: the batch is under way no more then, and its traces wait as before.
        """
        if not self._flights:
            return set()
        flight = self._flights.popleft()
        cursor = self._database.cursor()
        try:
            snapshot = Snapshot(cursor, flight.upto, self._pending, self._known)
            return self._commit(snapshot, sorted(flight.members), flight.members, flight.building.result)
        finally:
            cursor.close()

    def drain(self) -> set[str]:
        """Finish all batches."""
        tried: set[str] = set()
        while self._flights:
            tried |= self.finish()
        return tried

    def drop(self) -> None:
        """Forget all batches: nothing of them is stored, and their traces wait as before."""
        while self._flights:
            self._flights.pop().building.cancel()

    def _begin(self, snapshot: Snapshot, members: set[str]) -> Building:
        try:
            return self._builder.start(*snapshot.evidence(members))
        except duckdb.OutOfMemoryException as error:
            short: Future[Built] = Future()
            short.set_exception(error)  # told when its turn comes: then it is halved
            return short

    def _commit(self, snapshot: Snapshot, traces: list[str], members: set[str], first: Callable[[], Built]) -> set[str]:
        """Judge and append what was built of these traces' members; one that cannot be built does not hold up the others."""
        try:
            members, built = snapshot.completed(members, first(), self._builder.build)
            before = self._before(snapshot, members, built)
            build = (self._newest_build(snapshot) if self._last_build is None else self._last_build) + 1
            tables = changes(built, members, before, build, snapshot.upto)
            self._known.note(tables)
            self._append(tables)
        except duckdb.OutOfMemoryException as error:  # less of it may fit
            return self._halved(snapshot, traces, error)
        except BadAppend as error:
            return self._halved(snapshot, traces, error)
        except (StoreError, duckdb.Error):
            self._last_build = None  # it may be durable all the same: its number must not be used again
            raise
        except Exception as error:  # noqa: BLE001 -- whatever a trace does to the normalizer
            return self._halved(snapshot, traces, error)
        self._last_build = build
        self._normalizers = before.normalizers | {identity(built.versions)}
        self._built(members, snapshot.upto)
        return members

    def _halved(self, snapshot: Snapshot, traces: list[str], error: Exception) -> set[str]:
        if len(traces) == 1:
            self._known.tried(traces)
            self._failed(traces[0], snapshot.upto, error)
            return set(traces)
        middle = len(traces) // 2
        return self._again(snapshot, traces[:middle]) | self._again(snapshot, traces[middle:])

    def _again(self, snapshot: Snapshot, traces: list[str]) -> set[str]:
        members = snapshot.closure(traces)
        return self._commit(snapshot, traces, members, lambda: self._builder.build(*snapshot.evidence(members)))

    def _before(self, snapshot: Snapshot, members: Collection[str], built: Built) -> Before:
        """What the store holds of these traces; what it cannot hold is not asked for."""
        older = self._known.built(members)
        held: dict[str, set[str]] = {}
        for run, trace in snapshot.rows("settle/members", traces=older) if older else ():
            held.setdefault(run, set()).add(trace)
        aliases = dict(snapshot.rows("settle/aliases", runs=sorted(held))) if held else {}
        runs = self._known.runs({*held, *aliases, *built.tables["runs"]["run_id"].to_pylist()})
        newest = snapshot.rows("settle/newest_runs", runs=runs) if runs else []
        if self._normalizers is None:
            self._normalizers = frozenset(name for (name,) in snapshot.rows("settle/normalizers"))
        scope = snapshot.scope(members)
        return Before(
            members={run: frozenset(traces) for run, traces in held.items()},
            newest={run: Newest(*rest) for run, *rest in newest},
            aliases=aliases,
            references=frozenset(snapshot.rows("settle/references", traces=older) if older else ()),
            arrived=dict(snapshot.rows("settle/arrived", traces=scope["traces"], low=scope["low"])),
            normalizers=self._normalizers,
        )

    @staticmethod
    def _newest_build(snapshot: Snapshot) -> int:
        return int(snapshot.rows("ledger/last_build")[0][0])

    def _fill(self) -> Any:
        cursor = self._database.cursor()
        try:
            return filled(cursor, "settle/known")
        finally:
            cursor.close()
