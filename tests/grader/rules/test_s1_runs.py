"""S1, scenario checks: samples, scenarios and the run. Rules are numbered as in the reference of checks."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.tree import Capture
from grader.gate import CaseTally
from grader.gates.scenario_runs import ScenarioRuns
from grader.outcome import Finding, Result
from grader.sample import conclude, judge
from grader.scene import Scene
from grader.shares import Share
from tests.grader.rules.vocabularies import grade, scenarios
from tests.grader.trees import candidate, captured, job

REQUIRED = {"type": "tool_called", "tool": "tool"}
P, F, U, E = "pass", "fail", "indeterminate", "error"


def run(samples: dict[str, list[str]], *, asked: int = 1, minimum: int = 1, rate: float = 100) -> str:
    """The run's result, over scenarios with these samples."""
    gate = ScenarioRuns(samples=asked, minimum=minimum, rate=Share(round(rate * 10), 1000, f"{rate:g}%"))
    decision = gate.decide([CaseTally(n, Counter(found)) for n, found in samples.items()])  # ty: ignore[invalid-argument-type]
    word = decision.reasons[0].removeprefix("run ").split(":")[0]
    expected = {"Pass": "passed", "Fail": "failed", "Indeterminate": "not gateable", "Error": "not gateable"}
    assert decision.verdict == expected[word]
    return word


def test_S1_14_a_run_is_scenarios_times_samples() -> None:
    """What was not recorded counts as errored, so one of four samples leaves three."""
    suite = scenarios(REQUIRED, scenarios=[{"id": n, "input": n} for n in "ab"], samplesPerScenario=2)
    decision = grade(suite, candidate(job("tool", input="a"))).decision
    assert decision.verdict == "not gateable"
    assert "(1 not recorded)" in decision.cases[0].reason
    assert "(2 not recorded: no run for this case" in decision.cases[1].reason


def test_S1_16_each_scenario_is_held_to_rate_and_minimum_on_its_own() -> None:
    """One healthy scenario cannot hide another."""
    assert run({"a": [P] * 5, "b": [P, F]}, asked=2, rate=80) == "Fail"
    assert run({"a": [P] * 5, "b": [P]}, asked=2, minimum=2) == "Indeterminate"


@pytest.mark.parametrize("outcome", [P, F, U, E])
def test_S1_19_a_condition_has_four_outcomes(outcome: str) -> None:
    """Pass, Fail, Indeterminate, Error: the last where the check itself breaks."""
    import dataclasses

    class Broken:
        def decide(self, scene: Scene) -> Finding:  # noqa: ARG002
            raise ZeroDivisionError

    (case,) = scenarios(REQUIRED).cases
    if outcome == E:
        case = dataclasses.replace(case, expect=(dataclasses.replace(case.expect[0], primitive=Broken()),))
    capture = captured(tools="absent") if outcome == U else captured()
    found = judge(case, candidate(job(*(["tool"] if outcome == P else []), capture=capture)))
    assert ([r.outcome for r in found.results], found.outcome) == ([outcome], outcome)


@pytest.mark.parametrize(
    ("conditions", "outcome"),
    [([P, F, E, U], F), ([P, E, U], E), ([P, U], U), ([P, P], P), ([U, F], F), ([E, F], F)],
)
def test_S1_20_a_sample_is_the_first_present_of_fail_error_indeterminate_pass(conditions: Any, outcome: str) -> None:
    """A known failure stays one although another condition cannot complete."""
    results = [Result("c", "tool_called", "1", o, None, "critical", "s") for o in conditions]
    assert conclude(results)[0] == outcome


@pytest.mark.parametrize(
    ("samples", "asked", "result"),
    [
        ({"a": [E]}, 1, "Error"),
        ({"a": [E, E], "b": [E]}, 2, "Error"),
        ({"a": [], "b": []}, 3, "Error"),
        ({"a": [E], "b": [U]}, 1, "Indeterminate"),
        ({"a": [E], "b": [F]}, 1, "Fail"),
    ],
)
def test_S1_21_rule_1_every_sample_errored(samples: Any, asked: int, result: str) -> None:
    """All of them, those that nobody recorded included."""
    assert run(samples, asked=asked) == result


@pytest.mark.parametrize(
    ("samples", "minimum", "rate", "result"),
    [
        ([P, P, F], 1, 66.7, "Fail"),
        ([P, P, F], 1, 66.6, "Pass"),
        ([P, F], 1, 50, "Pass"),
        ([P, F], 1, 50.1, "Fail"),
        ([F, E, U], 3, 1, "Fail"),
        ([P, E, E], 1, 100, "Pass"),
        ([P, U, U], 1, 100, "Pass"),
    ],
)
def test_S1_22_rule_2_a_rate_below_the_threshold_fails(samples: Any, minimum: int, rate: float, result: str) -> None:
    """Of determinate samples; equality passes; also below the minimum."""
    assert run({"a": samples}, asked=3, minimum=minimum, rate=rate) == result


