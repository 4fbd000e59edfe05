"""What travels between the endpoint and its client."""

import io

import pyarrow as pa
import pytest

from collector.answer import wire
from collector.store import errors
from collector.store.result import Result


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


def test_what_is_said_about_an_answer_travels_in_headers():
    """Rows, whether there were more, age and length come back as they were; without headers nothing is claimed."""
    sent = Result(io.BytesIO(b"ab"), 2, 7, truncated=True, age=1.25)
    got = wire.result_of(io.BytesIO(b"ab"), {"content-length": "2", **wire.headers_of(sent)}, sent.close)
    assert (got.size, got.rows, got.truncated, got.age) == (2, 7, True, 1.25)
    bare = wire.result_of(io.BytesIO(), {}, sent.close)
    assert (bare.size, bare.rows, bare.truncated, bare.age) == (-1, 0, False, 0.0)
