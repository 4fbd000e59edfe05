"""Texts → the inside of JSON strings, all of a column at once: the same letters as orjson writes."""

import numpy as np
import orjson
import pyarrow as pa

from collector.decode.columnar.buffers import compute, letters

_BACKSLASH, _QUOTE, _FIRST_PRINTABLE = 0x5C, 0x22, 0x20


def escaped(texts: pa.StringArray) -> pa.StringArray:
    """The texts with what JSON cannot hold escaped, without quotes around them. There must be no nulls."""
    held = letters(texts)
    if (held == _BACKSLASH).any():  # first, since the others bring backslashes
        texts = compute.replace_substring(texts, "\\", "\\\\")
    if (held == _QUOTE).any():
        texts = compute.replace_substring(texts, '"', '\\"')
    low = held[held < _FIRST_PRINTABLE]
    for code in np.unique(low).tolist() if len(low) else ():
        texts = compute.replace_substring(texts, chr(code), orjson.dumps(chr(code))[1:-1].decode())
    return texts
