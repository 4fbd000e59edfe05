"""Texts → the inside of JSON strings, all of a column at once: the same letters as orjson writes."""

import numpy as np
import orjson
import pyarrow as pa

from collector.decode.columnar.buffers import compute, letters

_FIRST_PRINTABLE = 0x20


def escaped(texts: pa.StringArray) -> pa.StringArray:
    """The texts with what JSON cannot hold escaped, without quotes around them. There must be no nulls."""
    held = letters(texts)
    raw = held.tobytes()  # bytes are searched without an array of flags for each letter: a third of the time
    if b"\\" in raw:  # first, since the others bring backslashes
        texts = compute.replace_substring(texts, "\\", "\\\\")
    if b'"' in raw:
        texts = compute.replace_substring(texts, '"', '\\"')
    low = held[held < _FIRST_PRINTABLE] if len(held) and held.min() < _FIRST_PRINTABLE else held[:0]
    for code in np.unique(low).tolist() if len(low) else ():
        texts = compute.replace_substring(texts, chr(code), orjson.dumps(chr(code))[1:-1].decode())
    return texts
