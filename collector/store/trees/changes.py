"""From fresh trees and what the store holds of the same traces to the rows that are to be appended (pure)."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

NO_RUN = ""
"""`absorbed_by` of a run whose traces hold no run any more."""


class Built(Protocol):
    """What the normalizer makes of whole traces."""

    @property
    def references(self) -> pa.Table:
        """trace_id, kind, key, role."""
        ...

    @property
    def tables(self) -> Mapping[str, pa.Table]:
        """The canonical tables by name, without `build`."""
        ...

    @property
    def spoke(self) -> pa.Table:
        """trace_id, dialects: which dialects spoke about each trace."""
        ...

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of every part that builds: the dialects, and the assembler."""
        ...


class Newest(NamedTuple):
    """A run's newest build in the store."""

    build: int
    digest: str | None
    absorbed_by: str | None
    messages: str | None = None
    """The digest of its messages, which are no part of the tree."""


@dataclass(frozen=True)
class Before:
    """What the store holds of a component."""

    members: Mapping[str, frozenset[str]]
    """Traces by run, for every run that holds one of the component's traces."""
    newest: Mapping[str, Newest]
    aliases: Mapping[str, str]
    """Absorbed run → the run that holds it, for the runs above."""
    references: frozenset[tuple[str, str, str, str]]
    arrived: Mapping[str, Any]
    """When the newest evidence of each trace was committed, in nanoseconds since the epoch."""
    normalizers: frozenset[str] = frozenset()
    """Normalizers whose parts are noted already."""


Tables = dict[str, pa.Table]


def changes(built: Built, traces: Collection[str], before: Before, build: int, upto: int) -> Tables:
    """The rows to append under the number `build`, by qualified table name.

    Runs whose tree, messages and members are as before get nothing. Runs that are no longer produced become aliases of the run
    that holds their traces now.
    """
    members = _by_run(built.tables["run_members"])
    names = ("run_id", "tree_digest", "messages_digest")
    fresh = zip(*(built.tables["runs"][name].to_pylist() for name in names), strict=True)
    changed = [run for run, *digests in fresh if not _same(run, digests, members, before)]
    absorbed = _absorbed(members, before)
    tables = {f"canonical.{name}": _numbered(rows, changed, build) for name, rows in built.tables.items()}
    runs = _with_arrival(tables["canonical.runs"], members, before.arrived)
    tables["canonical.runs"] = pa.concat_tables([runs, _aliases(absorbed, build)], promote_options="default")
    replaced = [run for run in (*changed, *absorbed) if run in before.newest]
    rows = {
        "canonical.replaced": _replaced(replaced, before.newest),
        "canonical.references": _references(built.references, before.references, build),
        "canonical.builds": _builds(built, traces, build, upto),
        "canonical.normalizers": _parts(built, before.normalizers),
    }
    return {name: table for name, table in (tables | rows).items() if table.num_rows}


def _by_run(table: pa.Table) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for run, trace in zip(table["run_id"].to_pylist(), table["trace_id"].to_pylist(), strict=True):
        found.setdefault(run, set()).add(trace)
    return {run: frozenset(traces) for run, traces in found.items()}


def _same(run: str, digests: list[str | None], members: Mapping[str, frozenset[str]], before: Before) -> bool:
    newest = before.newest.get(run)
    return (
        newest is not None
        and newest.absorbed_by is None
        and [newest.digest, newest.messages] == digests
        and members.get(run) == before.members.get(run)
    )


def _absorbed(members: Mapping[str, frozenset[str]], before: Before) -> dict[str, str]:
    """Runs that are no longer produced, and their own aliases → the run that holds them now."""
    gone = {run: _holder(traces, members) for run, traces in before.members.items() if run not in members}
    handed_on = {a: gone[run] for a, run in before.aliases.items() if run in gone and a not in members}
    return gone | handed_on


def _holder(traces: frozenset[str], members: Mapping[str, frozenset[str]]) -> str:
    shared = Counter({run: len(traces & held) for run, held in members.items()})
    best = max(shared.values(), default=0)
    return min(run for run, count in shared.items() if count == best) if best else NO_RUN


def _numbered(rows: pa.Table, runs: Iterable[str], build: int) -> pa.Table:
    kept = set(runs)
    wanted = rows.filter(pa.array([run in kept for run in rows["run_id"].to_pylist()], type=pa.bool_()))
    return wanted.append_column("build", pa.array([build] * wanted.num_rows, type=pa.uint64()))


def _with_arrival(runs: pa.Table, members: Mapping[str, frozenset[str]], arrived: Mapping[str, Any]) -> pa.Table:
    times = [
        max((arrived[t] for t in members.get(run, ()) if t in arrived), default=None)
        for run in runs["run_id"].to_pylist()
    ]
    return runs.append_column("last_arrival", pa.array(times, type=pa.timestamp("ns")))


def _aliases(absorbed: Mapping[str, str], build: int) -> pa.Table:
    return pa.table(
        {
            "run_id": pa.array(list(absorbed), type=pa.string()),
            "absorbed_by": pa.array(list(absorbed.values()), type=pa.string()),
            "build": pa.array([build] * len(absorbed), type=pa.uint64()),
        }
    )


def _replaced(runs: list[str], newest: Mapping[str, Newest]) -> pa.Table:
    builds = pa.array([newest[run].build for run in runs], type=pa.uint64())
    return pa.table({"run_id": pa.array(runs, type=pa.string()), "build": builds})


def _references(fresh: pa.Table, stored: frozenset[tuple[str, str, str, str]], build: int) -> pa.Table:
    names = ("trace_id", "kind", "key", "role")
    rows = sorted({*zip(*(fresh[n].to_pylist() for n in names), strict=True)} - stored)
    columns = {n: pa.array([row[i] for row in rows], type=pa.string()) for i, n in enumerate(names)}
    return pa.table(columns | {"build": pa.array([build] * len(rows), type=pa.uint64())})


def _builds(built: Built, traces: Collection[str], build: int, upto: int) -> pa.Table:
    listed = sorted(traces)
    spoke = dict(zip(*(built.spoke[c].to_pylist() for c in ("trace_id", "dialects")), strict=True))
    numbers = {"build": build, "upto_seq": upto}
    columns = {n: pa.array([v] * len(listed), type=pa.uint64()) for n, v in numbers.items()}
    return pa.table(
        {"trace_id": pa.array(listed, type=pa.string())}
        | columns
        | {
            "normalizer": pa.array([identity(built.versions)] * len(listed), type=pa.string()),
            "dialects": pa.array([spoke.get(trace, []) for trace in listed], type=pa.list_(pa.string())),
        }
    )


def _parts(built: Built, noted: Collection[str]) -> pa.Table:
    name = identity(built.versions)
    parts = {} if name in noted else built.versions
    columns = {"normalizer": [name] * len(parts), "part": list(parts), "version": list(parts.values())}
    return pa.table({n: pa.array(values, type=pa.string()) for n, values in columns.items()})


def identity(versions: Mapping[str, str]) -> str:
    """The name of a normalizer (32 hex digits): equal for equal versions of all its parts."""
    text = "".join(f"{part}\0{version}\0" for part, version in sorted(versions.items()))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
