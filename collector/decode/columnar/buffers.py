"""Arrow arrays as numpy sees them, and back."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

compute: Any = pyarrow.compute
"""It fills its names in at run time, where a type checker does not see them."""

Numbers = np.ndarray
Flags = np.ndarray

_HEX = np.array([int.from_bytes(f"{byte:02x}".encode(), "little") for byte in range(256)], dtype="<u2")


def offsets(array: pa.Array) -> Numbers:
    """Where each value of a list or a text begins, and where the last ends."""
    held = array.buffers()[1]
    if held is None or not len(array):
        return np.zeros(len(array) + 1, dtype=np.int32)
    return np.frombuffer(held, dtype=np.int32)[array.offset : array.offset + len(array) + 1]


def letters(array: pa.Array) -> Numbers:
    """The bytes of all values, one after the other."""
    held, at = array.buffers()[2], offsets(array)
    return np.zeros(0, dtype=np.uint8) if held is None else np.frombuffer(held, dtype=np.uint8)[at[0] : at[-1]]


def valid(array: pa.Array) -> Flags:
    """Which values are there."""
    if not array.null_count:
        return np.ones(len(array), dtype=bool)
    return array.is_valid().to_numpy(zero_copy_only=False)


def texts(ends: Numbers, held: pa.Buffer) -> pa.StringArray:
    """Texts from the places where they begin and end (one more than there are texts), and their letters (UTF-8)."""
    places = np.ascontiguousarray(ends, dtype=np.int32)
    return pa.StringArray.from_buffers(len(places) - 1, pa.py_buffer(places), held)


def hexadecimal(raw: Numbers, width: int) -> pa.StringArray:
    """Ids of `width` bytes each as lower-case hex."""
    count = len(raw) // width
    return texts(np.arange(count + 1, dtype=np.int32) * (2 * width), pa.py_buffer(np.ascontiguousarray(_HEX[raw])))


def numbers(values: Numbers, kind: pa.DataType, there: Flags | None = None) -> pa.Array:
    """An Arrow array over numpy's own memory, null where `there` says no.

    `pa.array` looks for pandas at each call, and where there is none that takes 50 µs (measured).
    """
    held = np.ascontiguousarray(values)
    bits = None if there is None else pa.py_buffer(np.packbits(there, bitorder="little"))
    return pa.Array.from_buffers(kind, len(held), [bits, pa.py_buffer(held)])


def flags(values: Flags) -> pa.BooleanArray:
    """Truths as Arrow's."""
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(np.packbits(values, bitorder="little"))])


def places(values: Numbers, there: Flags | None = None) -> pa.Array:
    """Positions, for `take`."""
    return numbers(np.asarray(values, dtype=np.int64), pa.int64(), there)


def not_text(array: pa.BinaryArray) -> Flags:
    """Which values are not UTF-8. To be asked where a cast of all of them failed: it looks at each by itself."""

    def wrong(raw: bytes) -> bool:
        try:
            raw.decode()
        except UnicodeDecodeError:
            return True
        return False

    return np.array([wrong(raw) for raw in array.to_pylist()], dtype=bool)
