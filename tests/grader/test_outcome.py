"""Three-valued answers, and the policy that maps them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.outcome import Finding, Truth, Unknown, combine, either, every, outcome_of, value_of

TRUTHS = st.lists(st.sampled_from([True, False, None]), max_size=6)


@given(TRUTHS)
def test_every_is_decided_by_one_false(truths: list[Truth]) -> None:
    """And: False wins, then None, else True."""
    expected = False if False in truths else None if None in truths else True
    assert every(truths) is expected


@given(TRUTHS)
def test_either_is_the_mirror_of_every(truths: list[Truth]) -> None:
    """De Morgan holds with three values."""

    def negate(truth: Truth) -> Truth:
        return None if truth is None else not truth

    assert either(truths) is negate(every(negate(t) for t in truths))


@pytest.mark.parametrize("unknown", ["indeterminate", "fail", "error"])
def test_unknown_is_the_policys_and_never_a_pass(unknown: Unknown) -> None:
    """The primitive does not know what a missing answer means."""
    assert outcome_of(None, unknown) == unknown
    assert outcome_of(True, unknown) == "pass"
    assert outcome_of(False, unknown) == "fail"


def test_the_value_of_an_undecided_finding_is_null() -> None:
    """Undecided is not half."""
    assert value_of(Finding(None, "")) is None
    assert value_of(Finding(True, "")) == 1.0
    assert value_of(Finding(False, "", value=0.25)) == 0.25


def test_combine_tells_what_decided() -> None:
    """Of several findings the failed ones speak, and their spans count."""
    both = combine([Finding(True, "good", ["a"]), Finding(False, "bad", ["b"]), Finding(None, "open", ["c"])])
    assert (both.truth, both.sentence, list(both.spans)) == (False, "bad", ["b"])
    assert both.value == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("truths", "truth", "value"),
    [
        ([True, False, False], True, 1 / 3),
        ([False, False], False, 0.0),
        ([False, None], None, None),
        ([True, None], True, 0.5),
    ],
)
def test_combine_may_ask_for_any(truths: list[Truth], truth: Truth, value: float | None) -> None:
    """One that holds is enough; the value is still the share that does."""
    both = combine([Finding(t, "") for t in truths], "any")
    assert (both.truth, both.value) == (truth, value and pytest.approx(value))
