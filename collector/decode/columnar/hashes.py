"""Content hashes of many spans: those that `SpanRows.add` makes one by one, of the same text, put together by column.

Only hashing itself is a loop: 2.6 µs a span under Python's lock, of which the hash takes two. To write the facts of each span
by itself made it 5.
"""

from collections.abc import Mapping
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from collector.decode.columnar.buffers import compute, hexadecimal, letters, offsets
from collector.decode.columnar.escape import escaped

_SIZE = 16
_NULL, _QUOTE, _COMMA = (pa.scalar(text, pa.string()) for text in ("null", '"', ","))
_NOTHING, _LINE = pa.scalar("", pa.string()), pa.scalar(b"\n", pa.binary())

_PLAIN = ("trace_id", "span_id")
_TEXTS = ("parent_span_id", "trace_state", "name", "status_message")
_FACTS = (
    *("trace_id", "span_id", "parent_span_id", "trace_state", "flags", "name", "kind", "start_ns", "end_ns"),
    *("status_code", "status_message", "dropped_attributes_count", "dropped_events_count", "dropped_links_count"),
)


def delivered(held: Mapping[str, pa.Array], shared: pa.BinaryArray) -> pa.BinaryArray:
    """What is hashed of each span that has neither events nor links: its group's digest, its facts, its attributes."""
    own = held["attributes"].cast(pa.binary())
    return compute.binary_join_element_wise(shared, _facts(held).cast(pa.binary()), own, _LINE)


def hashes(texts: pa.BinaryArray) -> pa.StringArray:
    """The hash of each text, as lower-case hex."""
    view = letters(texts).data
    ends = (offsets(texts) - offsets(texts)[0]).tolist()
    found = b"".join([blake2b(view[begin:end], digest_size=_SIZE).digest() for begin, end in pairwise(ends)])
    return hexadecimal(np.frombuffer(found, dtype=np.uint8), _SIZE)


def _facts(held: Mapping[str, pa.Array]) -> pa.StringArray:
    """A JSON list for each span, as orjson writes it."""
    pieces: list[Any] = []
    for name in _FACTS:
        pieces += [_COMMA, *_json(name, held[name])]
    pieces[0] = pa.scalar("[", pa.string())
    return compute.binary_join_element_wise(*pieces, pa.scalar("]", pa.string()), _NOTHING)


def _json(name: str, column: pa.Array) -> list[Any]:
    if name in _PLAIN:
        return [_QUOTE, column, _QUOTE]
    if name not in _TEXTS:
        return [column.cast(pa.string())]
    if column.null_count == len(column):
        return [_NULL]
    if not column.null_count:
        return [_QUOTE, escaped(column), _QUOTE]
    quoted = compute.binary_join_element_wise(_QUOTE, escaped(column.fill_null("")), _QUOTE, _NOTHING)
    return [compute.if_else(column.is_valid(), quoted, _NULL)]
