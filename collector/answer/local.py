"""A store whose file this process has open: reads, appends, ingest and trees, without any server."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import pyarrow as pa

from collector.access import audit
from collector.access.audit import Deed, Journal
from collector.access.book import OWNER
from collector.access.table import ACCESS
from collector.answer import free
from collector.answer.asking import relation, statement
from collector.answer.cells import Cells
from collector.decode.decoded import Decoded
from collector.store.care.orders import Care, Cared
from collector.store.errors import BadAppend, RefusedStatement, StoreError
from collector.store.extension import Extension
from collector.store.file.database import Database
from collector.store.file.reader import Reads
from collector.store.result import Result
from collector.store.trees.builder import Builder, Here
from collector.store.trees.changes import Tables
from collector.store.trees.settle import Settler, SettleTimes
from collector.store.writing.group import Receipt
from collector.store.writing.intake import Intake, Redact
from collector.store.writing.limits import WriterLimits
from collector.store.writing.writer import Writer

RETENTION = "retention"
"""Who prunes where the settings say so."""

_ORDERS = {"prune": "prune", "delete": "delete", "export": "export", "fill": "load"}
"""Orders on the whole store, and what the audit table calls them."""


class LocalStore:
    """The store in a file, or in memory (`:memory:`). One process at a time may have it open.

    What is asked and changed through it stands in its audit table (see `access.audit`).

    `builder` says where trees are built: in this process, or (the collector's choice) in a worker of its own.
    `background` settles traces as they fall silent; without it trees are built when `settle` is called. `sql_memory` are the
    bytes that a free statement may take.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        extensions: Sequence[Extension] = (),
        limits: WriterLimits | None = None,
        times: SettleTimes | None = None,
        builder: Builder | None = None,
        background: bool = False,
        memory_limit: int | None = None,
        sql_memory: int = free.MEMORY,
        redact: Redact | None = None,
    ) -> None:
        extensions = (ACCESS, *extensions)
        self.database = Database(path, extensions=extensions, memory_limit=memory_limit)
        self._reads = Reads(self.database)
        self.settler = Settler(self.database, self._append_built, builder or Here(), times)
        try:
            self.writer = Writer(self.database, limits, self.settler.pending.note)
        except StoreError:
            self.database.close()
            raise
        self.intake = Intake(self.writer.submit, redact)
        self.care = Care(self.database, self.writer, self.settler, self.intake)
        self._journal = Journal(lambda rows: self.writer.append(rows, None))
        self._audited = {f"{e.name}.{table}": what for e in extensions for table, what in e.audited.items()}
        self._schemas = {extension.name for extension in extensions}
        self._views = frozenset[str]().union(*(extension.views for extension in extensions))
        self._sql_memory = sql_memory
        self._cells = None if self.database.in_memory else Cells(self.path, self.database.hold, self._views)
        self._closed = False
        if background:
            self.settler.start()

    @property
    def path(self) -> str:
        """The store's file, or `:memory:`."""
        return self.database.path

    def query(self, name: str, **params: Any) -> pa.Table:
        """Run a fixed query (see `Store.query`)."""
        if name == audit.AUDIT:
            self._journal.flush()
        self.writer.catch_up()
        return self._reads.query(name, **params)

    def select(
        self,
        text: str,
        *,
        form: str = "arrow",
        max_rows: int | None = None,
        seconds: float | None = None,
        max_age: float = 0.0,
        who: str = OWNER,
    ) -> Result:
        """Run free SQL that passes the gate (see `Store.select`): in a process of its own where there is a file.

        `who` is the bearer that asks, for the audit table.
        """
        asked = statement(text, form, max_rows, seconds, max_age, self._sql_memory)
        try:
            found = self._answer(asked)
        except StoreError as error:
            refused = isinstance(error, RefusedStatement)
            self._journal.note(audit.question(who, text, "refused" if refused else "failed"))
            raise
        self._journal.note(audit.question(who, text, "done", found.rows))
        return found

    def _answer(self, asked: free.Statement) -> Result:
        self.writer.catch_up()
        if self._cells is None:
            return free.run_here(self.database.cursor(), asked, self._views)
        return self._cells.ask(asked)

    def sql(self, text: str, *, max_rows: int | None = None, seconds: float | None = None) -> pa.Table:
        """Run free SQL that passes the gate (see `Store.sql`)."""
        with self.select(text, max_rows=max_rows, seconds=seconds) as found:
            return found.table()

    def relation(
        self, text: str, *, max_rows: int | None = None, seconds: float | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Run free SQL and go on with its rows in DuckDB (see `Store.relation`)."""
        return relation(self, text, max_rows, seconds)

    def settle(self, ids: Iterable[str] | None = None) -> list[str]:
        """Bring trees up to date (see `Store.settle`)."""
        self.writer.catch_up()
        return self.settler.settle(ids)

    def rebuild(self, traces: Iterable[str]) -> None:
        """Build trees again (see `Store.rebuild`)."""
        self.writer.catch_up()
        self.settler.rebuild(traces)

    def append(self, tables: Mapping[str, pa.Table], batch_id: str) -> None:
        """Append to tables of extensions (see `Store.append`)."""
        foreign = sorted(name for name in tables if name.partition(".")[0] not in self._schemas or name == audit.TABLE)
        if foreign:
            raise BadAppend(f"{foreign[0]} is no table of an extension of this store.")
        deeds = audit.changes(OWNER, tables, self._audited)
        self.writer.append({**tables, **audit.rows(deeds)} if deeds else tables, batch_id).result()

    def maintain(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Prune, delete or export (see `Store.maintain`)."""
        what = None if order.get("dry_run") else _ORDERS.get(order.get("do", ""))
        self.writer.catch_up()
        try:
            done = self._maintain(dict(order))
        except StoreError:
            if what:
                self._journal.record(Deed(who=OWNER, what=what, outcome="failed", about=order.get("trace")))
            raise
        finally:
            if self._cells is not None:
                self._cells.close()  # its reader keeps the replaced file on the disk
        if what:
            self._journal.record(_done(OWNER, what, done, order.get("trace")))
        return done

    def pruned(self, done: Cared) -> None:
        """Note what went because the settings say so."""
        self._journal.record(_done(RETENTION, "prune", asdict(done)))

    def _maintain(self, given: dict[str, Any]) -> dict[str, Any]:
        match given.pop("do", None):
            case "prune":
                return asdict(self.care.prune(**given))
            case "delete":
                return asdict(self.care.delete(**given))
            case "export":
                return {"rows": self.care.export(**given)}
            case "fill":
                return {"rows": self.care.fill(**given)}
        raise StoreError("This collector does not know such an order; it may be of another version.")

    def ingest(self, decoded: Decoded) -> "Future[Receipt]":
        """Store decoded rows: the future resolves after their commit. Raises Busy and Unavailable as the writer does."""
        return self.intake.submit(decoded)

    def close(self) -> None:
        """Commit what waits and close the file."""
        if not self._closed:
            self._closed = True
            if self._cells is not None:
                self._cells.close()
            self.settler.close()
            self._journal.close()
            self.writer.close()
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _append_built(self, tables: Tables) -> None:
        self.writer.append(tables, None).result()


def _done(who: str, what: str, done: Mapping[str, Any], trace: str | None = None) -> Deed:
    if "rows" in done:  # by table
        return Deed(who=who, what=what, row_count=sum(done["rows"].values()))
    return Deed(who=who, what=what, row_count=done["spans"] + done["logs"], trace_count=done["traces"], about=trace)
