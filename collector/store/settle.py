"""Keeps the canonical tables up to date: finds traces that are newer than their trees, and rebuilds their components.

After an upgrade it also rebuilds, behind what is fresh, the trees that a changed part of the normalizer had a hand in.
Reading and appending go through the store; building is the normalizer's pure function. One component is rebuilt at a
time by one thread at a time (a lock), so that builds of a run follow each other.
"""

import logging
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from collector.store import statements
from collector.store.builder import Builder
from collector.store.changes import Before, Built, Newest, Tables, changes, identity
from collector.store.component import LOOK_AHEAD, Snapshot
from collector.store.database import Database
from collector.store.errors import StoreError, Unavailable
from collector.store.outdated import Outdated
from collector.store.pending import Pending

_log = logging.getLogger(__name__)

REBUILT_SPANS = 2_000
"""Spans of old trees that are built at once: a fraction of a second, for which what is fresh has to wait."""

Append = Callable[[Tables], None]
"""Appends tables by qualified name in one transaction and returns when it is committed."""


@dataclass(frozen=True)
class SettleTimes:
    """When a trace is worth a tree, in seconds."""

    quiet: float = 1.0
    """Nothing came for the trace in this long: most are complete then."""
    longest: float = 10.0
    """A trace that never falls silent gets a tree at least this often."""
    look: float = 0.25
    """How often the background thread looks."""


