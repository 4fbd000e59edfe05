"""Arrow and numpy look at the same memory."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from collector.decode.columnar.buffers import (
    flags,
    hexadecimal,
    letters,
    not_text,
    numbers,
    offsets,
    places,
    texts,
    valid,
)


@given(st.lists(st.text()), st.integers(0, 3))
def test_texts_are_their_letters_between_offsets(held: list[str], first: int):
    """Taken apart and put together a column of text is the same, a slice of one too."""
    array = pa.array(held, pa.string())[first:]
    assert letters(array).tobytes() == "".join(held[first:]).encode()
    begin = offsets(array)
    assert texts(begin - begin[0], pa.py_buffer(letters(array).tobytes())).to_pylist() == held[first:]


@given(st.lists(st.none() | st.integers(0, 2**64 - 1)))
def test_numbers_are_null_where_nothing_is(held: list[int | None]):
    """Values and their gaps come back."""
    array = pa.array(held, pa.uint64())
    there = valid(array)
    assert there.tolist() == [value is not None for value in held]
    raw = np.array([value or 0 for value in held], dtype=np.uint64)
    assert numbers(raw, pa.uint64(), there).to_pylist() == held
    assert flags(there).to_pylist() == there.tolist()


def test_places_take():
    """Positions of any kind of number serve to take values, null where there is no position."""
    held = pa.array(["a", "b"])
    assert held.take(places(np.array([1, 0, 1], np.int32), np.array([True, False, True]))).to_pylist() == [
        "b",
        None,
        "b",
    ]


@given(st.lists(st.binary(min_size=8, max_size=8)))
def test_ids_are_hexadecimal(ids: list[bytes]):
    """Ids of one width, one after the other, as Python writes them."""
    assert hexadecimal(np.frombuffer(b"".join(ids), np.uint8), 8).to_pylist() == [each.hex() for each in ids]


def test_what_is_not_utf8_is_told_by_place():
    """Letters cut in the middle, and nothing else."""
    assert not_text(pa.array([b"a", b"\xe4\xbd", b"", "é".encode()], pa.binary())).tolist() == [
        False,
        True,
        False,
        False,
    ]
