"""Keeps the canonical tables up to date: finds traces that are newer than their trees, and rebuilds their components.

After an upgrade it also rebuilds, behind what is fresh, the trees that a changed part of the normalizer had a hand in.
Building is the normalizer's pure function; `pipeline` reads for it and appends what it made. One thread at a time has the
pipeline (they take turns), so that builds of a run follow each other.
"""

import logging
import threading
from collections import deque
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from collector.store.errors import Unavailable
from collector.store.file.database import Database
from collector.store.trees.builder import Builder
from collector.store.trees.changes import identity
from collector.store.trees.component import LOOK_AHEAD, Snapshot
from collector.store.trees.outdated import Outdated
from collector.store.trees.pending import Pending
from collector.store.trees.pipeline import Append, Pipeline
from collector.store.trees.turns import Turns

_log = logging.getLogger(__name__)

REBUILT_SPANS = 2_000
"""Spans of old trees that are built at once: a fraction of a second, for which what is fresh has to wait."""


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
        self._builder = builder
        self._times = times or SettleTimes()
        self._turns = Turns()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.pending = Pending(self._ask("settle/dirty"))
        self._pipeline = Pipeline(database, append, builder, self.pending, self._built, self._could_not)
        self._outdated = Outdated(self._find_outdated)
        self._failed: set[str] = set()

    def start(self) -> None:
        """Settle in the background from now on."""
        self._thread = threading.Thread(target=self._run, name="tracegrade-settler", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the background thread, after the batches that are under way."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with self._turns:
            try:
                self._pipeline.drain()
            except Exception as error:  # noqa: BLE001 -- their evidence is stored: they are built when the store is open again
                _tell("The last trees were not built", error)
            self._pipeline.drop()
        self._builder.close()

    def settle(self, ids: Iterable[str] | None = None) -> list[str]:
        """Build what is dirty when this is called, among these traces and runs or at all, and return when it is committed.

        The answer names the traces, among these or at all, that could not be made into trees.

        What is named is also built again where an older version built it; of all others that would take too long here.
        """
        with self._turns:
            self._pipeline.drain()  # what is under way was read before: it must not come after what is built here
            among = self.pending.all() if ids is None else self._traces(ids)
            old = self._outdated.among(among) if ids is not None and among else []
            tried: set[str] = set()
            # Each trace once, and no others: what arrives meanwhile waits for the next time, else it would hold us here.
            while dirty := [trace for trace in (*self.pending.all(among), *old) if trace not in tried]:
                tried |= self._build(self._plan(list(dict.fromkeys(dirty))))
            return sorted(self._failed if ids is None else self._failed.intersection(among))

    def rebuild(self, traces: Iterable[str]) -> None:
        """Build the trees of these traces again, although nothing new came for them, and return when they are committed."""
        left = [trace for (trace,) in self._ask("settle/built", traces=list(traces))]
        while left:
            with self._turns:  # given back after each batch, as in the background
                self._pipeline.drain()
                tried = self._build(self._plan(left)[:1])
            left = [trace for trace in left if trace not in tried]

    @contextmanager
    def paused(self) -> Generator[None]:
        """Build nothing inside, and forget what was under way; afterwards begin anew with what the store holds then."""
        with self._turns:
            self._pipeline.drop()
            try:
                yield
            finally:
                self.pending.restart(self._ask("settle/dirty"))
                self._outdated = Outdated(self._find_outdated)
                self._failed.clear()

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
        """All that is ripe, what came first first: the next batch is started before the last one is finished."""
        tried: set[str] = set()
        planned: deque[list[str]] = deque()
        while not self._stop.is_set():
            with self._turns:  # given back after each batch, for a reader that waits for its own trace
                if not planned:
                    under_way = tried | self._pipeline.traces
                    planned.extend(self._plan([trace for trace in self._ripe() if trace not in under_way]))
                if planned:
                    # Others may have built some of them since.
                    batch = [trace for trace in self.pending.all(planned.popleft()) if trace not in tried]
                    tried |= self._pipeline.start(batch) if batch else set()
                elif not self._pipeline:
                    return
                if self._pipeline.full or not planned:
                    tried |= self._pipeline.finish()

    def _rebuild_outdated(self) -> None:
        """A small batch of old trees, and more while nothing fresh waits."""
        while not self._stop.is_set():
            with self._turns:
                old = self._outdated.first(LOOK_AHEAD)
                if not old:
                    return
                self._build(self._plan(old, REBUILT_SPANS)[:1])
            if self._ripe():
                return

    def _ripe(self) -> list[str]:
        return self.pending.ripe(self._times.quiet, self._times.longest)

    def _plan(self, traces: list[str], most_spans: int | None = None) -> list[list[str]]:
        """The first of these traces, in batches."""
        if not traces:
            return []
        cursor = self._database.cursor()
        try:
            return self._pipeline.snapshot(cursor).batches(traces, most_spans)
        finally:
            cursor.close()

    def _build(self, batches: list[list[str]]) -> set[str]:
        """Build these batches, one started before the last one is finished; the traces that were tried."""
        tried: set[str] = set()
        for batch in batches:
            if left := [trace for trace in batch if trace not in tried | self._pipeline.traces]:
                tried |= self._pipeline.start(left)
        return tried.union(self._pipeline.drain(), *batches)

    def _built(self, traces: Collection[str], upto: int) -> None:
        self.pending.done(traces, upto)
        self._outdated.done(traces)
        self._failed.difference_update(traces)

    def _could_not(self, trace: str, upto: int, error: Exception) -> None:
        _tell(f"The trace {trace} could not be made into a tree", error)
        # Nothing of it is stored: with new evidence, or after a restart (with a better normalizer), it is tried again.
        self._failed.update(self.pending.all([trace]))  # an old tree that cannot be rebuilt still stands
        self.pending.done([trace], upto)
        self._outdated.done([trace])

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
        asked = {i for i in ids if i}
        cursor = self._database.cursor()
        try:
            snapshot = Snapshot(cursor, 0)
            found = snapshot.rows("settle/resolve", ids=sorted(asked)) if asked else []
            if begun := sorted(asked - {i for i, _ in found}):
                found += [(begun, trace) for (trace,) in snapshot.rows("settle/resolve_beginning", ids=begun)]
            # What a run is to be complete with may be connected by what is stored already.
            return sorted(snapshot.closure(trace for _, trace in found)) if found else []
        finally:
            cursor.close()


def _tell(what: str, error: Exception) -> None:
    """Say what failed, and where for those who debug; the error's own text could hold a user's data."""
    _log.error("%s: %s", what, type(error).__name__)
    _log.debug("Where:", exc_info=error)
