"""One case on one run."""

import dataclasses
from typing import Any

import pytest

from grader.checks.constant import Constant
from grader.outcome import Finding, Result
from grader.sample import conclude, judge, run_check
from grader.scene import Scene
from tests.grader.suites import suite
from tests.grader.trees import call, candidate, captured, job, model_call


def result(outcome: Any, severity: Any = "critical") -> Result:
    return Result("check", "called", "1", outcome, None, severity, "sentence")


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        (["pass", "pass"], "pass"),
        (["pass", "error", "fail", "indeterminate"], "fail"),
        (["pass", "indeterminate", "error"], "error"),
        (["pass", "indeterminate"], "indeterminate"),
        (["pass", "not_graded"], "indeterminate"),
        ([], "not_graded"),
    ],
)
def test_a_known_failure_stays_one_and_only_a_pass_is_a_pass(outcomes: Any, expected: Any) -> None:
    """Fail over error over undecided over pass; nothing decided is no pass."""
    assert conclude([result(o) for o in outcomes])[0] == expected


def test_minor_failures_lower_the_score_alone() -> None:
    """The case may pass; the value is passed / (passed + failed)."""
    assert conclude([result("pass"), result("fail", "minor")]) == ("pass", 0.5)
    assert conclude([result("indeterminate", "minor")])[0] == "not_graded"


class Broken:
    """A check with a fault."""

    def decide(self, scene: Scene) -> Finding:  # noqa: ARG002
        raise ZeroDivisionError("secret argument")


def test_a_check_that_breaks_is_an_error_and_the_others_go_on() -> None:
    """The sentence says where, without the data on which it did."""
    case = suite("  - {name: a, expect: [{called: f}, {called: g}]}\n").cases[0]
    broken = dataclasses.replace(case.expect[0], primitive=Broken())
    sample = judge(dataclasses.replace(case, expect=(broken, case.expect[1])), candidate(job("g")))
    assert [r.outcome for r in sample.results] == ["error", "pass"]
    assert sample.outcome == "error"
    assert "ZeroDivisionError" in sample.results[0].sentence
    assert "secret" not in sample.results[0].sentence
    assert run_check(broken, Scene(candidate().run))[0] is None


POLICY = "  - {name: p, when: {called: refund}, expect: [{every: refund, preceded_by: lookup}]}\n"


def test_where_when_is_not_met_the_policy_counts_nowhere() -> None:
    """Not applicable is `skipped`, with the reason."""
    sample = judge(suite(POLICY).cases[0], candidate(job("other")))
    assert sample.outcome == "skipped"
    assert "refund was never called" in sample.reason


def test_an_unknown_when_is_undecided() -> None:
    """Whether the policy applies is not known, so it neither passes nor counts nowhere."""
    sample = judge(suite(POLICY).cases[0], candidate(job(capture=captured(tools="absent"))))
    assert sample.outcome == "indeterminate"


def test_when_met_the_checks_decide() -> None:
    """Both outcomes."""
    case = suite(POLICY).cases[0]
    assert judge(case, candidate(job("lookup", "refund"))).outcome == "pass"
    assert judge(case, candidate(job("refund"))).outcome == "fail"


def test_a_broken_when_is_an_error() -> None:
    """It is the check that failed, not the agent."""
    case = suite(POLICY).cases[0]
    broken = dataclasses.replace(case, when=(dataclasses.replace(case.when[0], primitive=Broken()),))
    assert judge(broken, candidate()).outcome == "error"


@pytest.mark.parametrize("unknown", ["indeterminate", "fail", "error"])
def test_the_suites_policy_maps_what_is_unknown(unknown: str) -> None:
    """The same finding, three outcomes; none of them a pass."""
    case = suite("  - {name: a, expect: [{not_called: f}]}\n", f"unknown: {unknown}").cases[0]
    assert judge(case, candidate(job(capture=captured(tools="absent")))).outcome == unknown


