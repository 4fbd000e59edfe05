"""S3, Connic tests: runs against a threshold, and the exit code that follows."""

from typing import Any

import pytest

from grader.grading import Grading, grade_suite
from tests.grader.rules.connic_runs import recorded, suite


def graded(test: dict[str, Any], passed: int, failed: int) -> Grading:
    """One test, so many runs."""
    replies = ["yes"] * passed + ["no"] * failed
    runs = [recorded({"reply": reply}, id=f"r{n}") for n, reply in enumerate(replies)]
    return grade_suite(suite({"expected_result": '"yes" in output'} | test), runs, id="g", now=0)


@pytest.mark.parametrize(
    ("runs", "threshold", "passed", "failed", "verdict"),
    [
        (1, 100, 1, 0, "passed"),
        (1, 100, 0, 1, "failed"),
        (3, 100, 2, 1, "failed"),
        (3, 66, 2, 1, "passed"),
        (3, 66.6, 2, 1, "passed"),
        (3, 67, 2, 1, "failed"),
        (5, 80, 4, 1, "passed"),
        (5, 80, 3, 2, "failed"),
        (100, 1, 1, 99, "passed"),
        (1, 50, 2, 2, "passed"),
        (1, 50, 1, 2, "failed"),
    ],
)
def test_S3_45_enough_runs_passed(runs: int, threshold: float, passed: int, failed: int, verdict: str) -> None:
    """The share is exact, and what was recorded beyond the number asked for counts as well."""
    decision = graded({"runs": runs, "success_threshold": threshold}, passed, failed).decision
    assert decision.verdict == verdict
    assert f"{passed} of {passed + failed} run" in decision.cases[0].reason


@pytest.mark.parametrize(
    ("passed", "failed", "verdict"),
    [
        (3, 0, "passed"),
        (3, 1, "passed"),
        (2, 0, "not gateable"),
        (2, 2, "not gateable"),
        (0, 3, "failed"),
        (1, 2, "not gateable"),
    ],
)
def test_S3_45_runs_that_were_not_recorded(passed: int, failed: int, verdict: str) -> None:
    """Of five asked for at 60 %: decided only where the missing ones could not change it."""
    decision = graded({"runs": 5, "success_threshold": 60}, passed, failed).decision
    assert decision.verdict == verdict
    if verdict == "not gateable":
        assert f"{5 - passed - failed} not recorded" in decision.text


@pytest.mark.parametrize(("passed", "failed", "code"), [(1, 0, 0), (0, 1, 1), (0, 0, 2)])
def test_S3_46_exit_codes(passed: int, failed: int, code: int) -> None:
    """Passed, failed, and nothing to decide by."""
    assert graded({}, passed, failed).decision.exit_code == code


def test_S3_46_one_failed_test_fails_the_file() -> None:
    """Each against its own threshold."""
    tests = [{"name": n, "payload": n, "expected_result": f'"{n}" in output'} for n in ("a", "b")]
    runs = [recorded({"input": n, "reply": "a"}, id=n) for n in ("a", "b")]
    grading = grade_suite(suite(tests=tests), runs, id="g", now=0)
    assert [c.verdict for c in grading.decision.cases] == ["passed", "failed"]
    assert grading.decision.exit_code == 1


def test_S3_46_a_run_that_could_be_either_test_decides_neither() -> None:
    """Two tests with the same payload need the test's name on the run."""
    tests = [{"name": n, "payload": "x"} for n in ("a", "b")]
    grading = grade_suite(suite(tests=tests), [recorded({"input": "x"})], id="g", now=0)
    assert grading.decision.exit_code == 2
    assert "1 not decided" in grading.decision.text
    named = [recorded({"input": "x"}, id=n, case_name=n) for n in ("a", "b")]
    assert grade_suite(suite(tests=tests), named, id="g", now=0).decision.exit_code == 0
