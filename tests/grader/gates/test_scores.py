"""A gate over scores."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.gate import CaseTally
from grader.gates.scores import Scores
from grader.outcome import Result
from grader.sample import Sample, conclude
from grader.shares import read_rate
from tests.grader.trees import candidate

OUTCOMES = ("pass", "fail", "error", "indeterminate", "not_graded")


def result(outcome: Any, value: float | None = None, check: str = "c") -> Result:
    known = {"pass": 1.0, "fail": 0.0}.get(outcome) if value is None else value
    return Result(check, "exact", "1", outcome, known, "critical", f"it came to {outcome}")


def tally(name: str, *results: Result, runs: int = 1) -> CaseTally:
    """A sample with that many runs, each with these scores."""
    made = CaseTally(name)
    outcome, value = conclude(results)
    sample = Sample(name, "", candidate().facts(), outcome, value, "", results)
    made.samples = [sample] * runs
    made.outcomes.update([outcome] * runs)
    return made


def test_rates_are_exact() -> None:
    """Nine of ten are 0.9; the mean of one, two and three thirds is two thirds."""
    ten = [tally(f"s{n}", result("pass" if n else "fail")) for n in range(10)]
    assert Scores(checks=("c",), min_pass_rate=read_rate(0.9)).decide(ten).verdict == "passed"
    assert Scores(checks=("c",), min_pass_rate=read_rate(0.901)).decide(ten).verdict == "failed"
    thirds = [tally("s", *(result("pass", v) for v in (1 / 3, 2 / 3, 1.0)))]
    assert Scores(checks=("c",), min_mean=read_rate(0.6667)).decide(thirds).verdict == "failed"
    assert Scores(checks=("c",), min_mean=read_rate(0.6666)).decide(thirds).verdict == "passed"


def test_the_reason_tells_the_share_and_what_was_required() -> None:
    """A person reads what is missing."""
    decision = Scores(checks=("c",), min_pass_rate=read_rate(0.9)).decide([tally("s", result("pass"), result("fail"))])
    assert decision.text == "gate failed: 1 of 2 scores passed (50%), required 0.9"
    assert decision.exit_code == 1


def test_errors_are_told_with_the_first_of_them() -> None:
    """The person learns where to look."""
    decision = Scores(checks=("c",)).decide([tally("s", result("pass"), result("error"))])
    assert decision.text == ("gate failed: 1 of 2 scores could not be made (first 's': it came to error), allowed 0")


def test_a_check_with_a_minimum_that_was_never_scored_decides_nothing() -> None:
    """Errors within their budget leave it without a mean."""
    gate = Scores(checks=("c", "d"), min_mean_of=(("d", read_rate(0.5)),), max_error_rate=read_rate(1))
    decision = gate.decide([tally("s", result("pass"), result("error", check="d"))])
    assert (decision.verdict, decision.text) == ("not gateable", "gate not gateable: d was never scored")


def test_a_sample_that_could_not_be_judged_has_an_error_for_each_check() -> None:
    """An ambiguous run has no scores at all."""
    lost = tally("s")
    lost.samples = [Sample("s", "", candidate().facts(), "indeterminate", None, "ambiguous")]
    decision = Scores(checks=("c", "d"), max_error_rate=read_rate(0.5)).decide([lost, tally("t", result("pass"))])
    assert "2 of 3 scores could not be made (first 's': ambiguous)" in decision.text


@pytest.mark.parametrize(
    ("samples", "verdicts"),
    [
        ([("s", "pass")], ["passed"]),
        ([("s", "pass"), ("t", "fail")], ["passed", "failed"]),
        ([("s", "fail"), ("t", "error")], ["failed", "not gateable"]),
    ],
)
def test_a_failed_gate_shows_which_samples_failed(samples: Any, verdicts: Any) -> None:
    """One that could not be scored is neither."""
    decision = Scores(checks=("c",), min_pass_rate=read_rate(1)).decide([tally(n, result(o)) for n, o in samples])
    assert [c.verdict for c in decision.cases] == verdicts


def test_a_failure_that_a_passed_gate_allows_is_none() -> None:
    """So that a report is not red where the gate is green; the reason still tells it."""
    decision = Scores(checks=("c",), min_pass_rate=read_rate(0.5)).decide(
        [tally("s", result("fail")), tally("t", result("pass"))]
    )
    assert decision.verdict == "passed"
    assert [(c.verdict, c.reason) for c in decision.cases] == [
        ("passed", "'s': 0 of 1 passed, which the gate allows"),
        ("passed", "'t': 1 of 1 passed"),
    ]


@given(
    st.lists(st.lists(st.sampled_from(OUTCOMES), max_size=4), max_size=5),
    st.floats(0, 1, allow_nan=False).map(lambda f: round(f, 3)),
)
def test_more_errors_never_make_a_pass(samples: list[list[str]], rate: float) -> None:
    """A score turned into an error, or a run taken away, leaves no gate passed that was not, unless failures went."""
    gate = Scores(checks=("c",), min_pass_rate=read_rate(1), max_error_rate=read_rate(rate))
    before = gate.decide([tally(str(n), *map(result, s)) for n, s in enumerate(samples)])
    lost = [[("error" if o == "pass" else o) for o in s] for s in samples]
    after = gate.decide([tally(str(n), *map(result, s)) for n, s in enumerate(lost)])
    assert after.verdict != "passed"
    if before.verdict == "passed":
        assert any("pass" in s for s in samples)
        assert all("fail" not in s for s in samples)
