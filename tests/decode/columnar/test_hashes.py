"""Content hashes by column: of the text that is hashed one by one."""

from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.decode import content
from collector.decode.columnar.hashes import hashes, heads

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
COUNTS = st.integers(0, 2**32 - 1)
COLUMNS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "trace_id": (pa.string(), st.binary(min_size=16, max_size=16).map(bytes.hex)),
    "span_id": (pa.string(), st.binary(min_size=8, max_size=8).map(bytes.hex)),
    "parent_span_id": (pa.string(), st.none() | st.binary(min_size=8, max_size=8).map(bytes.hex)),
    "trace_state": (pa.string(), st.none() | TEXTS.filter(bool)),
    "flags": (pa.uint32(), COUNTS),
    "name": (pa.string(), TEXTS),
    "kind": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "start_ns": (pa.uint64(), st.integers(0, 2**64 - 1)),
    "end_ns": (pa.uint64(), st.integers(0, 2**64 - 1)),
    "status_code": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "status_message": (pa.string(), st.none() | TEXTS.filter(bool)),
    "dropped_attributes_count": (pa.uint32(), COUNTS),
    "dropped_events_count": (pa.uint32(), COUNTS),
    "dropped_links_count": (pa.uint32(), COUNTS),
}
ROWS = st.tuples(
    *(values for _, values in COLUMNS.values()), TEXTS.map(lambda text: orjson.dumps({"k": text}).decode())
)


@given(st.lists(ROWS, max_size=5), st.binary(min_size=16, max_size=16))
def test_what_is_hashed_is_that_of_one_span(rows: list[tuple[Any, ...]], digest: bytes):
    """The group's digest, the facts as a JSON list, the attributes and the lists, a line each, whatever stands in them."""
    columns = list(zip(*rows, strict=True)) or [()] * (len(COLUMNS) + 1)
    types = [kind for kind, _ in COLUMNS.values()]
    held = {name: pa.array(columns[n], types[n]) for n, name in enumerate(COLUMNS)}
    held["attributes"] = pa.array(columns[-1], pa.string())
    first = heads(held, pa.array([digest] * len(rows), pa.binary()))
    whole = [b"\n".join((digest, orjson.dumps(row[:-1]), row[-1].encode())) for row in rows]
    assert hashes(first, held["attributes"], {}).to_pylist() == [content.digest(text).hex() for text in whole]
    lists = dict.fromkeys(range(0, len(rows), 2), b"\n[1]\n[]")
    whole = [text + lists.get(row, b"") for row, text in enumerate(whole)]
    assert hashes(first, held["attributes"], lists).to_pylist() == [content.digest(text).hex() for text in whole]


@pytest.mark.parametrize("begin", [0, 1, 3])
def test_parts_of_arrays_have_their_hashes(begin: int):
    """Also where a column is a part of another."""
    first = pa.array([b"one\n", b"\n", b"three \xff\n"], pa.binary()).slice(begin)
    then = pa.array(["{}", '{"a":1}', "{}"], pa.string()).slice(begin)
    wanted = [a + b.encode() for a, b in zip(first.to_pylist(), then.to_pylist(), strict=True)]
    assert hashes(first, then, {}).to_pylist() == [content.digest(text).hex() for text in wanted]