class Settler:
    """Rebuilds what is dirty, when asked (`settle`) and, after `start`, by itself in a thread."""

    def __init__(
        self,
        database: Database,
        append: Append,
        builder: Builder,
        times: SettleTimes | None = None,
    ) -> None:
        self._database = database
        self._append = append
        self._builder = builder
        self._times = times or SettleTimes()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        sql = statements.load()
        cursor = database.cursor()
        self._last_build = int(cursor.execute(sql["ledger/last_build"]).fetchall()[0][0])
        self.pending = Pending(cursor.execute(sql["settle/dirty"]).fetchall())
        cursor.close()
        self._outdated = Outdated(self._find_outdated)
        self._failed: set[str] = set()

    def start(self) -> None:
        """Settle in the background from now on."""
        self._thread = threading.Thread(target=self._run, name="tracegrade-settler", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the background thread, after the batch that it is building."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._builder.close()

    def settle(self, ids: Iterable[str] | None = None) -> list[str]:
        """Build now what is dirty, among these traces and runs or at all, and return when it is committed.

        The answer names the traces, among these or at all, that could not be made into trees.

        What is named is also built again where an older version built it; of all others that would take too long here.
        """
        with self._lock:
            among = None if ids is None else self._traces(ids)
            old = self._outdated.among(among) if among else []
            tried: set[str] = set()
            # Each trace once: what arrives meanwhile waits for the next time, else a busy trace would hold us here.
            while dirty := [trace for trace in (*self.pending.all(among), *old) if trace not in tried]:
                tried.update(self._build_next(list(dict.fromkeys(dirty))))
            return sorted(self._failed if among is None else self._failed.intersection(among))

    def rebuild(self, traces: Iterable[str]) -> None:
        """Build the trees of these traces again, although nothing new came for them, and return when they are committed."""
        with self._lock:
            left = [trace for (trace,) in self._ask("settle/built", traces=list(traces))]
        while left:
            with self._lock:  # given back after each batch, as in the background
                tried = self._build_next(left, only_first=True)
            left = [trace for trace in left if trace not in tried]

    def _run(self) -> None:
        while not self._stop.wait(self._times.look):
            try:
                self._settle_ripe()
                self._rebuild_outdated()
            except Unavailable:
                _log.info("The trees wait: the store is busy or being reopened.")
            except Exception as error:  # noqa: BLE001 -- the thread must outlive it
                _tell("The trees could not be brought up to date; the next attempt follows", error)

    def _settle_ripe(self) -> None:
        tried: set[str] = set()
        while not self._stop.is_set():
            with self._lock:  # given back after each batch, for a reader that waits for its own trace
                ripe = self.pending.ripe(self._times.quiet, self._times.longest)
                left = [trace for trace in ripe if trace not in tried]
                if not left:
                    return
                tried.update(self._build_next(left, only_first=True))

    def _rebuild_outdated(self) -> None:
        """A small batch of old trees, and more while nothing fresh waits."""
        while not self._stop.is_set():
            with self._lock:
                old = self._outdated.first(LOOK_AHEAD)
                if not old:
                    return
                self._build_next(old, only_first=True, most_spans=REBUILT_SPANS)
            if self.pending.ripe(self._times.quiet, self._times.longest):
                return

    def _find_outdated(self) -> list[str]:
        """What an older version built. Today's is asked of the builder, which may be another process."""
        known = {name for (name,) in self._ask("settle/normalizers")}
        if not known:
            return []
        cursor = self._database.cursor()
        try:
            snapshot = Snapshot(cursor, 0)
            today = self._builder.build(*snapshot.evidence([])).versions
            if known == {identity(today)}:
                return []
            rows = snapshot.rows("settle/outdated", parts=list(today), versions=list(today.values()), all=False)
        finally:
            cursor.close()
        _log.info("%d traces were built by an older version and are built again.", len(rows))
        return [trace for (trace,) in rows]

    def _ask(self, name: str, **params: Any) -> list[tuple[Any, ...]]:
        cursor = self._database.cursor()
        try:
            return Snapshot(cursor, 0).rows(name, **params)
        finally:
            cursor.close()

    def _traces(self, ids: Iterable[str]) -> list[str]:
        cursor = self._database.cursor()
        try:
            named = Snapshot(cursor, 0).rows("settle/resolve", ids=[i for i in ids if i])
            # What a run is to be complete with may be connected by what is stored already.
            return sorted(Snapshot(cursor, 0).closure(trace for (trace,) in named)) if named else []
        finally:
            cursor.close()

    def _build_next(self, dirty: list[str], *, only_first: bool = False, most_spans: int | None = None) -> set[str]:
        """Build the first of these traces in batches; returns those that were tried."""
        cursor = self._database.cursor()
        try:
            upto = int(Snapshot(cursor, 0).rows("ledger/last_commit")[0][0])
            snapshot = Snapshot(cursor, upto)
            batches = snapshot.batches(dirty, most_spans)[: 1 if only_first else None]
            done: set[str] = set()
            for batch in batches:
                if not done.issuperset(batch):  # else another batch's component held it
                    done |= self._build(snapshot, batch)
            return done.union(*batches)
        finally:
            cursor.close()

    def _build(self, snapshot: Snapshot, traces: list[str]) -> set[str]:
        """Build the components of these traces; one that cannot be built does not hold up the others."""
        try:
            members, built = snapshot.together(traces, self._builder.build)
            before = _before(snapshot, members, built)
            tables = changes(built, members, before, self._last_build + 1, snapshot.upto)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever a trace does to the normalizer
            if len(traces) > 1:
                middle = len(traces) // 2
                return self._build(snapshot, traces[:middle]) | self._build(snapshot, traces[middle:])
            _tell(f"The trace {traces[0]} could not be made into a tree", error)
            # Nothing of it is stored: with new evidence, or after a restart (with a better normalizer), it is tried again.
            self._failed.update(self.pending.all(traces))  # an old tree that cannot be rebuilt still stands
            self.pending.done(traces, snapshot.upto)
            self._outdated.done(traces)
            return set(traces)
        self._append(tables)
        self._last_build += 1
        self.pending.done(members, snapshot.upto)
        self._outdated.done(members)
        self._failed -= members
        return members


def _before(snapshot: Snapshot, members: Collection[str], built: Built) -> Before:
    listed = sorted(members)
    held: dict[str, set[str]] = {}
    for run, trace in snapshot.rows("settle/members", traces=listed):
        held.setdefault(run, set()).add(trace)
    aliases = dict(snapshot.rows("settle/aliases", runs=sorted(held)))
    runs = sorted({*held, *aliases, *_text(built.tables["runs"], "run_id")})
    newest = {run: Newest(*rest) for run, *rest in snapshot.rows("settle/newest_runs", runs=runs)}
    return Before(
        members={run: frozenset(traces) for run, traces in held.items()},
        newest=newest,
        aliases=aliases,
        references=frozenset(snapshot.rows("settle/references", traces=listed)),
        arrived=dict(snapshot.rows("settle/arrived", traces=listed)),
        normalizers=frozenset(name for (name,) in snapshot.rows("settle/normalizers")),
    )


def _text(table: pa.Table, column: str) -> list[str]:
    return table[column].to_pylist()


def _tell(what: str, error: Exception) -> None:
    """Say what failed, and where for those who debug; the error's own text could hold a user's data."""
    _log.error("%s: %s", what, type(error).__name__)
    _log.debug("Where:", exc_info=error)
