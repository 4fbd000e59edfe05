"""What the two kinds of store share in asking free SQL: defaults, and the way from an answer to a DuckDB relation."""

import duckdb

from collector.answer import free
from collector.store.errors import StoreError
from collector.store.protocol import Store
from collector.store.result import truncated


def statement(
    text: str, form: str, max_rows: int | None, seconds: float | None, max_age: float, memory: int = free.MEMORY
) -> free.Statement:
    """A statement with the defaults for what is not given."""
    return free.Statement(
        text,
        form,
        free.MAX_ROWS if max_rows is None else max_rows,
        free.MAX_SECONDS if seconds is None else seconds,
        memory=memory,
        age=max_age,
    )


def relation(store: Store, text: str, max_rows: int | None, seconds: float | None) -> duckdb.DuckDBPyRelation:
    """The rows in a DuckDB of their own, in memory. Raises StoreError where not all were there: nobody would see it."""
    rows = store.sql(text, max_rows=max_rows, seconds=seconds)
    if truncated(rows) and max_rows is None:
        raise StoreError(
            f"There are more than {rows.num_rows} rows: say how many you want with max_rows, or count in the statement."
        )
    return duckdb.connect(":memory:").from_arrow(rows)
