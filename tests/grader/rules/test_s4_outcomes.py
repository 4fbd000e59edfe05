"""Limits, constraints and what an eval comes to: S4-7, S4-17, S4-18, S4-26, S4-27."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from collector.tree import Job
from grader.case import Check
from grader.checks.constraints_reach import digest_of
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.rules.evals import answering, evals, graded, judged, outcome, refused
from tests.grader.trees import captured, child, job, model_call


@pytest.mark.parametrize(("limit", "expected"), [(0.06, "pass"), (0.07, "pass"), (0.05, "fail"), (0, "fail")])
def test_S4_07_the_tree_costs_no_more(limit: float, expected: str) -> None:
    """Delegated jobs included; the limit itself is allowed, to the cent."""
    root = job(model_calls=[model_call(cost_usd=0.01)], jobs=[child("a", model_calls=[model_call(cost_usd=0.05)])])
    assert outcome({"max_cost_usd": limit}, root) == expected


@pytest.mark.parametrize(("limit", "expected"), [(30, "pass"), (29.9, "fail"), (31, "pass")])
def test_S4_07_the_job_takes_no_more(limit: float, expected: str) -> None:
    """The limit itself is allowed."""
    assert outcome({"max_seconds": limit}, job()) == expected


@pytest.mark.parametrize(
    ("expect", "root"),
    [
        ({"max_cost_usd": 1}, job(model_calls=[model_call(cost_usd=None)])),
        ({"max_cost_usd": 1}, job(capture=captured(model_calls="absent"))),
        ({"max_cost_usd": 1}, job(jobs=[child("a", capture=captured(model_calls="partial"))])),
        ({"max_seconds": 100}, job(ended=None)),
        ({"cel": "cost_usd < 1.0"}, job(model_calls=[model_call(cost_usd=None)])),
        ({"cel": "seconds < 100.0"}, job(ended=None)),
    ],
)
def test_S4_07_a_figure_that_was_not_captured_fails(expect: dict[str, Any], root: Job) -> None:
    """With the reason; it is never taken for nothing."""
    found = judged(expect, root)
    assert found.outcome == "fail"
    assert any(word in found.reason for word in ("not captured", "in part only", "do not say"))


@pytest.mark.parametrize("limit", [-1, "5", True])
@pytest.mark.parametrize("key", ["max_cost_usd", "max_seconds"])
def test_S4_07_limits_are_numbers(key: str, limit: Any) -> None:
    """From zero up."""
    assert key in refused({key: limit})


RULES = ["no personal data leaves the EU", "no discounts"]


def reaching(depth: Any = 1, rules: Any = RULES) -> dict[str, Any]:
    """A case as keywords of `evals`."""
    return {"case": {"constraints": rules, "expect": {"constraints_reach": depth}}}


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (["x"] * 21, "has 21 entries; allowed are 20"),
        (["x" * 501], "has 501 characters; allowed are 500"),
        (["a\nb"], "must be one line"),
        (["a\n"], "must be one line"),
        ([""], "must be a text, is empty"),
        ([5], "must be a text, is a number"),
        ("no discounts", "must be a list of texts"),
    ],
)
def test_S4_17_constraints_are_bounded(rules: Any, told: str) -> None:
    """Twenty of 500 characters, a line each."""
    assert told in refused({}, **reaching(rules=rules))


def test_S4_17_the_bounds_are_allowed() -> None:
    """And constraints without an expectation are the live runner's business, which is said."""
    assert len(evals({}, **reaching(rules=["x" * 500] * 20)).cases) == 1
    (notice,) = evals({}, case={"constraints": RULES}).cases[0].notices
    assert "constraints are given to a job when it starts" in notice


def chain(*carried: list[str] | None) -> Job:
    """A job with a job below it, and so on, carrying these."""
    below: list[Job] = []
    for depth in range(len(carried) - 1, 0, -1):
        below = [child(f"agent-{depth}", constraints=carried[depth], jobs=below)]
    return job(constraints=carried[0], jobs=below)


@pytest.mark.parametrize(
    ("carried", "depth", "expected"),
    [
        ([RULES], 0, "pass"),
        ([RULES], 1, "fail"),
        ([RULES, RULES], 1, "pass"),
        ([RULES, RULES], 2, "fail"),
        ([RULES, RULES, None], 1, "pass"),
        ([RULES, RULES, None], 2, "fail"),
        ([RULES, RULES[::-1]], 1, "fail"),
        ([RULES, RULES[:1]], 1, "fail"),
        ([RULES, [*RULES, "more"]], 1, "fail"),
        ([RULES, ["No discounts", RULES[1]]], 1, "fail"),
        ([None, RULES], 1, "fail"),
        ([None, None], 1, "fail"),
        ([[digest_of(RULES)], RULES], 1, "pass"),
        ([[digest_of(RULES[::-1])], RULES], 1, "fail"),
    ],
)
def test_S4_18_constraints_reach_every_job_down_to_a_depth(carried: Any, depth: int, expected: str) -> None:
    """Word for word or by their digest, in their order; jobs further down are not looked at."""
    assert outcome({"constraints_reach": depth}, chain(*carried), constraints=RULES) == expected


