"""Content hashes by column: of the text that is hashed one by one."""

from hashlib import blake2b
from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.columnar.hashes import delivered, hashes

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
    """The group's digest, the facts as a JSON list and the attributes, a line each, whatever stands in them."""
    columns = list(zip(*rows, strict=True)) or [()] * (len(COLUMNS) + 1)
    types = [kind for kind, _ in COLUMNS.values()]
    held = {name: pa.array(columns[n], types[n]) for n, name in enumerate(COLUMNS)}
    held["attributes"] = pa.array(columns[-1], pa.string())
    found = delivered(held, pa.array([digest] * len(rows), pa.binary()))
    assert found.to_pylist() == [b"\n".join((digest, orjson.dumps(row[:-1]), row[-1].encode())) for row in rows]


@pytest.mark.parametrize("begin", [0, 1, 3])
def test_each_text_has_its_hash(begin: int):
    """32 hex digits of BLAKE2b, also of a part of an array."""
    texts = pa.array([b"one", b"", b"three \xff"], pa.binary()).slice(begin)
    wanted = [blake2b(text, digest_size=16).hexdigest() for text in texts.to_pylist()]
    assert hashes(texts).to_pylist() == wanted