def test_a_sample_keeps_what_is_needed_to_tell_changes() -> None:
    """Traces, number of jobs and digest, not the tree."""
    found = candidate(job(call("f"), jobs=[job(id="below")])).facts()
    assert (found.run_id, found.traces, found.jobs) == ("run-1", ("t" * 32,), 2)


def test_what_every_run_needs_counts_in_no_score_and_shows_where_it_is_missing() -> None:
    """A known failure stays one."""
    case = suite("  - {name: a, expect: [{called: f}]}\n").cases[0]
    met, missing = (
        dataclasses.replace(
            case.expect[0], label="need", unknown="error", primitive=Constant(truth=t, sentence="needed")
        )
        for t in (True, None)
    )
    with_need = dataclasses.replace(case, needs=(met,))
    assert [r.check for r in judge(with_need, candidate(job("f"))).results] == ["called f"]
    without = dataclasses.replace(case, needs=(missing,))
    assert (judge(without, candidate(job("f"))).outcome, judge(without, candidate(job("f"))).value) == ("error", 1.0)
    assert judge(without, candidate(job())).outcome == "fail"


def test_a_check_without_a_verdict_flags_the_sample_and_a_note_does_not() -> None:
    """Also where nothing else was graded."""
    case = suite("  - {name: a, expect: [{called: f}]}\n").cases[0]
    judged = dataclasses.replace(
        case.expect[0], kind="judge", unknown="not_graded", primitive=Constant(truth=None, sentence="no judge")
    )
    for expect in ((judged,), (judged, case.expect[0])):
        found = judge(dataclasses.replace(case, expect=expect), candidate(job("f")))
        assert (found.outcome, list(found.flags), found.reason) == ("indeterminate", ["partially_graded"], "no judge")
    note = dataclasses.replace(judged, kind="note", severity="minor")
    assert not judge(dataclasses.replace(case, expect=(note, case.expect[0])), candidate(job("f"))).flags


def test_the_reason_is_what_decided() -> None:
    """Not what is minor; and a sample that was not graded says why."""
    case = suite("  - {name: a, expect: [{called: f, severity: minor}, {called: g}]}\n").cases[0]
    assert judge(case, candidate(job())).reason == "g was never called; the agent called no tool"
    assert judge(dataclasses.replace(case, expect=()), candidate(job())).reason == "the case has no checks"
    noted = suite("  - {name: a, expect: [{note: n}]}\n").cases[0]
    assert judge(noted, candidate(job())).reason == "none of its checks was decided"


@pytest.mark.parametrize(
    ("first", "outcomes"),
    [("refund", ["pass", "pass", "pass"]), ("lookup", ["fail", "fail", "fail"])],
)
def test_a_failed_check_spares_those_that_cost(first: str, outcomes: Any) -> None:
    """They are not asked, and count as failed with the value 0; the order of the results stands."""
    case = suite(f"  - {{name: c, expect: [{{called: refund}}, {{called: {first}}}, {{called: refund}}]}}\n").cases[0]
    spared, breaks, also = case.expect
    checks = (
        dataclasses.replace(spared, circuit="spared"),
        dataclasses.replace(breaks, circuit="breaks"),
        dataclasses.replace(also, circuit="spared"),
    )
    sample = judge(dataclasses.replace(case, expect=checks), candidate(job("refund")))
    assert [r.outcome for r in sample.results] == outcomes
    if first == "lookup":
        assert (
            sample.results[0].sentence == "not asked, since called lookup failed (short_circuit); it counts as failed"
        )
        assert sample.results[0].value == 0.0


@pytest.mark.parametrize(
    ("costs", "state", "cost"),
    [([0.25, 0.5], "present", 0.75), ([], "present", 0), ([0.25, None], "present", None), ([0.25], "absent", None)],
)
def test_a_run_costs_what_all_its_model_calls_say(costs: Any, state: Any, cost: Any) -> None:
    """A call without a cost, or calls that were not captured, leave it unknown and never 0."""
    calls = [model_call(cost_usd=c) for c in costs]
    facts = candidate(job(model_calls=calls, capture=captured(model_calls=state))).facts()
    assert facts.cost_usd == cost
