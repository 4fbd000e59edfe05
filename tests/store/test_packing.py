"""Tables as bytes."""

import pyarrow as pa

from collector.store.packing import pack, unpack


def test_a_table_comes_out_as_it_went_in():
    """Rows, types and empty tables survive, of whatever number of chunks."""
    part = pa.table({"a": pa.array([1, None], pa.uint64()), "b": pa.array([["x"], []], pa.list_(pa.string()))})
    for table in (part, part.slice(0, 0), pa.concat_tables([part, part]), pa.table({})):
        assert unpack(pack(table)) == unpack(memoryview(pack(table))) == table
