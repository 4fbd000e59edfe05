"""The transaction of one group: its rows, the arrivals of their traces and the ledger's row, all or nothing."""

import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import duckdb
import pyarrow as pa

from collector.store import statements
from collector.store.errors import BadAppend
from collector.store.faults import Fault, classify, find_poison
from collector.store.file.database import Database, private_files, progress
from collector.store.file.highwater import Mark
from collector.store.writing.group import UNSTORABLE, Rows
from collector.store.writing.identity import judge_logs, judge_spans
from collector.store.writing.inserting import Inserter
from collector.store.writing.lookup import filled, stored_logs, stored_spans
from collector.store.writing.seen import log_words, span_words

_log = logging.getLogger(__name__)

_MERGES = 4
"""Row groups that a merging checkpoint makes of smaller ones, at most, in each table: each takes a quarter of a second."""
T = TypeVar("T")


class Committer:
    """Writes groups, one at a time, on a connection of its own. Belongs to the writer's thread."""

    def __init__(self, database: Database, clock: Callable[[], int] = time.time_ns) -> None:
        self._database = database
        self._clock = clock
        self._sql = statements.load()
        self._uncounted_duplicates = 0
        self._begin()
        self.schemas = {kind: self._schema(kind) for kind in ("spans", "logs")}

    @property
    def seq(self) -> int:
        """The last commit that is known to be durable."""
        return self._mark.seq

    @property
    def store_id(self) -> str:
        """The store's own id, 32 hex digits."""
        return self._mark.store_id

    def commit(self, spans: Rows | None, logs: Rows | None) -> list[str]:
        """Store a group; returns the trace ids that rows arrived for.

        Rows that the database refuses by themselves are rejected and the others stored. Raises the database's error
        where nothing was stored, or where that is unknown (see `faults`).
        """
        while True:
            try:
                return self._attempt(spans, logs)
            except Exception as error:
                self._roll_back()
                if classify(error) is not Fault.ROWS or not self._reject_poison(spans, logs):
                    raise

    def append(self, tables: Mapping[str, pa.Table], batch_id: str | None) -> bool:
        """Append rows to any tables (by qualified name) in one transaction; False where the batch is known already."""
        seq = self.seq + 1
        try:
            for name in tables:
                self._inserter.schema(name)
            self._connection.execute("BEGIN")
            if batch_id is not None and self._known(batch_id):
                self._roll_back()
                return False
            for name, rows in tables.items():
                self._inserter.insert(name, rows)
            if batch_id is not None:
                self._run("write/batch", batch_id=batch_id, now=self._clock())
            self._finish(seq, spans=0, logs=0, duplicates=0)
        except Exception as error:
            self._roll_back()
            if classify(error) is Fault.FATAL:
                raise
            if isinstance(error, duckdb.ProgrammingError):  # names of tables and columns, no values
                raise BadAppend(f"The tables do not fit the store: {str(error).splitlines()[0]}") from None
            if classify(error) is Fault.ROWS:
                raise BadAppend("The tables hold a value that the store cannot hold.") from None
            raise
        return True

    def reconnect(self) -> None:
        """Reopen the file after a fatal error. Then `seq` tells whether the commit that was under way is durable."""
        self._database.reopen()
        self._begin()

    def present(self) -> None:
        """Raise FilesChanged where the file is not there any more. From any thread, in 20 µs."""
        self._database.present()

    def verify(self) -> None:
        """Raise unless the file is open, and is ours."""
        self._database.cursor().close()
        self._database.verify()

    def rescue(self) -> Path | None:
        """Keep a copy of what is still open (see `Database.rescue`)."""
        return self._database.rescue()

    def exchange(self, work: Callable[[Path], T]) -> T:
        """Let `work` replace the closed file, and go on with what stands there then. Raises FilesChanged."""
        self._database.verify()
        self._connection.close()
        try:
            return self._database.exchange(work)
        finally:
            if self._database.is_open:
                self._begin()

    def checkpoint(self, *, merge: bool) -> bool:
        """Move the log into the file, which stalls commits. False where a statement reads it.

        Each checkpoint leaves a row group in each table that is not full; `merge` makes full ones of them. To look at the
        file afterwards takes 1 ms. One that fails half way is fatal: the file is opened again, which looks at it too.
        """
        with self._database.hold.checkpoint() as free:
            if free:
                self._database.verify()
                self._connection.execute(f"SET max_vacuum_tasks = {_MERGES if merge else 0}")
                with self._database.checkpoint():
                    self._connection.execute("CHECKPOINT")
        return free

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def _begin(self) -> None:
        self._connection = self._database.cursor()
        found = progress(self._connection)
        assert found is not None, "an open store has an id"
        self._inserter = Inserter(self._connection)
        self._mark = found
        self._tell_mark(anew=True)
        self._seen_spans = filled(self._connection, "identity/seen_spans")
        self._seen_logs = filled(self._connection, "identity/seen_logs")

    def _attempt(self, spans: Rows | None, logs: Rows | None) -> list[str]:
        seq = self.seq + 1
        if spans is not None:
            spans.verdict = judge_spans(
                spans.keys, self._seen_spans, spans.look, lambda keys: stored_spans(self._connection, keys)
            )
        if logs is not None:
            logs.verdict = judge_logs(
                logs.column("content_hash"),
                self._seen_logs,
                logs.look,
                lambda columns: stored_logs(self._connection, columns),
            )
        kept = {"spans": spans.kept if spans else None, "logs": logs.kept if logs else None}
        counts = {kind: rows.num_rows if rows is not None else 0 for kind, rows in kept.items()}
        duplicates = sum(len(rows.verdict.duplicates) for rows in (spans, logs) if rows)
        both = (("spans", spans), ("logs", logs))
        refused = {kind: rows.refused for kind, rows in both if rows is not None and rows.refused}
        if not any(counts.values()) and not refused:
            self._uncounted_duplicates += duplicates  # the store stays as it is; the next commit's row counts them
            return []
        traces = sorted({t for r in kept.values() if r is not None for t in r["trace_id"].unique().to_pylist() if t})
        self._connection.execute("BEGIN")
        for kind, rows in kept.items():
            if rows is not None and rows.num_rows:
                self._insert(kind, rows, seq)
        if spans is not None and spans.verdict.superseded:
            commits, numbers = zip(*spans.superseded(seq), strict=True)
            self._run("write/superseded", commits=list(commits), numbers=list(numbers))
        self._run("write/arrivals", seq=seq, traces=traces)
        for kind, refusals in refused.items():
            self._run("write/quarantine", seq=seq, kind=kind, reason=UNSTORABLE, **refusals.columns())
        self._finish(seq, **counts, duplicates=duplicates)
        self._remember(spans, logs)
        return traces

    def _remember(self, spans: Rows | None, logs: Rows | None) -> None:
        if spans is not None:
            self._seen_spans.add(span_words(b"".join(spans.keys)))
        if logs is not None:
            self._seen_logs.add(log_words(bytes.fromhex("".join(logs.column("content_hash")))))

    def _reject_poison(self, spans: Rows | None, logs: Rows | None) -> bool:
        found = False
        for kind, rows in (("spans", spans), ("logs", logs)):
            if rows is not None and (poison := find_poison(len(rows), self._tries(kind, rows))):
                rows.reject(poison)
                found = True
        return found

    def _tries(self, kind: str, rows: Rows) -> Callable[[Sequence[int]], bool]:
        """Whether inserting some rows alone fails; nothing of it stays."""

        def fails(positions: Sequence[int]) -> bool:
            try:
                self._connection.execute("BEGIN")
                self._insert(kind, rows.some(positions), 0)
            except Exception as error:
                if classify(error) is not Fault.ROWS:
                    raise
                return True
            finally:
                self._roll_back()
            return False

        return fails

    def _insert(self, kind: str, rows: pa.Table, seq: int) -> None:
        own = [pa.repeat(pa.scalar(seq, pa.uint64()), rows.num_rows)]
        if kind == "spans":
            own.append(pa.array(range(rows.num_rows), type=pa.uint32()))
        whole = self._inserter.schema(f"evidence.{kind}")  # what is the commit's own stands first
        self._inserter.insert(f"evidence.{kind}", pa.Table.from_arrays([*own, *rows.columns], schema=whole))

    def _run(self, name: str, **params: object) -> None:
        self._connection.execute(self._sql[name], params)

    def _finish(self, seq: int, *, spans: int, logs: int, duplicates: int) -> None:
        """The ledger's row and COMMIT. Then nothing may fail but what is fatal: the rows are durable."""
        total = duplicates + self._uncounted_duplicates
        self._run("write/commit", seq=seq, now=self._clock(), spans=spans, logs=logs, duplicates=total)
        self._commit()
        self._database.verify()
        self._mark = Mark(self._mark.store_id, seq, self._mark.spans + spans, self._mark.logs + logs)
        self._uncounted_duplicates = 0
        self._tell_mark()

    def _commit(self) -> None:
        with private_files():
            self._connection.execute("COMMIT")

    def _tell_mark(self, *, anew: bool = False) -> None:
        if (high_water := self._database.high_water) is None:
            return
        try:
            high_water.begin(self._mark) if anew else high_water.advance(self._mark)
        except OSError as error:  # what is stored is safe; only a later loss would tell of less
            _log.warning("The mark %s cannot be written: %s", high_water.path.name, error.strerror)

    def _roll_back(self) -> None:
        # Where no transaction is open, or the instance is dead, the caller deals with it.
        with contextlib.suppress(duckdb.Error):
            self._connection.execute("ROLLBACK")

    def _known(self, batch_id: str) -> bool:
        return bool(self._connection.execute(self._sql["ledger/batch_known"], {"batch_id": batch_id}).fetchall())

    def _schema(self, kind: str) -> pa.Schema:
        """The columns that arrive."""
        held = self._inserter.schema(f"evidence.{kind}")
        return pa.schema([column for column in held if column.name not in ("commit_seq", "commit_row")])
