"""The promoted columns of many spans: as `promoted` reads them, column by column."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from collector.decode.columnar.attributes import Attributes
from collector.decode.columnar.buffers import Numbers, compute, places
from collector.decode.columns import SPANS
from collector.decode.group import Group
from collector.decode.promoted import PROMOTED, RESOURCE_TOO, as_count, as_number

_NUMBERS: dict[Callable[[Any], Any], pa.DataType] = {as_count: pa.int64(), as_number: pa.float64()}


def promoted(attributes: Attributes, count: int, groups: Sequence[Group], group: Numbers) -> dict[str, pa.Array]:
    """All promoted columns of `count` spans; `group` is the number of each span's group, which may give defaults."""
    found: dict[str, pa.Array] = {}
    for column, (_, names) in PROMOTED.items():
        held = _held(attributes, names, count)
        found[column] = pa.nulls(count, SPANS[column]) if held is None else _read(attributes, column, held)
    for column in RESOURCE_TOO:
        defaults = pa.array([each.defaults.get(column) for each in groups], pa.string())
        if defaults.null_count < len(defaults):
            found[column] = compute.coalesce(found[column], defaults.take(places(group)))
    return found


def _held(attributes: Attributes, names: Sequence[str], count: int) -> Numbers | None:
    """Of each span the attribute that is read: the first of these names that it has; -1: none of them."""
    at: Numbers | None = None
    for name in names:
        held = attributes.where(name)
        if not len(held):
            continue
        if at is None:
            at = np.full(count, -1, dtype=np.int64)
        rows = attributes.rows[held]
        free = at[rows] < 0
        at[rows[free]] = held[free]
    return at


def _read(attributes: Attributes, column: str, held: Numbers) -> pa.Array:
    read = PROMOTED[column][0]
    if read not in _NUMBERS:
        return attributes.as_text(held)
    whole, double = attributes.kind("int_value", held), attributes.kind("double_value", held)
    if double.null_count == len(double):
        return whole.cast(_NUMBERS[read], safe=False)  # as Python's float() rounds
    both = zip(whole.to_pylist(), double.to_pylist(), strict=True)
    return pa.array([read(one if one is not None else other) for one, other in both], _NUMBERS[read])