def test_S1_22_rates_are_compared_exactly() -> None:
    """7 of 10 at 70 % pass, though 0.7 is no binary number."""
    suite = scenarios(REQUIRED, samplesPerScenario=10, requiredPassRate=70)
    runs = [candidate(job(*(["tool"] if n < 7 else []), input="A"), id=str(n)) for n in range(10)]
    assert grade(suite, *runs).decision.verdict == "passed"
    assert grade(suite, *runs[1:]).decision.verdict == "failed"


@pytest.mark.parametrize(
    ("samples", "minimum", "result"),
    [
        ([P, P, U], 3, "Indeterminate"),
        ([P, P, U], 2, "Pass"),
        ([U, U, U], 1, "Indeterminate"),
        ([U, E, E], 1, "Indeterminate"),
    ],
)
def test_S1_23_rule_3_too_few_determinate_samples(samples: Any, minimum: int, result: str) -> None:
    """None at all leaves the rate undefined, which fails nothing and passes nothing."""
    assert run({"a": samples}, asked=3, minimum=minimum) == result


def test_S1_24_rule_4_otherwise_it_passes() -> None:
    """Every scenario reached its rate and its minimum."""
    assert run({"a": [P, P], "b": [P, E]}, asked=2) == "Pass"


@pytest.mark.parametrize(
    ("samples", "result"),
    [({"a": [E], "b": [P]}, "Indeterminate"), ({"a": [E], "b": [F]}, "Fail"), ({"a": [U], "b": [U]}, "Indeterminate")],
)
def test_S1_25_an_errored_scenario_beside_another(samples: Any, result: str) -> None:
    """The run errs only where every sample did; a failure elsewhere stays one."""
    assert run(samples) == result


def test_S1_26_errored_and_indeterminate_samples_stay_visible_out_of_the_rate() -> None:
    """The reason counts them, and the grading has them."""
    suite = scenarios(REQUIRED, samplesPerScenario=3, requiredPassRate=50)
    runs = [
        candidate(job("tool", input="A"), id="r1"),
        candidate(job(input="A", capture=captured(tools="absent")), id="r2"),
    ]
    grading = grade(suite, *runs)
    assert [s.outcome for s in grading.samples] == ["pass", "indeterminate"]
    assert "1 of 1 determinate sample passed" in grading.decision.cases[0].reason
    assert "(1 indeterminate, 1 not recorded)" in grading.decision.cases[0].reason


def test_S1_27_a_run_without_its_root_span_is_an_error() -> None:
    """A failure that is known all the same stays one; a run without a span above it is none."""
    suite = scenarios({"type": "tool_not_called", "tool": "tool"})
    cut = captured() | {"children": Capture("partial", ["parent_missing"])}
    lost = [judge(suite.cases[0], candidate(job(*c, synthetic=True, capture=cut))) for c in ([], ["tool"])]
    assert [s.outcome for s in lost] == ["error", "fail"]
    assert "root span" in lost[0].reason
    assert judge(suite.cases[0], candidate(job(synthetic=True))).outcome == "pass"
    assert judge(suite.cases[0], candidate(job(synthetic=True))).value == 1.0


def test_S1_27_no_run_at_all_is_an_error() -> None:
    """Nothing was found for any scenario."""
    decision = grade(scenarios(REQUIRED)).decision
    assert (decision.verdict, decision.exit_code) == ("not gateable", 2)
    assert decision.reasons[0] == "run Error: every sample errored (1 of 1)"


def test_S1_15_more_than_ten_runs_are_refused_unless_the_newest_are_asked_for() -> None:
    """The limit is on the samples of one run of the check; a later run does not wash out an earlier failure by itself."""
    suite = scenarios(REQUIRED, samplesPerScenario=2)
    runs = [candidate(job(*(["tool"] if n >= 9 else []), input="A"), id=f"r{n:02}") for n in range(11)]
    refused = grade(suite, *runs).decision
    assert (refused.verdict, "--latest" in refused.reasons[0]) == ("not gateable", True)
    latest = grade(suite, *runs, latest=True)
    assert ([s.run.run_id for s in latest.samples], latest.decision.verdict) == (["r09", "r10"], "passed")
    assert grade(suite, *runs[:10]).decision.verdict == "failed"


@given(
    st.lists(st.lists(st.sampled_from([P, F, U, E]), max_size=3), min_size=1, max_size=3),
    st.integers(1, 3),
    st.integers(1, 100),
)
def test_S1_21_to_24_the_rules_hold_for_every_run(samples: list[list[str]], minimum: int, rate: int) -> None:
    """Whatever the samples: written out once more as the source says them."""
    asked = 3
    named = {str(n): found for n, found in enumerate(samples)}
    padded = [found + [E] * (asked - len(found)) for found in samples]
    passed = [(found.count(P), found.count(P) + found.count(F)) for found in padded]
    if all(outcome == E for found in padded for outcome in found):
        expected = "Error"
    elif any(whole and part * 100 < rate * whole for part, whole in passed):
        expected = "Fail"
    elif any(whole < minimum for _, whole in passed):
        expected = "Indeterminate"
    else:
        expected = "Pass"
    assert run(named, asked=asked, minimum=minimum, rate=rate) == expected
