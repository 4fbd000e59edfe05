"""Rows of Arrow → a table of the store, in the transaction that is open."""

from typing import Any

import duckdb
import pyarrow as pa

from collector.store.errors import BadAppend


class _Source:
    """What the database reads as a view, each time anew: the rows of the moment."""

    def __init__(self, view: str, nothing: pa.Table) -> None:
        self.view, self.nothing = view, nothing
        self.rows = nothing

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.rows.__arrow_c_stream__(requested_schema)


class Inserter:
    """Inserts on one connection.

    For each table one view is registered, once, and what it shows is exchanged: to register the rows themselves takes 1 ms
    each time (of 4.3 for 64 spans, of 8.7 for 1,500; measured).
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._sources: dict[str, _Source] = {}

    def schema(self, table: str) -> pa.Schema:
        """The columns of a table (by qualified name) in order, with their Arrow types, as the database states them.

        To be asked for the first time outside of a transaction: one that is rolled back takes the view with it.
        """
        known = self._sources.get(table)
        if known is None:
            empty = self._connection.sql(f"FROM {_quoted(table)} LIMIT 0").to_arrow_table()
            known = self._sources[table] = _Source(f"incoming_{len(self._sources)}", empty)
            self._connection.register(known.view, known)
        return known.nothing.schema

    def insert(self, table: str, rows: pa.Table) -> None:
        """Columns that the rows lack are null. Raises BadAppend for one that the table lacks, and what the database raises.

        The table's schema was asked for before.
        """
        source = self._sources[table]
        source.rows = fitted(rows, source.nothing.schema, table)
        try:
            self._connection.execute(f"INSERT INTO {_quoted(table)} FROM {source.view}")
        finally:
            source.rows = source.nothing


def fitted(rows: pa.Table, schema: pa.Schema, table: str) -> pa.Table:
    """The rows with the columns of the table, in its order and of its types."""
    given = rows.column_names
    if given == schema.names:
        return rows if rows.schema.equals(schema) else rows.cast(schema)
    if strange := sorted(set(given) - set(schema.names)):
        raise BadAppend(f"The tables do not fit the store: {table} has no column {strange[0]}.")
    for name in sorted(set(schema.names) - set(given)):
        rows = rows.append_column(name, pa.nulls(rows.num_rows, schema.field(name).type))
    return rows.select(schema.names).cast(schema)


def _quoted(name: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))
