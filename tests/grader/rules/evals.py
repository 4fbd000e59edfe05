"""Short ways to write a case of an eval, and a run for it, in tests of rules."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from collector.tree import Approval, Job, SkillRead
from grader.case import Suite
from grader.formats.expectations import read
from grader.grading import Grading, grade_suite
from grader.inputs import NONE, Inputs
from grader.sample import Candidate, Sample, judge
from grader.syntax.mistakes import SuiteError
from tests.grader.trees import candidate, child, job

INPUT = "Refund order A-1234"
READ = SkillRead("support/refund-policy", spans=["5" * 16])


def evals(*expects: dict[str, Any], case: dict[str, Any] | None = None, **head: Any) -> Suite:
    """An eval with a case for each of these expectations; `case` adds to the first one."""
    cases = [{"name": f"case {n}", "input": f"{INPUT} {n}", "expect": e} for n, e in enumerate(expects, 1)]
    cases[0] |= case or {}
    return read(Path("eval.json"), orjson.dumps({"cases": cases} | head).decode())


def refused(*expects: dict[str, Any], **more: Any) -> str:
    """The mistakes of an eval that cannot be used."""
    with pytest.raises(SuiteError) as raised:
        evals(*expects, **more)
    return str(raised.value)


def judged(expect: dict[str, Any], root: Job | None = None, *, inputs: Inputs = NONE, **case: Any) -> Sample:
    """The case on one run."""
    return judge(evals(expect, case=case).cases[0], candidate(root), inputs)


def outcome(expect: dict[str, Any], root: Job | None = None, **case: Any) -> str:
    """What the case comes to: pass or fail, never anything else."""
    return judged(expect, root, **case).outcome


def answering(number: int, root: Job | None = None) -> Candidate:
    """A run for the case of that number; one that passes by completing unless said otherwise."""
    root = root or job()
    root.input = f"{INPUT} {number}"
    return candidate(root, id=f"run-{number}")


def graded(suite: Suite, *runs: Candidate, tenant_gate: bool = False) -> Grading:
    """The grading of these runs."""
    return grade_suite(suite, runs, id="g", now=0, inputs=Inputs(tenant_gate=tenant_gate))


def asked(tool: str | None = "support.refund", decision: Any = "approve", **more: Any) -> Approval:
    """A recorded approval by a person."""
    fields: dict[str, Any] = {"source": "human", "spans": ["b" * 16]}
    return Approval(tool, decision=decision, **(fields | more))


def tree(*below: Any, own: tuple[Any, ...] = (), **more: Any) -> Job:
    """A job with these calls of its own, and a child that makes the others."""
    return job(*own, jobs=[child("helper", *below, **more)])
