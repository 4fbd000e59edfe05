"""Connic tests and runs for them, in a form short enough for a table."""

from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from ruamel.yaml import YAML

from collector.tree import Approval, Delegation, Evidence, Job, ToolCall
from grader.case import Suite
from grader.formats import connic
from grader.outcome import Outcome
from grader.sample import Candidate, Sample, judge
from grader.syntax.mistakes import SuiteError
from tests.grader.trees import SECOND, call, candidate, captured, job

DATA = Path(__file__).parents[2] / "data"
EXAMPLES = DATA / "vocabularies" / "connic"


def table(rule: str) -> list[dict[str, Any]]:
    """The rows of one rule: a test, a run, what comes of it, and words that the reason has."""
    return [row for row in rows() if row["rule"] == rule]


@cache
def rows() -> list[dict[str, Any]]:
    """The whole table."""
    return YAML(typ="safe").load((DATA / "rules" / "s3.yaml").read_text(encoding="utf-8"))


def of(rule: str) -> Any:
    """Parametrizes a test over the rows of one rule."""
    rows = table(rule)
    assert rows
    return pytest.mark.parametrize("row", rows, ids=[f"{n}-{row['outcome']}" for n, row in enumerate(rows)])


def suite(test: dict[str, Any] | None = None, **file: Any) -> Suite:
    """A file with this one test."""
    content = {"version": "1.0", "agent": "support", "tests": [{"name": "t", "payload": "hello"} | (test or {})]} | file
    return connic.read(Path("support.yaml"), orjson.dumps(content).decode())


def refused(test: dict[str, Any] | None = None, **file: Any) -> str:
    """The mistakes of a file that cannot be used."""
    with pytest.raises(SuiteError) as raised:
        suite(test, **file)
    return str(raised.value)


def judged(test: dict[str, Any], run: dict[str, Any], **file: Any) -> Sample:
    """The test on a run."""
    return judge(suite(test, **file).cases[0], recorded(run))


def holds(row: dict[str, Any]) -> None:
    """The row's outcome, and its words in the reason (of a pass: in some sentence)."""
    found = judged(row.get("test", {}), row.get("run", {}))
    said = " | ".join(r.sentence for r in found.results)
    assert found.outcome == row["outcome"], said
    assert all(word in said for word in row.get("says", [])), said


def outcomes(test: dict[str, Any], run: dict[str, Any]) -> list[Outcome]:
    """Of each check."""
    return [r.outcome for r in judged(test, run).results]


def recorded(run: dict[str, Any], **more: Any) -> Candidate:
    """A stored run from its short form."""
    return candidate(tree(run), **more)


def tree(run: dict[str, Any], number: int = 0) -> Job:
    """A job from its short form: `calls`, `children`, `approvals`, `lost` (kinds not captured), else fields of a job."""
    facts = dict(run)
    calls = [_call(c) for c in facts.pop("calls", [])]
    children = [_child(c, n) for n, c in enumerate(facts.pop("children", []))]
    approvals = [_approval(a, n) for n, a in enumerate(facts.pop("approvals", []))]
    lost: dict[str, Evidence] = dict.fromkeys(facts.pop("lost", []), "absent")
    facts = {"id": f"job-{number}", "capture": captured(**lost)} | facts
    return job(*calls, jobs=children, approvals=approvals, **facts)


def _call(said: Any) -> ToolCall:
    """A name, or [name, arguments] or [name, arguments, fields of a call]."""
    if isinstance(said, str):
        return call(said, {})
    name, arguments, *more = said
    return call(name, arguments, **(more[0] if more else {}))


def _child(said: dict[str, Any], number: int) -> Job:
    facts = {"mode": "waited"} | said
    edge: dict[str, Any] = {k: facts.pop(k) for k in ("mode", "payload", "call_id", "tool") if k in facts}
    known = "present" if "payload" in edge else "absent"
    facts = {"started": (110 + number) * SECOND, "via": "tool"} | facts
    made = tree(facts, number + 1)
    made.delegation = Delegation(payload_capture=known, **edge)
    return made


def _approval(said: list[Any], number: int) -> Approval:
    """[tool, decision] or [tool, decision, arguments]."""
    tool, decision, *more = said
    shown = more[0] if more else {}
    return Approval(tool, decision=decision, requested_arguments=shown, requested_at=number + 1, spans=["b" * 16])
