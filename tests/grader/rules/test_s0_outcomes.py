"""S0, AgentLasso check lists: severity, score, outcome, older forms. Rules are numbered as in the reference of checks."""

from typing import Any

import orjson
import pytest

from grader.formats import agentlasso
from grader.report.formats.json import FORMAT as JSON
from grader.report.formats.junit import FORMAT as JUNIT
from grader.report.formats.text import FORMAT as TEXT
from grader.report.report_format import Page
from tests.grader.rules.vocabularies import REQUEST, TYPES, grade, lasso, outcomes, refused, sample
from tests.grader.trees import candidate, captured, job

HOLDS = {"type": "tool_called", "tool": "tool"}
FAILS = {"type": "tool_called", "tool": "missing"}
JUDGE = {"type": "llm_judge", "criterion": "States the amount"}
MINOR = {"severity": "minor"}


def verdict(*checks: Any, **case: Any) -> Any:
    """The gate's, over one run that calls `tool`."""
    return grade(lasso(*checks, **case), candidate(job("tool", input=REQUEST))).decision.verdict


@pytest.mark.parametrize(
    ("written", "severity"), [({}, "critical"), ({"severity": "critical"}, "critical"), (MINOR, "minor")]
)
def test_S0_23_severity_is_critical_unless_minor(written: Any, severity: str) -> None:
    """Where nothing is said, failing fails the case."""
    assert lasso(HOLDS | written).cases[0].expect[0].severity == severity


@pytest.mark.parametrize("written", ["major", "Minor", "", 1, True])
def test_S0_23_another_severity_is_refused(written: Any) -> None:
    """It would be unclear what failing means."""
    assert "severity" in refused(lasso, HOLDS | {"severity": written})


def test_S0_24_a_critical_failure_fails_the_case() -> None:
    """Whatever else holds."""
    assert sample(lasso(HOLDS, HOLDS, FAILS), "tool").outcome == "fail"
    assert verdict(HOLDS, HOLDS, FAILS) == "failed"


def test_S0_25_a_minor_failure_lowers_the_score_and_the_case_passes() -> None:
    """It is reported with its sentence."""
    found = sample(lasso(HOLDS, FAILS | MINOR), "tool")
    assert (found.outcome, found.value, found.results[1].outcome) == ("pass", 0.5, "fail")
    assert verdict(HOLDS, FAILS | MINOR) == "passed"


@pytest.mark.parametrize(
    ("checks", "score"),
    [
        ([HOLDS], 1.0),
        ([HOLDS, FAILS, FAILS | MINOR, HOLDS | MINOR], 0.5),
        ([HOLDS, FAILS, JUDGE], 0.5),
        ([FAILS | MINOR, JUDGE | MINOR], 0.0),
        ([JUDGE], None),
    ],
)
def test_S0_26_the_score_is_passed_over_evaluated(checks: Any, score: Any) -> None:
    """Unweighted; what has no verdict counts on neither side; nothing evaluated: no score."""
    assert sample(lasso(*checks), "tool").value == score


@pytest.mark.parametrize(
    ("checks", "outcome"),
    [
        ([HOLDS], "pass"),
        ([HOLDS, FAILS | MINOR, JUDGE | MINOR], "pass"),
        ([HOLDS, JUDGE], "indeterminate"),
        ([HOLDS, FAILS, JUDGE], "fail"),
        ([JUDGE | MINOR], "not_graded"),
    ],
)
def test_S0_27_a_pass_has_no_critical_check_failed_or_unverified(checks: Any, outcome: str) -> None:
    """And at least one check that was verified."""
    assert sample(lasso(*checks), "tool").outcome == outcome


@pytest.mark.parametrize("case", [{"checks": []}, {"checks": [], "checks_version": 1}, {"rubric": ["is friendly"]}])
def test_S0_28_no_checks_is_not_graded_and_out_of_the_pass_rate(case: Any) -> None:
    """Never a pass, alone or beside others, with or without a run."""
    suite = lasso(**case)
    assert sample(suite, "tool").outcome == "not_graded"
    alone = grade(suite, candidate(job("tool", input=REQUEST))).decision
    assert (alone.verdict, alone.cases[0].verdict) == ("not gateable", None)
    assert "not graded" in alone.cases[0].reason
    assert grade(suite).decision.cases[0].verdict is None


def test_S0_28_a_case_that_is_not_graded_hinders_no_other() -> None:
    """The rate is over the graded ones."""
    from pathlib import Path

    cases = [
        {"name": "a", "request": "A", "checks_version": 1, "checks": [HOLDS]},
        {"name": "b", "request": "B", "checks_version": 1, "checks": []},
    ]
    suite = agentlasso.read(Path("cases.json"), orjson.dumps({"cases": cases}).decode())
    decision = grade(suite, candidate(job("tool", input="A")), candidate(job(input="B"), id="run-2")).decision
    assert (decision.verdict, decision.reasons) == (
        "passed",
        ("1 of 1 graded case passed, required 100% (1 not graded)",),
    )


