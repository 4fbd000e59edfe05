"""What travels between the endpoint and its client."""

import pyarrow as pa
import pytest

from collector.answer import wire
from collector.store import errors


def test_tables_come_back_as_they_were():
    """Types, nulls and metadata survive the way."""
    table = pa.table({"a": pa.array([1, None], pa.uint64()), "b": pa.array([["x"], []])}).replace_schema_metadata(
        {"k": "v"}
    )
    assert wire.to_table(wire.to_bytes(table)).equals(table, check_metadata=True)
    assert wire.tables_from_json(wire.tables_to_json({"t": table}))["t"].equals(table)


@pytest.mark.parametrize("kind", [*wire.STATUS, errors.StoreError])
def test_errors_keep_their_kind(kind: type[errors.StoreError]):
    """The client raises what the store raised."""
    assert type(wire.named(kind.__name__, "message")) is kind
