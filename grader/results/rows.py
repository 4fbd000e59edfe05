"""A grading as Arrow tables, ready to append in one transaction."""

from typing import Any

import pyarrow as pa

from collector import __version__
from grader.grading import Grading
from grader.sample import Sample

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
        "severity": pa.string(), "sentence": pa.string(), "spans": TEXTS,
    }
)  # fmt: skip


def tables(grading: Grading, *, suite_known: bool) -> dict[str, pa.Table]:
    """By table name; `suite_known`: this version of the suite is on record already."""
    found = {
        "grading.gradings": [_grading(grading)],
        "grading.case_results": [_case_result(grading, s) for s in grading.samples],
        "grading.check_results": [r for s in grading.samples for r in _check_results(grading, s)],
    }
    if not suite_known:
        found["grading.suites"] = [_suite(grading)]
    schemas = {
        "grading.suites": SUITES,
        "grading.gradings": GRADINGS,
        "grading.case_results": CASE_RESULTS,
        "grading.check_results": CHECK_RESULTS,
    }
    return {name: pa.Table.from_pylist(rows, schema=schemas[name]) for name, rows in found.items() if rows}


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
    }


def _case_result(grading: Grading, sample: Sample) -> dict[str, Any]:
    run = sample.run
    return {
        "grading_id": grading.id,
        "graded_at": grading.started,
        "suite": grading.suite.name,
        "case_name": sample.case,
        "case_hash": sample.case_hash,
        "run_id": run.run_id,
        "trace_id": run.trace_id,
        "tree_digest": run.tree_digest,
        "inputs_hash": sample.inputs_hash,
        "traces": list(run.traces),
        "jobs": run.jobs,
        "evidence_at": run.evidence_ns,
        "outcome": sample.outcome,
        "value": sample.value,
        "reason": sample.reason,
        "changed_because": sample.changed_because,
        "previous_outcome": sample.previous_outcome,
        "previous_grading": sample.previous_grading,
        "flags": list(sample.flags),
    }


def _check_results(grading: Grading, sample: Sample) -> list[dict[str, Any]]:
    return [
        {
            "grading_id": grading.id,
            "case_name": sample.case,
            "run_id": sample.run.run_id,
            "position": r.position,
            "name": r.check,
            "kind": r.kind,
            "outcome": r.outcome,
            "value": r.value,
            "severity": r.severity,
            "sentence": r.sentence,
            "spans": list(r.spans),
        }
        for r in sample.results
    ]
