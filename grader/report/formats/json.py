"""JSON for programs: everything that the text report tells, and the spans of every result."""

from collections.abc import Sequence
from typing import Any

import orjson

from grader.grading import CaseReport, Grading
from grader.report.report_format import Format, Page, exit_code
from grader.sample import Sample


def render(gradings: Sequence[Grading], page: Page) -> str:  # noqa: ARG001
    """One object: the exit code, and a grading a suite."""
    content = {"exit_code": exit_code(gradings), "gradings": [_grading(g) for g in gradings]}
    return orjson.dumps(content, default=str, option=orjson.OPT_INDENT_2).decode() + "\n"


def _grading(grading: Grading) -> dict[str, Any]:
    decision = grading.decision
    return {
        "grading_id": grading.id,
        "suite": grading.suite.name,
        "suite_hash": grading.suite.hash,
        "format": grading.suite.format,
        "path": grading.suite.path,
        "gate": {
            "verdict": decision.verdict,
            "exit_code": decision.exit_code,
            "reasons": decision.reasons,
            "text": decision.text,
        },
        "runs": {"selected": grading.selected, "still_open": grading.still_open, "unmatched": grading.unmatched},
        "notices": grading.notices,
        "judges": None if grading.asked is None else grading.asked.tally.plain(),
        "cases": [_case(c, v.verdict, v.reason) for c, v in zip(grading.cases, decision.cases, strict=True)],
    }


def _case(report: CaseReport, verdict: str | None, reason: str) -> dict[str, Any]:
    return {
        "case": report.case.name,
        "case_hash": report.case.hash,
        "line": report.case.line,
        "policy": report.case.policy,
        "verdict": verdict,
        "reason": reason,
        "counts": dict(sorted(report.tally.outcomes.items())),
        "samples": [_sample(s) for s in report.samples],
    }


def _sample(sample: Sample) -> dict[str, Any]:
    return {
        "run_id": sample.run.run_id,
        "trace_id": sample.run.trace_id,
        "tree_digest": sample.run.tree_digest,
        "outcome": sample.outcome,
        "value": sample.value,
        "flags": list(sample.flags),
        "reason": sample.reason,
        "changed_because": sample.changed_because,
        "previous_outcome": sample.previous_outcome,
        "checks": [
            {
                "position": r.position,
                "check": r.check,
                "kind": r.kind,
                "outcome": r.outcome,
                "value": r.value,
                "severity": r.severity,
                "sentence": r.sentence,
                "spans": list(r.spans),
            }
            | ({} if r.cached is None else {"cost_usd": r.cost_usd, "seconds": r.seconds, "cached": r.cached})
            for r in sample.results
        ],
    }


FORMAT = Format(".json", render)
