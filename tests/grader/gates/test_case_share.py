"""The share of passing cases."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.gate import CaseTally
from grader.gates.case_share import CaseShare, read_threshold


def tally(*outcomes: Any, left_out: str = "", note: str = "") -> CaseTally:
    """A case whose runs came out like this."""
    return CaseTally("a", Counter(outcomes), note, left_out=left_out)


def decide(threshold: Any, *tallies: CaseTally) -> tuple[str, str]:
    """The verdict and its text."""
    found = CaseShare(threshold=read_threshold(threshold)).decide(tallies)
    return found.verdict, found.text


PASS, FAIL, OPEN, BROKEN = tally("pass"), tally("fail"), tally("indeterminate"), tally("error")
OUT = tally("skipped", left_out="why")


@pytest.mark.parametrize(
    ("threshold", "tallies", "verdict"),
    [
        (1, [PASS, PASS], "passed"),
        (1, [PASS, FAIL], "failed"),
        (0.5, [PASS, FAIL], "passed"),
        (1, [PASS, BROKEN], "failed"),
        (0.5, [PASS, OPEN], "passed"),
        (1, [PASS, OPEN], "not gateable"),
        (1, [PASS, OPEN, FAIL], "failed"),
        (0.9, [PASS, OPEN, FAIL], "failed"),
        (0.6, [PASS, OPEN, FAIL], "not gateable"),
        (1, [PASS, OUT], "passed"),
        (1, [PASS, tally(left_out="why")], "passed"),
        (1, [PASS, tally()], "failed"),
        (1, [OUT], "not gateable"),
        (1, [tally()], "not gateable"),
        (0, [tally()], "not gateable"),
        (1, [], "not gateable"),
        (1, [tally("pass", "fail")], "failed"),
        (1, [tally("pass", "indeterminate")], "not gateable"),
        (1, [tally("pass", "skipped")], "passed"),
    ],
)
def test_the_verdict(threshold: Any, tallies: list[CaseTally], verdict: str) -> None:
    """Skipped cases count neither way; a break is a failure; what is open decides nothing unless nothing hangs on it."""
    assert decide(threshold, *tallies)[0] == verdict


def test_the_text_tells_the_share_and_what_was_skipped() -> None:
    """And which cases failed, with the reason where there was no run."""
    assert decide(0.5, PASS, FAIL, OUT) == ("passed", "gate passed: 1 of 2 cases passed, required 50%; 1 case skipped")
    assert decide(1, PASS, tally(note="no run was selected"))[1] == (
        "gate failed: 'a': no run was selected; 1 of 2 cases passed, required 100%"
    )
    assert decide(1, OUT)[1] == "gate not gateable: no case was graded; 1 case skipped"


@pytest.mark.parametrize(
    ("raw", "top", "bottom"), [(0.9, 9, 10), (1, 1, 1), (0, 0, 1), (0.333, 333, 1000), ("90%", 90, 100)]
)
def test_a_threshold_is_exact(raw: Any, top: int, bottom: int) -> None:
    """As it is written in decimals."""
    share = read_threshold(raw)
    assert (share.top, share.bottom) == (top, bottom)


@pytest.mark.parametrize("raw", [True, None, 1.01, -0.5, float("nan"), "90", [1]])
def test_what_is_no_share_is_refused(raw: Any) -> None:
    """With what may be written."""
    with pytest.raises(ValueError, match=r"0 to 1|percentage"):
        read_threshold(raw)


@given(st.integers(1, 200), st.integers(1, 200))
def test_the_share_itself_is_enough(passing: int, failing: int) -> None:
    """And one case fewer is not, however close."""
    total = passing + failing
    threshold = CaseShare(threshold=type(read_threshold(1))(passing, total, "exact"))
    assert threshold.decide([PASS] * passing + [FAIL] * failing).verdict == "passed"
    assert threshold.decide([PASS] * (passing - 1) + [FAIL] * (failing + 1)).verdict == "failed"
