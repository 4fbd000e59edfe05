"""The native gate: shares of samples, and budgets for what was not decided."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.gate import EXIT_CODES, CaseTally
from grader.gates.shares import Shares
from tests.grader.suites import suite

OUTCOMES = ["pass", "fail", "indeterminate", "error", "not_graded", "skipped"]


def tally(name: str = "c", **counts: int) -> CaseTally:
    return CaseTally(name, Counter({k.removesuffix("_"): v for k, v in counts.items()}))  # ty: ignore


def gate(text: str) -> Any:
    return suite("  - {name: c}\n", f"gate: {text}").gate


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ({"pass_": 1}, "passed"),
        ({"pass_": 3, "fail": 1}, "failed"),
        ({}, "not gateable"),
        ({"indeterminate": 1}, "not gateable"),
        ({"pass_": 1, "indeterminate": 1}, "not gateable"),
        ({"pass_": 1, "error": 1}, "not gateable"),
        ({"fail": 1, "error": 5}, "failed"),
        ({"not_graded": 3}, "not gateable"),
        ({"skipped": 3}, "not gateable"),
    ],
)
def test_no_gate_written_asks_every_case_to_pass_with_a_sample(counts: Any, verdict: Any) -> None:
    """A known failure stays one; what is not decided is not a pass."""
    decision = Shares().decide([tally(**counts)])
    assert decision.verdict == verdict
    assert decision.exit_code == EXIT_CODES[decision.verdict]
    assert decision.text.startswith(f"gate {verdict}: ")


def test_a_case_without_samples_keeps_the_gate_shut() -> None:
    """Even where another one passed."""
    assert Shares().decide([tally(pass_=1), CaseTally("d", note="no run for this case")]).verdict == "not gateable"


def test_a_policy_that_applied_nowhere_counts_nowhere() -> None:
    """It neither opens nor shuts the gate."""
    decision = Shares().decide([tally(pass_=1), tally("p", skipped=7)])
    assert decision.verdict == "passed"
    assert decision.cases[1].verdict is None


def test_shares_of_a_case_are_exact() -> None:
    """19 of 20 pass at 95 %, 18 do not; undecided samples are out of the rate."""
    written = gate('{each_case: {pass: "95%", min_samples: 20}, suite: {max_indeterminate: 3}}')
    assert written.decide([tally(pass_=19, fail=1)]).verdict == "passed"
    assert written.decide([tally(pass_=18, fail=2)]).verdict == "failed"
    assert written.decide([tally(pass_=19, fail=1, indeterminate=3)]).verdict == "passed"
    assert written.decide([tally(pass_=19, indeterminate=3)]).verdict == "not gateable"


def test_a_failing_share_fails_also_below_the_minimum() -> None:
    """One failed sample of three needed is a failure, not a lack of samples."""
    written = gate("{each_case: {min_samples: 3}}")
    assert written.decide([tally(fail=1)]).verdict == "failed"
    assert written.decide([tally(pass_=1)]).verdict == "not gateable"


def test_budgets_for_what_is_not_decided() -> None:
    """Counts or shares of all samples but the skipped ones."""
    written = gate('{suite: {max_error: 1, max_indeterminate: "5%"}}')
    assert written.decide([tally(pass_=98, error=1, indeterminate=1)]).verdict == "passed"
    assert written.decide([tally(pass_=98, error=2)]).verdict == "not gateable"
    assert written.decide([tally(pass_=94, indeterminate=6, skipped=900)]).verdict == "not gateable"


def test_the_share_of_the_suite() -> None:
    """Over the samples of all cases together."""
    written = gate('{each_case: {pass: "0%"}, suite: {pass: "90%"}}')
    assert written.decide([tally(pass_=9), tally("d", fail=1)]).verdict == "passed"
    assert written.decide([tally(pass_=8), tally("d", fail=2)]).verdict == "failed"


@given(st.lists(st.dictionaries(st.sampled_from(OUTCOMES), st.integers(0, 3)), min_size=1, max_size=4))
def test_only_passes_ever_open_the_gate(cases: Any) -> None:
    """Without a written gate: passed exactly where something passed and nothing else but skips happened."""
    tallies = [CaseTally(str(n), Counter(c)) for n, c in enumerate(cases)]
    decision = Shares().decide(tallies)
    total: Counter[Any] = sum((t.outcomes for t in tallies), Counter())
    covered = all(t.decided or (t.outcomes["skipped"] and not t.applicable) for t in tallies)
    clean = total["pass"] > 0 and not any(total[o] for o in ("fail", "error", "indeterminate"))
    assert (decision.verdict == "passed") == (clean and covered)
