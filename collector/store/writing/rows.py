"""Python columns of many requests → one Arrow table a commit, with the rows that Arrow cannot hold set aside."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import pyarrow as pa

Columns = dict[str, list[Any]]

CANNOT_HOLD = (pa.ArrowException, UnicodeError, OverflowError, TypeError, ValueError)
"""What Arrow raises for one bad value: a lone surrogate, a number that does not fit, a wrong type."""


def concatenate(parts: Sequence[Columns], names: Sequence[str]) -> Columns:
    """The columns of several requests, one after the other; a single request's are taken as they are."""
    if len(parts) == 1:
        return {name: parts[0][name] for name in names}
    return {name: list(chain.from_iterable(part[name] for part in parts)) for name in names}


def table(columns: Columns, schema: pa.Schema) -> tuple[pa.Table, set[int]]:
    """One Arrow table, and the positions of rows that are not in it, since Arrow cannot hold one of their values."""
    try:
        return _table(columns, schema), set()
    except CANNOT_HOLD:
        bad = _unstorable(columns, schema)
        left = [row for row in range(len(columns[schema.names[0]])) if row not in bad]
        return _table({name: [columns[name][row] for row in left] for name in schema.names}, schema), bad


def _unstorable(columns: Columns, schema: pa.Schema) -> set[int]:
    bad: set[int] = set()
    for column in schema:
        values = columns[column.name]
        try:
            pa.array(values, type=column.type)
        except CANNOT_HOLD:
            bad.update(row for row, value in enumerate(values) if not _fits(value, column.type))
    return bad


def _table(columns: Columns, schema: pa.Schema) -> pa.Table:
    return pa.Table.from_arrays([pa.array(columns[f.name], type=f.type) for f in schema], schema=schema)


def without(rows: int, left_out: set[int]) -> pa.Array:
    """The positions of all rows but these, to be taken from a table."""
    return pa.array([row for row in range(rows) if row not in left_out], type=pa.int64())


def _fits(value: Any, kind: pa.DataType) -> bool:
    try:
        pa.scalar(value, type=kind)
    except CANNOT_HOLD:
        return False
    return True
