"""Connected traces and their evidence, read from the store: the unit in which trees are rebuilt."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import duckdb
import pyarrow as pa

from collector.store import statements
from collector.store.trees.builder import Build
from collector.store.trees.changes import Built
from collector.store.trees.known import Known
from collector.store.trees.pending import Pending

BATCH_SPANS = 1500
BATCH_BYTES = 64 << 20
"""A batch of traces ends at one of these two, so that memory stays bounded; one trace alone may be larger."""

LOOK_AHEAD = 5_000
"""Dirty traces whose sizes are read at once."""


class Connected(ABC):
    """Reads of connected traces, through whatever answers our statements."""

    @abstractmethod
    def table(self, name: str, **params: Any) -> pa.Table:
        """The result of one of our statements as Arrow."""

    @abstractmethod
    def rows(self, name: str, **params: Any) -> list[tuple[Any, ...]]:
        """The rows of one of our statements."""

    def evidence(self, traces: Iterable[str]) -> tuple[pa.Table, pa.Table]:
        """All spans and all log records of these traces."""
        scope = self.scope(traces)
        return self.table("settle/spans", **scope), self.table("settle/logs", **scope)

    def batches(self, traces: list[str], most_spans: int | None = None) -> list[list[str]]:
        """The traces, at most LOOK_AHEAD of them, in batches of a bounded size; order is kept."""
        most_spans = most_spans or BATCH_SPANS
        ahead = traces[:LOOK_AHEAD]
        sizes = {trace: (spans, size) for trace, spans, size in self.rows("settle/sizes", **self.scope(ahead))}
        batches: list[list[str]] = []
        spans = size = 0
        for trace in ahead:
            more, larger = sizes.get(trace, (0, 0))
            if not batches or spans + more > most_spans or size + larger > BATCH_BYTES:
                batches.append([])
                spans = size = 0
            batches[-1].append(trace)
            spans, size = spans + more, size + larger
        return batches

    def closure(self, traces: Iterable[str], references: pa.Table | None = None) -> set[str]:
        """These traces and all that are connected with them; `references` are theirs, where not stored yet."""
        members = set(traces)
        fresh = _columns(references)
        while True:
            near = self.rows("settle/neighbours", traces=sorted(members), **fresh)
            if not near:
                return members
            members.update(trace for (trace,) in near)

    def together(self, traces: Iterable[str], build: Build) -> tuple[set[str], Built]:
        """All traces that are connected with these, and their trees: fresh references may lead on to more traces."""
        members = self.closure(traces)
        return self.completed(members, build(*self.evidence(members)), build)

    def completed(self, members: set[str], built: Built, build: Build) -> tuple[set[str], Built]:
        """These traces and what was built of them, or a larger set where they turn out to be connected with more."""
        while (grown := self.closure(members, built.references)) != members:
            members, built = grown, build(*self.evidence(grown))
        return members, built

    def scope(self, traces: Iterable[str]) -> dict[str, Any]:
        """These traces, and the commits between which all their evidence lies."""
        listed = sorted(traces)
        low, high = self.rows("identity/bounds", traces=listed)[0]
        return {"traces": listed, "low": low or 0, "high": high or 0}


@dataclass(frozen=True)
class Snapshot(Connected):
    """Reads evidence up to commit `upto`: what arrives later waits for the next build.

    Where `pending` and `known` say enough about traces, the store is not asked.
    """

    connection: duckdb.DuckDBPyConnection
    upto: int
    pending: Pending | None = None
    known: Known | None = None

    def rows(self, name: str, **params: Any) -> list[tuple[Any, ...]]:
        """The rows of one of our statements."""
        return self.connection.execute(statements.load()[name], params).fetchall()

    def table(self, name: str, **params: Any) -> pa.Table:
        """The result of one of our statements as Arrow."""
        return self.connection.sql(statements.load()[name], params=params).to_arrow_table()

    def closure(self, traces: Iterable[str], references: pa.Table | None = None) -> set[str]:
        """These traces and all that are connected with them; `references` are theirs, where not stored yet."""
        members = set(traces)
        if self.known is not None and not self.known.may_connect(members, references):
            return members
        return super().closure(members, references)

    def scope(self, traces: Iterable[str]) -> dict[str, Any]:
        """These traces, and the commits up to this snapshot's between which all their evidence lies."""
        listed = sorted(traces)
        if self.pending is not None and self.known is not None and not self.known.built(listed):
            first = self.pending.first(listed)  # all that there is of them is pending
            if first is not None:
                return {"traces": listed, "low": first, "high": self.upto}
        scope = super().scope(listed)
        return scope | {"high": min(scope["high"], self.upto)}


def _columns(references: pa.Table | None) -> dict[str, list[str]]:
    names = {"kinds": "kind", "keys": "key", "roles": "role"}
    if references is None:
        return {name: [] for name in names}
    return {name: references[column].to_pylist() for name, column in names.items()}
