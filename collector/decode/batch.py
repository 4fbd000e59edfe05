"""Several requests decoded together: their rows in one, and what each of them is to be told."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from collector.decode.decoded import Decoded, DecodeError


@dataclass(slots=True)
class Share:
    """What became of one request: the rows it held, the refused ones among them, and reason codes with their counts."""

    delivered: int = 0
    rejected: dict[str, int] = field(default_factory=dict)
    warnings: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Batch:
    """Rows of several requests; `decoded.owners` says whose each is. `shares` are the requests' own, in their order."""

    decoded: Decoded
    shares: list[Share | DecodeError]


def one_by_one(decode: Callable[[bytes], Decoded], bodies: Sequence[bytes]) -> Batch:
    """Read each body by itself: a corrupt one costs the others nothing."""
    parts: list[Decoded] = []
    shares: list[Share | DecodeError] = []
    for number, body in enumerate(bodies):
        try:
            decoded = decode(body)
        except DecodeError as problem:
            shares.append(problem)
            continue
        decoded.owners = np.full(decoded.rows, number, np.int32)
        parts.append(decoded)
        shares.append(Share(decoded.delivered, dict(decoded.rejected), dict(decoded.warnings)))
    return Batch(joined(parts), shares)


def joined(parts: Sequence[Decoded]) -> Decoded:
    """The rows of several requests of one kind, whose owners are known."""
    if len(parts) == 1:
        return parts[0]
    tables = [part.table for part in parts if part.table is not None]
    listed = [part.columns for part in parts if part.columns]

    def in_order(held: list[Any]) -> list[Any]:
        """One value a row: those of rows in tables, then those of rows in lists."""
        both = list(zip(held, (part.by_column for part in parts), strict=True))
        return [*chain(*(some[:first] for some, first in both)), *chain(*(some[first:] for some, first in both))]

    return Decoded(
        kind=parts[0].kind if parts else "spans",
        columns={name: list(chain.from_iterable(columns[name] for columns in listed)) for name in (listed or [{}])[0]},
        rows=sum(part.rows for part in parts),
        size=sum(part.size for part in parts),
        keys=in_order([part.keys for part in parts]),
        rejected=added(part.rejected for part in parts),
        warnings=added(part.warnings for part in parts),
        table=pa.concat_tables(tables) if tables else None,
        owners=np.array(in_order([part.owners for part in parts]), np.int32),
    )


def added(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    """The sum of counts by reason code."""
    total: Counter[str] = Counter()
    for each in counts:
        if each:  # nearly all are empty
            total.update(each)
    return dict(total)
