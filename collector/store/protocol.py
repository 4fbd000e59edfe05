"""The store as everything outside of it sees it, whether the file is open here or in a running collector."""

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Protocol, Self

import duckdb
import pyarrow as pa

from collector.store.result import Result


class Store(Protocol):
    """Reads, and appends, over one store. Safe to use from several threads."""

    def query(self, name: str, **params: Any) -> pa.Table:
        """Run the fixed query `name`; every parameter that is not given is NULL. Raises `UnknownQuery`."""
        ...

    def sql(self, text: str, *, max_rows: int | None = None, seconds: float | None = None) -> pa.Table:
        """Run one free SELECT statement that passes the gate.

        At most `max_rows` rows come back (default 10,000): where there were more, the schema's metadata has
        `truncated` = `true`. Raises `RefusedStatement` for what is not allowed, fails, or takes longer than `seconds`.
        """
        ...

    def select(
        self,
        text: str,
        *,
        form: str = "arrow",
        max_rows: int | None = None,
        seconds: float | None = None,
        max_age: float = 0.0,
    ) -> Result:
        """As `sql`, with the answer as bytes that can be read part by part: `arrow` (IPC stream), `csv`, `json` or `jsonl`.

        The answer may lack what was committed within `max_age` seconds before, where that spares reading a long log;
        it says its age.
        """
        ...

    def relation(
        self, text: str, *, max_rows: int | None = None, seconds: float | None = None
    ) -> duckdb.DuckDBPyRelation:
        """As `sql`, with the rows as a DuckDB relation, to go on with: `.fetchall()`, `.arrow()`, `.df()`, `.aggregate(…)`.

        Raises StoreError where rows were left out although `max_rows` was not given.
        """
        ...

    def settle(self, ids: Iterable[str] | None = None) -> list[str]:
        """Bring the trees of these traces and runs (None: of all) up to date with what is stored now, and return then.

        What arrives meanwhile waits for the next call. The answer names those traces that could not be made into trees: what
        happened in them is in no run.
        """
        ...

    def rebuild(self, traces: Iterable[str]) -> None:
        """Build the trees of these traces again, although nothing new came for them, and return then.

        Trees that come out as before are left alone. It is done by whoever has the file open, with its normalizer.
        """
        ...

    def append(self, tables: Mapping[str, pa.Table], batch_id: str) -> None:
        """Append rows to tables of an extension in one transaction; a batch id that is known already changes nothing."""
        ...

    def maintain(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out an order on the whole store, `{"do": "prune" | "delete" | "export" | "fill", …}`, and say what was done.

        It is done by whoever has the file open. Raises StoreError, and Unavailable where it cannot be done now.
        """
        ...

    def close(self) -> None:
        """Give the store back; a second call does nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...
