"""Short ways to write a foreign case, and a run for it, in tests of rules."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from ruamel.yaml import YAML

from grader.case import Suite
from grader.formats import agentlasso, scenario
from grader.grading import Grading, grade_suite
from grader.outcome import Outcome
from grader.sample import Candidate, Sample, judge
from grader.syntax.mistakes import SuiteError
from tests.grader.trees import call, candidate, job

VOCABULARIES = Path(__file__).parents[2] / "data" / "vocabularies"
REQUEST = "Refund order A-1234"

TYPES: dict[str, dict[str, Any]] = {
    "tool_called": {"tool": "x"},
    "tool_not_called": {"tool": "x"},
    "tool_order": {"tools": ["x"]},
    "output_contains": {"value": "x"},
    "output_not_contains": {"value": "x"},
    "output_valid_json": {},
    "llm_judge": {"criterion": "x"},
}
"""The types of an AgentLasso check, each with what it needs."""


def rows(rule: str) -> list[list[Any]]:
    """Of the table of AgentLasso checks: those of one rule."""
    table = YAML(typ="safe").load((VOCABULARIES.parent / "rules" / "s0.yaml").read_text(encoding="utf-8"))
    return [row for row in table if row[0] == rule]


def told(row: list[Any]) -> str:
    """The name of a row among the tests."""
    return f"{row[1]['type']}-{row[4]}"


def holds(row: list[Any]) -> None:
    """The check comes to that outcome on that run, and its sentence has those words."""
    _, check, calls, reply, outcome, *words = row
    found = only(lasso(check), *calls, reply=reply)
    assert found[0] == outcome
    assert all(word in found[1] for word in words)


def lasso(*checks: Any, **case: Any) -> Suite:
    """One AgentLasso case with these checks; without any, only what the case says."""
    listed = {"checks_version": 1, "checks": list(checks)} if checks else {}
    content = {"name": "refund", "request": REQUEST} | listed | case
    return agentlasso.read(Path("case.json"), orjson.dumps(content).decode())


def scenarios(*assertions: Any, **definition: Any) -> Suite:
    """One scenario check with these pass conditions over one scenario, unless said otherwise."""
    content = {"name": "check", "scenarios": [{"id": "a", "input": "A"}], "assertions": list(assertions)} | definition
    return scenario.read(Path("check.json"), orjson.dumps(content).decode())


def refused(make: Any, *arguments: Any, **more: Any) -> str:
    """The mistakes of a definition that cannot be used."""
    with pytest.raises(SuiteError) as raised:
        make(*arguments, **more)
    return str(raised.value)


def sample(suite: Suite, *calls: Any, **more: Any) -> Sample:
    """The suite's first case on a run with these calls."""
    return judge(suite.cases[0], candidate(job(*calls, **more)))


def outcomes(suite: Suite, *calls: Any, **more: Any) -> list[Outcome]:
    """Of each check."""
    return [r.outcome for r in sample(suite, *calls, **more).results]


def only(suite: Suite, *calls: Any, **more: Any) -> tuple[Outcome, str]:
    """Outcome and sentence of the one check of a case."""
    (result,) = sample(suite, *calls, **more).results
    return result.outcome, result.sentence


def grade(suite: Suite, *runs: Candidate, **more: Any) -> Grading:
    """The grading of these runs."""
    return grade_suite(suite, runs, id="g", now=0, **more)


def states(*names: Any) -> list[Any]:
    """A call of `tool` in each of these states."""
    return [call("tool", state=name) for name in names]