def test_S4_18_every_job_at_a_depth() -> None:
    """One of two that lost them fails the case; children nobody looks at need not be captured."""
    pair = [child("a", constraints=RULES, capture=captured(children="absent")), child("b", constraints=RULES)]
    root = job(constraints=RULES, jobs=pair)
    assert outcome({"constraints_reach": 1}, root, constraints=RULES) == "pass"
    pair[1].constraints = []
    assert outcome({"constraints_reach": 1}, root, constraints=RULES) == "fail"
    unknown = job(constraints=RULES, jobs=pair[:1], capture=captured(children="partial"))
    assert outcome({"constraints_reach": 1}, unknown, constraints=RULES) == "fail"


@pytest.mark.parametrize("depth", [-1, 9, 1.5, True, "2"])
def test_S4_18_a_depth_is_a_number_from_0_to_8(depth: Any) -> None:
    """Whole."""
    assert "constraints_reach" in refused({}, **reaching(depth))


@pytest.mark.parametrize("rules", [None, []])
def test_S4_18_a_reach_needs_constraints(rules: Any) -> None:
    """There would be nothing to reach."""
    assert "needs `constraints`" in refused({}, **reaching(rules=rules))


YES: dict[str, Any] = {"approvals": [{"what": "*", "decision": "approve"}]}


@dataclass(frozen=True)
class Breaking:
    """A check that cannot be carried out."""

    def decide(self, scene: Scene) -> Finding:
        """Breaks."""
        raise ZeroDivisionError(scene.job.id)


def verdict(threshold: Any, *passing: bool, tenant_gate: bool = False, expects: Any = None) -> tuple[str, str]:
    """Of an eval with a case for each of these."""
    head = {} if threshold is None else {"threshold": threshold}
    suite = evals(*(expects or [{}] * len(passing)), **head)
    runs = [answering(n, job(status="completed" if ok else "failed")) for n, ok in enumerate(passing, 1)]
    decision = graded(suite, *runs, tenant_gate=tenant_gate).decision
    return decision.verdict, decision.text


@pytest.mark.parametrize(
    ("threshold", "passing", "expected"),
    [
        (None, [True, True], "passed"),
        (None, [True, False], "failed"),
        (0.5, [True, False], "passed"),
        ("50%", [True, False], "passed"),
        (0.51, [True, False], "failed"),
        (0.9, [True] * 9 + [False], "passed"),
        (0.7, [True] * 7 + [False] * 3, "passed"),
        ("66.7%", [True, True, False], "failed"),
        (0, [False], "passed"),
        (1, [True], "passed"),
    ],
)
def test_S4_27_an_eval_passes_at_its_threshold(threshold: Any, passing: list[bool], expected: str) -> None:
    """The share reaches it, exactly; without one every case must pass."""
    assert verdict(threshold, *passing)[0] == expected


@pytest.mark.parametrize("threshold", [1.1, -0.1, 90, "90", "101%", True, [1]])
def test_S4_27_a_threshold_is_a_share(threshold: Any) -> None:
    """A number from 0 to 1, or a percentage."""
    assert "threshold" in refused({}, threshold=threshold)


def test_S4_27_a_case_without_a_run_fails() -> None:
    """With the reason; an eval of which no case has a run has no verdict."""
    suite = evals({}, {}, threshold=0.5)
    assert graded(suite, answering(1)).decision.verdict == "passed"
    found = graded(evals({}, {}), answering(1)).decision
    assert found.verdict == "failed"
    assert "'case 2': no run for this case" in found.text
    assert graded(suite).decision.exit_code == 2


def test_S4_27_every_run_of_a_case_must_pass() -> None:
    """A case is no better than its worst run."""
    runs = [answering(1), answering(1, job(status="failed"))]
    assert graded(evals({}), *runs).decision.verdict == "failed"


def test_S4_27_a_check_that_breaks_is_a_failure() -> None:
    """What could not be judged is no pass, and does not leave the eval without a verdict."""
    broken = Check(label="x", kind="x", position="1", primitive=Breaking(), severity="critical", unknown="fail")
    suite = evals({}, {}, threshold=0.5)
    cases = (replace(suite.cases[0], expect=(broken,)), suite.cases[1])
    assert graded(replace(suite, cases=cases), answering(1), answering(2)).decision.verdict == "passed"
    whole = replace(evals({}, {}), cases=cases)
    assert graded(whole, answering(1), answering(2)).decision.verdict == "failed"


def test_S4_26_skipped_cases_count_neither_way() -> None:
    """They are told, and without them the share is that of the others, whether they have a run or not."""
    found = verdict(None, False, True, tenant_gate=True, expects=[YES, {}])
    assert found == ("passed", "gate passed: 1 of 1 case passed, required 100%; 1 case skipped")
    assert verdict(None, True, False, tenant_gate=True, expects=[YES, {}])[0] == "failed"
    assert verdict(None, False, True, expects=[YES, {}])[0] == "failed"
    suite = evals({}, YES)
    assert graded(suite, answering(1), tenant_gate=True).decision.verdict == "passed"
    assert graded(suite, answering(1)).decision.verdict == "failed"


def test_S4_27_all_skipped_is_no_pass() -> None:
    """There is no share of nothing."""
    found = verdict(None, True, True, tenant_gate=True, expects=[YES, YES])
    assert found == ("not gateable", "gate not gateable: no case was graded; 2 cases skipped")
