"""The share of graded cases that passed."""

from collections import Counter
from typing import Any

import pytest

from grader.gate import CaseTally, GateDecision
from grader.gates.case_rate import CaseRate
from grader.shares import read_share


def decide(*cases: dict[str, int], least: str = "100%", **more: Any) -> GateDecision:
    tallies = [CaseTally(f"c{n}", Counter(c), **more) for n, c in enumerate(cases)]  # ty: ignore[invalid-argument-type]
    return CaseRate(least=read_share(least)).decide(tallies)


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ({"pass": 2}, "passed"),
        ({"pass": 2, "not_graded": 1}, "passed"),
        ({"pass": 1, "skipped": 1}, "passed"),
        ({"pass": 2, "fail": 1}, "failed"),
        ({"fail": 1, "error": 1}, "failed"),
        ({"pass": 1, "error": 1}, "not gateable"),
        ({"pass": 1, "indeterminate": 1}, "not gateable"),
        ({}, "not gateable"),
        ({"not_graded": 1}, None),
        ({"skipped": 1}, None),
    ],
)
def test_a_case_passes_where_every_run_of_it_does(counts: Any, verdict: Any) -> None:
    """A known failure stays one; no run is no pass; what was not graded counts nowhere."""
    assert decide(counts).cases[0].verdict == verdict


def test_a_case_with_nothing_to_grade_counts_nowhere() -> None:
    """Also where it has no run."""
    assert decide({}, verifies=False).cases[0].verdict is None
    assert decide({}, verifies=False).verdict == "not gateable"


@pytest.mark.parametrize(
    ("passed", "failed", "undecided", "verdict"),
    [
        (9, 1, 0, "passed"),
        (8, 2, 0, "failed"),
        (9, 0, 1, "passed"),
        (8, 0, 2, "not gateable"),
        (8, 1, 1, "not gateable"),
        (7, 2, 1, "failed"),
        (0, 0, 0, "not gateable"),
    ],
)
def test_what_is_undecided_counts_as_not_passed(passed: int, failed: int, undecided: int, verdict: str) -> None:
    """It fails the gate only where even its pass would not do."""
    cases = [{"pass": 1}] * passed + [{"fail": 1}] * failed + [{"indeterminate": 1}] * undecided
    assert decide(*cases, {"not_graded": 1}, least="90%").verdict == verdict


def test_the_reasons_name_the_cases() -> None:
    """And the rate, with what was left out."""
    decision = decide({"pass": 1}, {"fail": 1}, {"not_graded": 1})
    assert decision.reasons == ("'c1': 0 of 1 run passed", "1 of 2 graded cases passed, required 100% (1 not graded)")