def test_S0_29_a_judge_without_a_verdict_is_not_graded_and_the_case_flagged() -> None:
    """A critical one keeps the case from passing; it is neither a pass nor a failure."""
    found = sample(lasso(HOLDS, JUDGE), "tool")
    assert ([r.outcome for r in found.results], found.outcome) == (["pass", "not_graded"], "indeterminate")
    assert list(found.flags) == ["partially_graded"]
    assert "States the amount" in found.reason
    assert verdict(HOLDS, JUDGE) == "not gateable"


def test_S0_29_a_minor_judge_without_a_verdict_is_flagged_and_the_case_passes() -> None:
    """The flag tells that not all was graded."""
    found = sample(lasso(HOLDS, JUDGE | MINOR), "tool")
    assert (found.outcome, list(found.flags)) == ("pass", ["partially_graded"])
    assert list(sample(lasso(JUDGE), "tool").flags) == ["partially_graded"]
    assert not sample(lasso(HOLDS), "tool").flags


def test_S0_30_sentences_of_older_cases_are_listed_and_never_graded() -> None:
    """They enter no score, no flag and no outcome."""
    found = sample(lasso(HOLDS, rubric=["states the refund amount", "is friendly"]), "tool")
    assert [(r.kind, r.outcome) for r in found.results] == [
        ("tool_called", "pass"), ("note", "not_graded"), ("note", "not_graded"),
    ]  # fmt: skip
    assert "states the refund amount" in found.results[1].sentence
    assert (found.outcome, found.value, list(found.flags)) == ("pass", 1.0, [])


def test_S0_31_older_forms_are_read_as_the_checks_they_mean() -> None:
    """Calls that are expected, and texts that are forbidden; all critical, text as plain text."""
    suite = lasso(expected_tool_calls=["tool", {"name": "other", "arguments": {}}], guardrails=["a.c", "guarantee"])
    kinds = [(c.kind, c.severity) for c in suite.cases[0].expect]
    assert kinds == [("tool_called", "critical")] * 2 + [("output_not_contains", "critical")] * 2
    assert outcomes(suite, "tool", reply="I GUARANTEE abc") == ["pass", "fail", "pass", "fail"]


@pytest.mark.parametrize("older", [{"expected_tool_calls": ["missing"]}, {"guardrails": ["done"]}])
def test_S0_31_older_forms_beside_checks_are_not_read(older: Any) -> None:
    """The checks stand in their place, and a notice says so; also where the list of checks is empty."""
    suite = lasso(HOLDS, **older)
    assert outcomes(suite, "tool") == ["pass"]
    assert f"{next(iter(older))} not read: `checks` stands in their place" in suite.cases[0].notices
    assert not lasso(checks=[], checks_version=1, **older).cases[0].expect
    assert len(lasso(**older).cases[0].expect) == 1


@pytest.mark.parametrize(
    "older", [{"expected_tool_calls": [{}]}, {"expected_tool_calls": 5}, {"guardrails": [""]}, {"rubric": [1]}]
)
def test_S0_31_older_forms_that_cannot_be_read_are_refused(older: Any) -> None:
    """Nothing is dropped silently."""
    assert next(iter(older)) in refused(lasso, **older)


@pytest.mark.parametrize("captures", [{}, {"tools": "absent", "reply": "absent"}])
@pytest.mark.parametrize("calls", [(), ("x",)])
def test_S0_32_every_result_has_a_sentence(captures: Any, calls: Any) -> None:
    """Whatever its type and outcome."""
    suite = lasso(*({"type": kind} | needs for kind, needs in TYPES.items()), rubric=["is friendly"])
    results = sample(suite, *calls, capture=captured(**captures)).results
    assert len(results) == len(TYPES) + 1
    assert all(len(r.sentence) > 10 for r in results)


@pytest.mark.parametrize("report", [TEXT, JSON, JUNIT], ids=["text", "json", "junit"])
def test_S0_04_32_every_report_has_ids_types_severities_flags_scores_and_notices(report: Any) -> None:
    """So that a pipeline sees what was graded."""
    suite = lasso({"id": "c1"} | HOLDS, {"id": "c2"} | FAILS | MINOR, {"id": "c3"} | JUDGE, tags=["x"])
    text = report.render([grade(suite, candidate(job("tool", input=REQUEST)))], Page(width=300))
    for word in (
        "c2",
        "tool_called",
        "minor",
        "missing was never called",
        "c3",
        "llm_judge",
        "partially_graded",
        "0.5",
    ):
        assert word in text
    assert "not read: " in text
    assert "tags" in text
