"""Retention and deletion: decides what goes, and has the file written anew without it while nobody writes.

Everything that is not stored any more then: rows, trees, quotes in results, and the bytes in the file. Whoever sends spans
meanwhile is told to send them again.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from collector.store import statements
from collector.store.care.doomed import Doomed, Held, aged, surplus
from collector.store.care.exported import read
from collector.store.care.exporting import export
from collector.store.care.importing import fill
from collector.store.care.rewrite import rewrite, sweep
from collector.store.errors import StoreError
from collector.store.file.database import Database
from collector.store.file.quarantine import copies
from collector.store.trees.settle import Settler
from collector.store.writing.intake import Intake
from collector.store.writing.writer import Writer

_log = logging.getLogger(__name__)

SECOND = 1_000_000_000
PASSES = 3
"""How often the file is written anew until it is small enough: how much a trace takes of it is an estimate."""

ROOM = 0.1
"""A file that is to be made smaller is made this share smaller than it must be, so that it is not done again at once."""


@dataclass(frozen=True)
class Cared:
    """What went, or (a dry run) would go. Sizes in bytes; `seconds` for which exports were refused.

    Where it may still be, after a deletion: `copies` of the store that were set aside, as paths, and `conversations` with
    other traces, which may repeat the words of one that was deleted.
    """

    traces: int = 0
    runs: int = 0
    spans: int = 0
    logs: int = 0
    before: int = 0
    after: int = 0
    seconds: float = 0.0
    copies: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()


class Care:
    """Prunes and deletes, one after the other. Safe to call from any thread."""

    def __init__(self, database: Database, writer: Writer, settler: Settler, intake: Intake) -> None:
        self._database, self._writer, self._settler, self._intake = database, writer, settler, intake
        self._turn = threading.Lock()
        if not database.in_memory:
            sweep(database.file)
        intake.refuse(key for (key,) in self._ask("care/tombstones"))

    def prune(self, keep: float | None, most: int | None, *, dry_run: bool = False) -> Cared:
        """Take out runs without evidence in the last `keep` seconds, and the oldest until the file has at most `most` bytes.

        Where nothing is to be taken out the file is left alone. Raises Unavailable.
        """
        self._require_a_file()
        with self._turn:
            done = Cared(before=self._size(), after=self._size())
            if keep is not None:
                before = time.time_ns() - int(keep * SECOND)
                done = self._carry_out(lambda ask: _aged(ask, before), dry_run=dry_run) or done
            for _ in range(PASSES):
                if most is None or done.after <= most:
                    break
                share = 1 - most * (1 - ROOM) / done.after
                more = self._carry_out(lambda ask, share=share: _surplus(ask, share), dry_run=dry_run)
                if more is None or dry_run:
                    break
                done = _sum(done, more)
            return done

    def delete(self, trace: str | None = None, conversation: str | None = None, *, dry_run: bool = False) -> Cared:
        """Take out one trace, or all traces of a conversation, and refuse them from now on. Raises StoreError."""
        self._require_a_file()
        decide: Decide
        if trace is not None and conversation is None:
            decide, what = partial(_of_trace, trace.strip().lower()), f"trace {trace}"
        elif conversation is not None and trace is None:
            decide, what = partial(_of_conversation, conversation), f"conversation {conversation}"
        else:
            raise StoreError("Name either a trace or a conversation.")
        with self._turn:
            shared = self._ask("care/shared_conversations", trace=trace.strip().lower()) if trace is not None else []
            done = self._carry_out(decide, dry_run=dry_run)
        if done is None:
            raise StoreError(f"There is no {what} in the store; ids are given in full.")
        return replace(done, copies=copies(self._database.file), conversations=tuple(name for (name,) in shared))

    def export(self, folder: str) -> dict[str, int]:
        """Write everything to Parquet files in a new folder; rows by table. Raises StoreError."""
        with self._turn:  # a rewrite would interrupt it
            cursor = self._database.cursor()
            try:
                manifest = export(cursor, Path(folder))
            finally:
                cursor.close()
        return {table: manifest.rows(table) for table in manifest.tables}

    def fill(self, folder: str) -> dict[str, int]:
        """Load an export into this store, which must be empty; rows by table. Raises StoreError."""
        self._require_a_file()
        manifest = read(Path(folder))

        def work(path: Path) -> None:
            with duckdb.connect(str(path), read_only=True) as connection:
                if connection.execute(statements.load()["care/filled"]).fetchall()[0][0]:
                    raise StoreError("The store is not empty; load an export into a new one.")
            fill(path, Path(folder), manifest, self._database.extensions, self._database.memory_limit)

        with self._turn, self._settler.paused():
            self._writer.exchange(work).result()
        return {table: manifest.rows(table) for table in manifest.tables}

    def _carry_out(self, decide: "Decide", *, dry_run: bool) -> Cared | None:
        """Rewrite the file without what is doomed; None where nothing is."""
        doomed = decide(self._ask)
        counts = _counted(self._ask, doomed) if doomed else Cared()
        if not doomed.traces and not counts.logs:
            return None
        counts = replace(counts, before=self._size(), after=self._size())
        if dry_run:
            return counts
        if doomed.refused:
            self._intake.refuse((*doomed.traces, *doomed.logs))
        begun = time.monotonic()
        with self._settler.paused():
            done: Any = self._writer.exchange(lambda path: self._rewrite(path, decide)).result()
        self._intake.refuse(key for (key,) in self._ask("care/tombstones"))
        _log.info("Took out %d traces; the file has %d bytes now.", done.traces, done.after)
        return replace(done, seconds=round(time.monotonic() - begun, 3))

    def _rewrite(self, path: Path, decide: "Decide") -> Cared:
        """Over the closed file it is decided anew: evidence that came meanwhile makes a run young again."""
        with duckdb.connect(str(path), read_only=True) as connection:
            doomed = decide(partial(_ask, connection))
            counts = _counted(partial(_ask, connection), doomed)
        sizes = rewrite(path, doomed, self._database.extensions, self._database.memory_limit)
        return replace(counts, before=sizes.before, after=sizes.after)

    def _require_a_file(self) -> None:
        if self._database.in_memory:
            raise StoreError("A store in memory has no file that could be written anew.")

    def _size(self) -> int:
        return self._database.file.stat().st_size

    def _ask(self, name: str, **params: Any) -> list[tuple[Any, ...]]:
        cursor = self._database.cursor()
        try:
            return _ask(cursor, name, **params)
        finally:
            cursor.close()


Ask = Callable[..., list[tuple[Any, ...]]]
"""The rows of one of our statements, from whatever has the store open."""

Decide = Callable[[Ask], Doomed]


def _ask(connection: duckdb.DuckDBPyConnection, name: str, **params: Any) -> list[tuple[Any, ...]]:
    return connection.execute(statements.load()[name], params).fetchall()


def _aged(ask: Ask, before: int) -> Doomed:
    traces = aged(_held(ask, sizes=False), ask("care/members"), before)
    return replace(_with_runs(ask, traces), upto=ask("care/commit_before", at=before)[0][0])


def _surplus(ask: Ask, share: float) -> Doomed:
    traces, upto = surplus(_held(ask, sizes=True), ask("care/members"), share)
    return replace(_with_runs(ask, traces), upto=upto)


def _of_trace(trace: str, ask: Ask) -> Doomed:
    known = ask("identity/bounds", traces=[trace])[0][0] is not None
    return replace(_with_runs(ask, frozenset({trace} if known else ())), refused=True)


def _of_conversation(conversation: str, ask: Ask) -> Doomed:
    traces = frozenset(t for (t,) in ask("care/conversation", conversation=conversation))
    logs = frozenset(h for (h,) in ask("care/conversation_logs", conversation=conversation))
    return replace(_with_runs(ask, traces), logs=logs, refused=True)


def _held(ask: Ask, *, sizes: bool) -> list[Held]:
    return [Held(*row) for row in ask("care/traces", sizes=sizes)]


def _with_runs(ask: Ask, traces: frozenset[str]) -> Doomed:
    pairs = ask("care/runs", traces=sorted(traces)) if traces else []
    rebuilt = traces.union(trace for _, trace in pairs if trace is not None)
    return Doomed(traces=traces, runs=frozenset(run for run, _ in pairs), rebuilt=rebuilt)


def _counted(ask: Ask, doomed: Doomed) -> Cared:
    params = {"traces": sorted(doomed.traces), "logs": sorted(doomed.logs), "upto": doomed.upto}
    spans, logs = ask("care/held", **params)[0]
    return Cared(len(doomed.traces), len(doomed.runs), spans, logs)


def _sum(one: Cared, two: Cared) -> Cared:
    counts = {name: getattr(one, name) + getattr(two, name) for name in ("traces", "runs", "spans", "logs", "seconds")}
    return Cared(**counts, before=one.before, after=two.after)
