"""Content hashes of many spans: those that `SpanRows.add` makes one by one, of the same text, put together by column.

Only hashing itself is a loop: 1.9 µs a span under Python's lock, of which the hash takes 1.5. To write the facts of each span
by itself made it 5. The attributes, which are nearly all of the text, are hashed where they are.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from collector.decode.columnar.buffers import compute, hexadecimal, letters, offsets
from collector.decode.columnar.escape import escaped
from collector.decode.content import SIZE

_NULL, _QUOTE, _COMMA = (pa.scalar(text, pa.string()) for text in ("null", '"', ","))
_NOTHING, _NO_MORE, _LINE = pa.scalar("", pa.string()), pa.scalar(b"", pa.binary()), pa.scalar(b"\n", pa.binary())

_PLAIN = ("trace_id", "span_id")
_TEXTS = ("parent_span_id", "trace_state", "name", "status_message")
_FACTS = (
    *("trace_id", "span_id", "parent_span_id", "trace_state", "flags", "name", "kind", "start_ns", "end_ns"),
    *("status_code", "status_message", "dropped_attributes_count", "dropped_events_count", "dropped_links_count"),
)


def heads(held: Mapping[str, pa.Array], shared: pa.BinaryArray) -> pa.BinaryArray:
    """What is hashed first of each span: its group's digest and its facts, a line each."""
    return compute.binary_join_element_wise(shared, _facts(held).cast(pa.binary()), _NO_MORE, _LINE)


def hashes(first: pa.BinaryArray, then: pa.StringArray, last: Mapping[int, bytes]) -> pa.StringArray:
    """The hash of each span's heads, attributes, and (by row, each with its line) lists, as lower-case hex."""
    texts, own = letters(first).data, letters(then).data
    found: list[bytes] = []
    for row, ((a, b), (c, d)) in enumerate(zip(_places(first), _places(then), strict=True)):
        content = sha256(texts[a:b])
        content.update(own[c:d])
        if row in last:
            content.update(last[row])
        found.append(content.digest())
    whole = np.frombuffer(b"".join(found), dtype=np.uint8).reshape(-1, sha256().digest_size)
    return hexadecimal(whole[:, :SIZE].ravel(), SIZE)


def _places(texts: pa.Array) -> Iterator[tuple[int, int]]:
    ends = offsets(texts)
    return pairwise((ends - ends[0]).tolist())


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
