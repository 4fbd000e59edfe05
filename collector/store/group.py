"""One group of requests, to be committed together: their rows in one table, and which row belongs to whom."""

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import pyarrow as pa

from collector.decode.decoded import Decoded
from collector.store import rows
from collector.store.identity import Place, Verdict

UNSTORABLE = "unstorable"
"""Reason code of a row that the database refused by itself (D-09)."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a request: its rows are committed, but for duplicates and those rejected (reason code → count)."""

    seq: int
    stored: int
    duplicates: int
    rejected: dict[str, int] = field(default_factory=dict)


def promise() -> "Future[Any]":
    """A future that its receiver cannot cancel: the rows are committed whoever went away meanwhile (G-11)."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


@dataclass(slots=True)
class Request:
    """Decoded rows that wait for their commit."""

    decoded: Decoded
    future: "Future[Receipt]"
    arrived: float
    """`time.monotonic()` of its arrival."""


@dataclass(slots=True)
class Refusals:
    """Rows that the database refused, as texts that it can hold."""

    traces: list[str | None] = field(default_factory=list)
    spans: list[str | None] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: dict[str, Any]) -> None:
        """Keep one row: everything that is not ASCII escaped, since the very letters may be what was refused."""
        self.traces.append(_ascii(row.get("trace_id")))
        self.spans.append(_ascii(row.get("span_id")))
        self.rows.append(json.dumps({k: v for k, v in row.items() if v is not None}, default=repr))

    def columns(self) -> dict[str, list[Any]]:
        """Parameters of `write/quarantine`."""
        return {"traces": self.traces, "spans": self.spans, "rows": self.rows}


class Rows:
    """All rows of one kind in a group, without those that were rejected."""

    def __init__(self, requests: Sequence[Request], schema: pa.Schema) -> None:
        self.requests = requests
        self.columns = rows.concatenate([r.decoded.columns for r in requests], schema.names)
        self.keys = [key for r in requests for key in r.decoded.keys]
        self.verdict = Verdict()
        self._schema = schema
        self._origin = list(range(len(self.columns[schema.names[0]])))
        self._rejected: list[int] = []
        self.refused = Refusals()
        self._table = self._build()

    def __len__(self) -> int:
        return len(self._origin)

    @property
    def kept(self) -> pa.Table:
        """The rows to be stored: all but the duplicates."""
        duplicates = self.verdict.duplicates
        return self._table.take(rows.without(len(self), set(duplicates))) if duplicates else self._table

    def superseded(self, seq: int) -> list[Place]:
        """The superseded revisions, with the places that the rows of this group get in commit `seq`."""
        left_out = self.verdict.duplicates
        return [
            place if place.commit_seq is not None else Place(seq, place.row - bisect_left(left_out, place.row))
            for place in self.verdict.superseded
        ]

    def some(self, positions: Sequence[int]) -> pa.Table:
        """Some rows alone, to find out which of them the database refuses."""
        return self._table.take(pa.array(positions, type=pa.int64()))

    def reject(self, positions: set[int]) -> None:
        """Leave these rows out for good."""
        self._drop(positions)
        self._table = self._build()

    def receipts(self, seq: int) -> Iterable[tuple[Request, Receipt]]:
        """What to tell each request after commit `seq`."""
        duplicates = Counter(self._owners([self._origin[row] for row in self.verdict.duplicates]))
        refused = Counter(self._owners(self._rejected))
        for number, request in enumerate(self.requests):
            stored = request.decoded.rows - refused[number] - duplicates[number]
            reasons = {UNSTORABLE: refused[number]} if refused[number] else {}
            yield request, Receipt(seq, stored, duplicates[number], reasons)

    def _build(self) -> pa.Table:
        try:
            return rows.table(self.columns, self._schema)
        except rows.CANNOT_HOLD:
            self._drop(rows.unstorable(self.columns, self._schema))
            return rows.table(self.columns, self._schema)

    def _drop(self, positions: set[int]) -> None:
        for row in sorted(positions):
            self.refused.add({name: column[row] for name, column in self.columns.items()})
            self._rejected.append(self._origin[row])
        left = [row for row in range(len(self)) if row not in positions]
        self.columns = {name: [column[row] for row in left] for name, column in self.columns.items()}
        self.keys = [self.keys[row] for row in left] if self.keys else self.keys
        self._origin = [self._origin[row] for row in left]

    def _owners(self, origins: Iterable[int]) -> Iterable[int]:
        """For each original position the number of its request."""
        ends = list(accumulate(r.decoded.rows for r in self.requests))
        return (bisect_right(ends, origin) for origin in origins)


def _ascii(value: Any) -> str | None:
    return None if value is None else str(value).encode("ascii", "backslashreplace").decode("ascii")
