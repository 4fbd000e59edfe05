"""A grading as Arrow tables, ready to append in one transaction."""

from typing import Any

import pyarrow as pa

from collector import __version__
from grader.grading import Grading

TIME = pa.timestamp("ns")
TEXTS = pa.list_(pa.string())

SUITES = pa.schema(
    {
        "suite_hash": pa.string(), "suite": pa.string(), "format": pa.string(), "path": pa.string(), "text": pa.string(),
        "cases": pa.uint32(), "first_at": TIME,
    }
)  # fmt: skip
GRADINGS = pa.schema(
    {
        "grading_id": pa.string(), "graded_at": TIME, "suite": pa.string(), "suite_hash": pa.string(),
        "verdict": pa.string(), "exit_code": pa.uint8(), "reasons": TEXTS, "selected": pa.uint32(),
        "still_open": pa.uint32(), "samples": pa.uint32(), "passed": pa.uint32(), "failed": pa.uint32(),
        "indeterminate": pa.uint32(), "errors": pa.uint32(), "skipped": pa.uint32(), "grader_version": pa.string(),
        "quotes": TEXTS,
    }
)  # fmt: skip
CASE_RESULTS = pa.schema(
    {
        "grading_id": pa.string(), "graded_at": TIME, "suite": pa.string(), "case_name": pa.string(),
        "case_hash": pa.string(), "run_id": pa.string(), "trace_id": pa.string(), "tree_digest": pa.string(),
        "inputs_hash": pa.string(), "traces": TEXTS, "jobs": pa.uint32(), "evidence_at": TIME, "outcome": pa.string(),
        "value": pa.float64(), "reason": pa.string(), "changed_because": pa.string(), "previous_outcome": pa.string(),
        "previous_grading": pa.string(), "flags": TEXTS,
    }
)  # fmt: skip
CHECK_RESULTS = pa.schema(
    {
        "grading_id": pa.string(), "case_name": pa.string(), "run_id": pa.string(), "position": pa.string(),
        "name": pa.string(), "kind": pa.string(), "outcome": pa.string(), "value": pa.float64(),
        "severity": pa.string(), "sentence": pa.string(), "spans": TEXTS, "cost_usd": pa.float64(),
        "seconds": pa.float64(), "cached": pa.bool_(), "quotes": TEXTS,
    }
)  # fmt: skip


def tables(grading: Grading, *, suite_known: bool) -> dict[str, pa.Table]:
    """By table name; `suite_known`: this version of the suite is on record already."""
    found = {
        "grading.gradings": pa.Table.from_pylist([_grading(grading)], schema=GRADINGS),
        "grading.case_results": _case_results(grading),
        "grading.check_results": _check_results(grading),
    }
    if not suite_known:
        found["grading.suites"] = pa.Table.from_pylist([_suite(grading)], schema=SUITES)
    return {name: table for name, table in found.items() if table is not None}


def _suite(grading: Grading) -> dict[str, Any]:
    suite = grading.suite
    return {
        "suite_hash": suite.hash,
        "suite": suite.name,
        "format": suite.format,
        "path": suite.path,
        "text": suite.text,
        "cases": len(suite.cases),
        "first_at": grading.started,
    }


def _grading(grading: Grading) -> dict[str, Any]:
    count = {
        o: sum(c.tally.outcomes[o] for c in grading.cases)
        for o in ("pass", "fail", "indeterminate", "error", "skipped")
    }
    return {
        "grading_id": grading.id,
        "graded_at": grading.started,
        "suite": grading.suite.name,
        "suite_hash": grading.suite.hash,
        "verdict": grading.decision.verdict,
        "exit_code": grading.decision.exit_code,
        "reasons": list(grading.decision.reasons),
        "selected": grading.selected,
        "still_open": grading.still_open,
        "samples": sum(c.tally.applicable for c in grading.cases),
        "passed": count["pass"],
        "failed": count["fail"],
        "indeterminate": count["indeterminate"],
        "errors": count["error"],
        "skipped": count["skipped"],
        "grader_version": __version__,
        "quotes": grading.quotes or None,
    }


def _case_results(grading: Grading) -> pa.Table | None:
    """Column by column: a dictionary a row takes several times as long for hundred thousands of them."""
    samples = grading.samples
    runs = [s.run for s in samples]
    number = len(samples)
    return _table(
        CASE_RESULTS,
        number,
        grading_id=[grading.id] * number,
        graded_at=[grading.started] * number,
        suite=[grading.suite.name] * number,
        case_name=[s.case for s in samples],
        case_hash=[s.case_hash for s in samples],
        run_id=[r.run_id for r in runs],
        trace_id=[r.trace_id for r in runs],
        tree_digest=[r.tree_digest for r in runs],
        inputs_hash=[s.inputs_hash for s in samples],
        traces=[r.traces for r in runs],
        jobs=[r.jobs for r in runs],
        evidence_at=[r.evidence_ns for r in runs],
        outcome=[s.outcome for s in samples],
        value=[s.value for s in samples],
        reason=[s.reason for s in samples],
        changed_because=[s.changed_because for s in samples],
        previous_outcome=[s.previous_outcome for s in samples],
        previous_grading=[s.previous_grading for s in samples],
        flags=[s.flags for s in samples],
    )


def _check_results(grading: Grading) -> pa.Table | None:
    samples = grading.samples
    results = [r for s in samples for r in s.results]
    number = len(results)
    return _table(
        CHECK_RESULTS,
        number,
        grading_id=[grading.id] * number,
        case_name=[s.case for s in samples for _ in s.results],
        run_id=[s.run.run_id for s in samples for _ in s.results],
        position=[r.position for r in results],
        name=[r.check for r in results],
        kind=[r.kind for r in results],
        outcome=[r.outcome for r in results],
        value=[r.value for r in results],
        severity=[r.severity for r in results],
        sentence=[r.sentence for r in results],
        spans=[r.spans for r in results],
        cost_usd=[r.cost_usd for r in results],
        seconds=[r.seconds for r in results],
        cached=[r.cached for r in results],
        quotes=[r.quotes or None for r in results],
    )


def _table(schema: pa.Schema, number: int, **columns: list[Any]) -> pa.Table | None:
    if not number:
        return None
    return pa.Table.from_arrays([pa.array(columns[f.name], f.type) for f in schema], schema=schema)
