"""Columns to Arrow."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from collector.store.writing import rows

SCHEMA = pa.schema([("name", pa.string()), ("size", pa.uint32())])


def test_columns_are_joined_in_order():
    """The rows of the second request follow those of the first."""
    joined = rows.concatenate([{"a": [1], "b": [2]}, {"a": [3, 4], "b": [5, 6]}], ["a"])
    assert joined == {"a": [1, 3, 4]}


@given(
    st.lists(st.tuples(st.one_of(st.none(), st.text(), st.just("\ud800"), st.integers()), st.integers() | st.none()))
)
def test_rows_that_arrow_cannot_hold_are_found(values: list[tuple[object, object]]):
    """All rows are in the table but those that are named, and only these have a value of which Arrow makes nothing."""
    columns = {"name": [v[0] for v in values], "size": [v[1] for v in values]}
    table, bad = rows.table(columns, SCHEMA)
    left = {name: [v for i, v in enumerate(column) if i not in bad] for name, column in columns.items()}
    assert table.to_pydict() == left
    for row in bad:
        assert rows.table({name: [column[row]] for name, column in columns.items()}, SCHEMA)[1] == {0}


def test_rows_are_left_out_by_position():
    """What is left are all positions but the given ones."""
    assert rows.without(4, {1, 3}).to_pylist() == [0, 2]
