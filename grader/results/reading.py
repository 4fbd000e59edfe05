"""Reads from the store what grading needs: the selected runs with their trees, and the verdicts given before."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from collector import Store, UserError, tree_text
from grader.case import Select
from grader.durations import since
from grader.results.change import Earlier
from grader.sample import Candidate
from grader.select import has_attributes

COLUMNS = ("run_id", "tree", "tree_digest", "last_arrival_ns")

MOST_RUNS = 1_000_000
"""Rows that the free predicate `where` may name."""


def candidates(store: Store, select: Select, now: datetime, one: str | None) -> Iterator[Candidate]:
    """The runs that a suite selects, oldest first; `one`: only that run (or the run of that trace).

    A tree is read when it is asked for, so that a grading of many runs never holds them all.

    Raises:
        UserError: the predicate `where` is not one.
    """
    start = None if select.since is None else int(since(select.since, now).timestamp() * 1_000_000) * 1_000
    found = store.query(
        "graded_runs", service=select.service, agent=select.agent, batch=select.batch, since_ns=start, one=one
    )
    named = None if select.where is None else _where(store, select.where)
    return _trees(found, select, named)


def _trees(found: pa.Table, select: Select, named: set[str] | None) -> Iterator[Candidate]:
    for batch in found.to_batches(max_chunksize=1_000):
        for row in zip(*(batch.column(name).to_pylist() for name in COLUMNS), strict=True):
            run_id, text, digest, arrived = row
            if text is None or (named is not None and run_id not in named):
                continue
            candidate = Candidate(tree_text.from_json(text), digest, arrived)
            if not select.attributes or has_attributes(candidate, select.attributes):
                yield candidate


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
