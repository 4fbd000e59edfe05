"""Trees built again after an upgrade, and a look at what that would change; through the store alone, open here or elsewhere.

Rebuilding is done by whoever has the file open. The look builds here, with this program's normalizer: so a new version can be
looked at while a collector of the old one runs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from collector.cli.differences import Difference, differences
from collector.normalize.versions import VERSIONS
from collector.store.protocol import Store
from collector.store.trees.builder import Build, normalize
from collector.store.trees.component import Connected
from collector.tree_text import from_json

AT_ONCE = 500
"""Traces that are rebuilt in one request."""

Digests = dict[str, tuple[str, str | None]]
"""By run the digests of its tree and of its messages."""


@dataclass(frozen=True)
class Change:
    """A run whose tree is, or would be, another one: `kind` is changed, new or gone."""

    run_id: str
    kind: str
    facts: list[Difference] = field(default_factory=list)


@dataclass
class Outcome:
    """What became of the runs of some traces."""

    traces: int = 0
    same: int = 0
    changes: list[Change] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """Traces that this normalizer cannot build."""

    def of(self, kind: str) -> list[Change]:
        """The changes of one kind."""
        return [change for change in self.changes if change.kind == kind]


def outdated(store: Store, *, every: bool = False) -> list[str]:
    """Traces whose tree was made with a part that is another one in this program; or all that have been built."""
    found = store.query("settle/outdated", parts=list(VERSIONS), versions=list(VERSIONS.values()), all=every)
    return found["trace_id"].to_pylist()


def rebuild(store: Store, traces: list[str]) -> Iterator[Outcome]:
    """Build these traces again; after each request what became of their runs."""
    for start in range(0, len(traces), AT_ONCE):
        part = traces[start : start + AT_ONCE]
        before = _digests(store.query("digests", traces=part))
        store.rebuild(part)
        yield _outcome(len(part), before, _digests(store.query("digests", traces=part)))


def compare(store: Store, traces: list[str], build: Build = normalize) -> Iterator[Outcome]:
    """What building these traces again would change; nothing is written."""
    through, seen = _Through(store), set[str]()
    while left := [trace for trace in traces if trace not in seen]:
        for batch in through.batches(left):
            if wanted := [trace for trace in batch if trace not in seen]:
                members, outcome = _compared(through, wanted, build)
                seen |= members
                yield outcome


def _compared(through: "_Through", traces: list[str], build: Build) -> tuple[set[str], Outcome]:
    try:
        members, built = through.together(traces, build)
    except Exception:  # noqa: BLE001 -- whatever a trace does to the normalizer
        if len(traces) == 1:
            return set(traces), Outcome(1, failed=traces)
        halves = [_compared(through, half, build) for half in (traces[: len(traces) // 2], traces[len(traces) // 2 :])]
        return halves[0][0] | halves[1][0], _sum(outcome for _, outcome in halves)
    before, after = through.store.query("trees_of", traces=sorted(members)), built.tables["runs"]
    was, now = _digests(before), _digests(after)
    outcome = _outcome(len(members), was, now)
    old, new = _by_run(before, "tree"), _by_run(after, "tree")
    for change in outcome.of("changed"):
        change.facts.extend(differences(from_json(old[change.run_id]), from_json(new[change.run_id])))
        if (told := was[change.run_id][1]) != (tells := now[change.run_id][1]):
            change.facts.append(Difference("messages", told, tells))
    return members, outcome


def _outcome(traces: int, before: Digests, after: Digests) -> Outcome:
    changed = [Change(run, "changed") for run in after if run in before and before[run] != after[run]]
    new = [Change(run, "new") for run in after if run not in before]
    gone = [Change(run, "gone") for run in before if run not in after]
    return Outcome(traces, len(after) - len(changed) - len(new), changed + new + gone)


def _sum(outcomes: Iterable[Outcome]) -> Outcome:
    whole = Outcome()
    for part in outcomes:
        whole.traces += part.traces
        whole.same += part.same
        whole.changes += part.changes
        whole.failed += part.failed
    return whole


def _digests(table: pa.Table) -> Digests:
    columns = (table[name].to_pylist() for name in ("run_id", "tree_digest", "messages_digest"))
    return {run: (of_tree, of_messages) for run, of_tree, of_messages in zip(*columns, strict=True)}


def _by_run(table: pa.Table, column: str) -> dict[str, str]:
    return dict(zip(table["run_id"].to_pylist(), table[column].to_pylist(), strict=True))


@dataclass(frozen=True)
class _Through(Connected):
    """The reads of connected traces, through the store's fixed queries."""

    store: Store

    def table(self, name: str, **params: Any) -> pa.Table:
        return self.store.query(name, **params)

    def rows(self, name: str, **params: Any) -> list[tuple[Any, ...]]:
        table = self.table(name, **params)
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True))
