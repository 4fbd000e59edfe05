"""Tables as bytes and back, as Arrow streams."""

import pyarrow as pa


def pack(table: pa.Table) -> bytes:
    """A table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def unpack(data: bytes | memoryview) -> pa.Table:
    """The table of an Arrow stream; its columns stand in these bytes."""
    return pa.ipc.open_stream(data).read_all()
