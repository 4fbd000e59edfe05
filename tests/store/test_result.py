"""The answer to a statement, as bytes."""

import io

import pyarrow as pa

from collector.store.result import Result, truncated


def result(table: pa.Table, *, cut: bool, closed: list[int]) -> Result:
    """An answer that holds a table."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1)
    data = sink.getvalue().to_pybytes()
    return Result(io.BytesIO(data), len(data), table.num_rows, cut, 0.0, lambda: closed.append(1))


def test_it_gives_parts_or_all_and_closes_once():
    """The rows come part by part or as one table that says whether it was cut; what it holds is given back once."""
    closed: list[int] = []
    table = pa.table({"a": [1, 2]})
    with result(table, cut=True, closed=closed) as found:
        schema, parts = found.batches()
        assert schema == table.schema
        assert [part.num_rows for part in parts] == [1, 1]
    found.close()
    assert closed == [1]
    for cut in (True, False):
        with result(table, cut=cut, closed=closed) as found:
            assert truncated(whole := found.table()) is cut
            assert whole.equals(table)
