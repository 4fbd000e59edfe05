"""Runs of a case against its threshold, whatever the outcomes are."""

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grader.gate import CaseTally
from grader.gates.success_threshold import Runs, SuccessThreshold
from grader.shares import Share

COUNTS = st.integers(0, 6)


def verdict(number: int, percent: int, **outcomes: int) -> str:
    """Of one case."""
    gate = SuccessThreshold(cases=(Runs("t", number, Share(percent, 100, f"{percent}%")),))
    counted: Any = Counter(outcomes)
    return gate.decide([CaseTally("t", counted)]).verdict


@given(st.integers(1, 8), st.integers(1, 100), COUNTS, COUNTS, COUNTS)
def test_what_is_open_can_only_be_decided_where_it_does_not_matter(
    number: int, percent: int, passed: int, failed: int, error: int
) -> None:
    """The verdict is that of every way in which missing and undecided runs could have come out."""
    found = verdict(number, percent, **{"pass": passed, "fail": failed, "error": error})
    whole = max(number, passed + failed + error)
    ways = {(passed + more) * 100 >= percent * whole for more in range(whole - passed - failed + 1)}
    if passed + failed + error == 0:
        assert found == "not gateable"
    else:
        assert found == {(True,): "passed", (False,): "failed"}.get(tuple(ways), "not gateable")


def test_each_case_has_its_own_threshold_and_none_is_left_out() -> None:
    """A case without a run keeps the file from passing."""
    gate = SuccessThreshold(cases=(Runs("a", 2, Share(50, 100, "50%")), Runs("b", 1, Share(1, 1, "100%"))))
    tallies = [
        CaseTally("a", Counter({"pass": 1, "fail": 1})),
        CaseTally("b", Counter(), "no run for this case; nearest …"),
    ]
    decision = gate.decide(tallies)
    assert [c.verdict for c in decision.cases] == ["passed", "not gateable"]
    assert (decision.exit_code, "nearest" in decision.text) == (2, True)
