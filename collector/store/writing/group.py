"""One group of requests, to be committed together: their rows in one table, and which row belongs to whom."""

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

import pyarrow as pa

from collector.decode.columns import as_lists
from collector.decode.decoded import Decoded
from collector.store.errors import Unavailable
from collector.store.writing import rows
from collector.store.writing.identity import Place, Verdict
from collector.store.writing.rows import Columns

UNSTORABLE = "unstorable"
"""Reason code of a row that the database refused by itself (D-09)."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of decoded rows: they are committed, but for duplicates and those rejected (reason code → count)."""

    seq: int
    stored: int
    duplicates: int
    rejected: dict[str, int] = field(default_factory=dict)
    unstorable: dict[int, int] = field(default_factory=dict)
    """Rows that the database refused, by the number of their request (`Decoded.owner`)."""
    later: "Future[Receipt] | None" = field(default=None, compare=False)
    """The rows are kept and not committed yet (see `spool`): what became of them is told here."""

    def final(self, longest: float = 60.0) -> "Receipt":
        """What became of the rows when they were committed. Raises Unavailable where that takes longer than so many seconds."""
        try:
            return self if self.later is None else self.later.result(longest)
        except TimeoutError:
            raise Unavailable(
                "The spans are kept beside the store, which could not take them yet; it tries again."
            ) from None


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
    later: "Future[Receipt] | None" = None
    """Where the sender was answered before the commit: it is told of that here."""
    taken: bool = False
    """It is in a group."""
    settled: bool = False
    """It is committed, or refused."""
    declined: bool = False
    """It could not be kept elsewhere: its sender waits for the writer."""


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
    """All rows of one kind in a group, without those that were rejected: a request's after the other's."""

    def __init__(self, requests: Sequence[Request], schema: pa.Schema) -> None:
        self.requests = requests
        self.keys = [key for r in requests for key in r.decoded.keys]
        self.verdict = Verdict()
        self.refused = Refusals()
        self._ends = list(accumulate(r.decoded.rows for r in requests))
        self._origin = list(range(self._ends[-1]))
        self._rejected: list[int] = []
        self._table = self._build(schema)

    def __len__(self) -> int:
        return len(self._origin)

    def column(self, name: str) -> list[Any]:
        """One column of all rows."""
        return self._table[name].to_pylist()

    def look(self, positions: Sequence[int], names: Sequence[str]) -> Columns:
        """Some columns of some rows."""
        return as_lists(self._table.select(list(names)).take(pa.array(positions, pa.int64())))

    def traces(self) -> set[str]:
        """The traces that rows are of."""
        return {trace for trace in self._table["trace_id"].unique().to_pylist() if trace}

    @property
    def kept(self) -> pa.Table:
        """The rows to be stored: all but the duplicates."""
        duplicates = self.verdict.duplicates
        return self._table.take(rows.without(len(self), set(duplicates))) if duplicates else self._table

    def hand_back(self) -> None:
        """Let each request have its rows as a table: where all of them were held, nobody need make one of its lists again."""
        for end, request in zip(self._ends, self.requests, strict=True):
            if (decoded := request.decoded).columns:
                own = self._table.slice(end - decoded.rows, decoded.rows)
                request.decoded = replace(decoded, columns={}, table=own)

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
        out = as_lists(self._table.take(pa.array(sorted(positions), pa.int64())))
        for at, row in enumerate(sorted(positions)):
            self._refuse(self._origin[row], {name: column[at] for name, column in out.items()})
        self._table = self._table.take(rows.without(len(self), positions))
        self._leave_out(positions)

    def receipts(self, seq: int) -> Iterable[tuple[Request, Receipt]]:
        """What to tell each request after commit `seq`."""
        duplicates = Counter(self._owner(self._origin[row]) for row in self.verdict.duplicates)
        refused: dict[int, Counter[int]] = {}
        for origin in self._rejected:
            number = self._owner(origin)
            decoded = self.requests[number].decoded
            own = origin - (self._ends[number] - decoded.rows)
            refused.setdefault(number, Counter())[decoded.owner(own)] += 1
        for number, request in enumerate(self.requests):
            lost = refused.get(number, Counter())
            stored = request.decoded.rows - lost.total() - duplicates[number]
            reasons = {UNSTORABLE: lost.total()} if lost else {}
            yield request, Receipt(seq, stored, duplicates[number], reasons, dict(lost))

    def _build(self, schema: pa.Schema) -> pa.Table:
        """The rows in order; those that Arrow cannot hold are refused."""
        pieces: list[pa.Table] = []
        bad: set[int] = set()
        begin = 0
        for piece in self._pieces(schema):
            if isinstance(piece, pa.Table):
                pieces.append(piece.select(schema.names))
                begin += piece.num_rows
                continue
            columns = piece
            table, wrong = rows.table(columns, schema)
            for row in sorted(wrong):
                self._refuse(begin + row, {name: column[row] for name, column in columns.items()})
            bad |= {begin + row for row in wrong}
            begin += len(columns[schema.names[0]])
            pieces.append(table)
        if bad:
            self._leave_out(bad)
        return pa.concat_tables(pieces)

    def _pieces(self, schema: pa.Schema) -> Iterator[pa.Table | Columns]:
        """Tables as they came, and between them lists: those that follow one another are one."""
        listed: list[Columns] = []
        for request in self.requests:
            decoded = request.decoded  # another thread may put a table in place of its lists meanwhile
            if decoded.table is not None:
                if listed:
                    yield rows.concatenate(listed, schema.names)
                    listed = []
                yield decoded.table
            if decoded.columns:
                listed.append(decoded.columns)
        if listed:
            yield rows.concatenate(listed, schema.names)

    def _refuse(self, origin: int, row: dict[str, Any]) -> None:
        self.refused.add(row)
        self._rejected.append(origin)

    def _leave_out(self, positions: set[int]) -> None:
        left = [row for row in range(len(self)) if row not in positions]
        self.keys = [self.keys[row] for row in left] if self.keys else self.keys
        self._origin = [self._origin[row] for row in left]

    def _owner(self, origin: int) -> int:
        """The number of the request that a row came with."""
        return bisect_right(self._ends, origin)


def _ascii(value: Any) -> str | None:
    return None if value is None else str(value).encode("ascii", "backslashreplace").decode("ascii")
