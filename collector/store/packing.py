"""Tables as bytes and back, as Arrow streams."""

import pyarrow as pa


def stream(table: pa.Table) -> pa.Buffer:
    """A table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def pack(table: pa.Table) -> bytes:
    """The same as bytes of Python's, which can be sent to another process: a copy."""
    return stream(table).to_pybytes()


def unpack(data: bytes | memoryview) -> pa.Table:
    """The table of an Arrow stream; its columns stand in these bytes."""
    return pa.ipc.open_stream(data).read_all()
