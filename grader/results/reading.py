"""Reads from the store what grading needs: the selected runs with their trees, and the verdicts given before."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from collector import Store, UserError
from grader.case import Select
from grader.durations import since
from grader.results.change import Earlier
from grader.sample import Candidate
from grader.stored_run import StoredRun

COLUMNS = ("run_id", "tree", "tree_digest", "last_arrival_ns")

MOST_RUNS = 1_000_000
"""Rows that the free predicate `where` may name."""


def selected(store: Store, select: Select, now: datetime, one: str | None) -> pa.Table:
    """The runs that a suite selects, oldest first, as a table; `one`: only that run (or the run of that trace).

    What is selected by attributes is not decided here: they are in the tree.

    Raises:
        UserError: the predicate `where` is not one.
    """
    found = store.query("graded_runs", **_filters(select, now), one=one)
    found = found.filter(found.column("tree").is_valid())
    if select.where is None:
        return found
    named = _where(store, select.where)
    return found.filter(pa.array([run_id in named for run_id in found.column("run_id").to_pylist()], pa.bool_()))


def how_many(store: Store, select: Select, now: datetime) -> int:
    """How many runs `selected` may find at most."""
    return store.query("how_many_runs", **_filters(select, now)).column("runs")[0].as_py()


def _filters(select: Select, now: datetime) -> dict[str, Any]:
    start = None if select.since is None else int(since(select.since, now).timestamp() * 1_000_000) * 1_000
    return {"service": select.service, "agent": select.agent, "batch": select.batch, "since_ns": start}


def batches(found: pa.Table, size: int) -> Iterator[list[StoredRun]]:
    """The runs of the table, at most so many at once: a grading of many runs never holds all their trees."""
    for begin in range(0, found.num_rows, size):
        part = found.slice(begin, size)
        columns = [part.column(name).to_pylist() for name in COLUMNS]
        yield [StoredRun(*row) for row in zip(*columns, strict=True)]


def again(found: pa.Table, run_ids: AbstractSet[str]) -> Iterator[Candidate]:
    """Those of the table's runs, in its order, with their trees."""
    wanted = pc.is_in(found.column("run_id"), value_set=pa.array(list(run_ids), pa.string()))  # ty: ignore
    for batch in batches(found.filter(wanted), AGAIN):
        yield from (run.candidate() for run in batch)


AGAIN = 100
"""Trees that are in memory at once when runs are looked at again."""


def earlier(store: Store, suite: str, run_ids: Sequence[str]) -> dict[tuple[str, str], Earlier]:
    """The newest verdict of each (run id, case name) that was given before, under whatever id the run had then."""
    if not run_ids:
        return {}
    rows: list[dict[str, Any]] = store.query("earlier_results", suite=suite, run_ids=list(run_ids)).to_pylist()
    return {
        (r["run_id"], r["case_name"]): Earlier(
            r["case_hash"],
            r["tree_digest"],
            r["inputs_hash"],
            frozenset(r["traces"] or ()),
            r["jobs"] or 0,
            r["evidence_ns"],
            r["outcome"],
            r["grading_id"],
        )
        for r in rows
    }


def _where(store: Store, predicate: str) -> set[str]:
    try:
        found = store.sql(f"SELECT run_id FROM runs WHERE ({predicate}\n)", max_rows=MOST_RUNS)  # noqa: S608  guarded by the store
    except Exception as error:
        raise UserError(f"select.where cannot be used: {error}") from error
    if (found.schema.metadata or {}).get(b"truncated") == b"true":
        raise UserError(f"select.where names more than {MOST_RUNS:,} runs; narrow it, or say since")
    return set(found.column("run_id").to_pylist())
