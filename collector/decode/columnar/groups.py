"""The groups of many requests: what spans under one resource and one scope share, read once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from collector.decode.beside import Notes
from collector.decode.columnar import lean
from collector.decode.columnar.buffers import Numbers, places
from collector.decode.columns import SPANS
from collector.decode.from_protobuf import read_group
from collector.decode.group import GROUP_COLUMNS, Group

_KEPT = 4096
"""Groups that are remembered from request to request: one for each instrumentation of each process that sends."""

_LARGEST = 8192
"""Bytes of a resource and a scope beyond which they are not remembered."""

_known: dict[tuple[bytes, bytes, bytes, bytes], Group] = {}


@dataclass(slots=True)
class Groups:
    """What the spans of some bodies share. A place is one ScopeSpans of a body; many places may be of one group."""

    groups: list[Group]
    at: Numbers
    """Place → group."""
    owner: Numbers
    """Place → body."""
    place: Numbers
    """Span → place."""
    spans: pa.Array
    """The spans, raw."""
    old: Numbers
    """Body → how many lists of spans it holds in the form of OTLP 0.14 (C-14)."""

    def columns(self, of_row: Numbers) -> dict[str, pa.Array]:
        """The columns that rows of these groups share."""
        rows = places(of_row)
        return {
            name: pa.array([group.values[number] for group in self.groups], SPANS[name]).take(rows)
            for number, name in enumerate(GROUP_COLUMNS)
        }


def read(bodies: list[bytes]) -> Groups:
    """Raises ValueError where a body is not protobuf, and what `read_group` raises."""
    by_body = lean.requests(bodies)
    resources = by_body.flatten()
    body = _repeated(np.arange(len(bodies)), by_body)
    by_resource = resources.field("scope_spans")
    scopes = by_resource.flatten()
    resource = _repeated(np.arange(len(resources)), by_resource)
    shared = list(zip(_joined(resources.field("resource")), resources.field("schema_url").to_pylist(), strict=True))
    own = zip(_joined(scopes.field("scope")), scopes.field("schema_url").to_pylist(), strict=True)
    for number in np.flatnonzero(by_resource.value_lengths().to_numpy() == 0).tolist():
        _group((*shared[number], b"", b""))  # one that shares nothing with anybody must be whole all the same
    found: dict[int, int] = {}
    groups: list[Group] = []
    at = np.zeros(len(scopes), dtype=np.int64)
    for place, (number, scope) in enumerate(zip(resource.tolist(), own, strict=True)):
        group = _group((*shared[number], *scope))
        if id(group) not in found:
            found[id(group)] = len(groups)
            groups.append(group)
        at[place] = found[id(group)]
    spans = scopes.field("spans")
    old = np.zeros(len(bodies), dtype=np.int64)
    np.add.at(old, body, resources.field(lean.OLD_SPANS).value_lengths().to_numpy())
    return Groups(groups, at, body[resource], _repeated(np.arange(len(scopes)), spans), spans.flatten(), old)


def _group(key: tuple[bytes, bytes, bytes, bytes]) -> Group:
    group = _known.get(key)
    if group is None:
        group = read_group(*key, Notes())
        if sum(map(len, key)) < _LARGEST:
            if len(_known) >= _KEPT:
                _known.clear()
            _known[key] = group
    return group


def _repeated(numbers: Numbers, lists: pa.ListArray) -> Numbers:
    """Each number as often as its list has members."""
    return np.repeat(numbers, lists.value_lengths().to_numpy())


def _joined(pieces: pa.ListArray) -> Sequence[Any]:
    """Pieces of one message are that message when they are joined."""
    return [b"".join(held) for held in pieces.to_pylist()]
