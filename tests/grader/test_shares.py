"""Shares and budgets are compared as integers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.shares import Budget, read_budget, read_rate, read_share


def test_a_share_is_exact() -> None:
    """19 of 20 are 95 %, 94.9 is not."""
    share = read_share("95%")
    assert share.reached(19, 20)
    assert not share.reached(949, 1_000)
    assert read_share("99.5%").reached(199, 200)
    assert not read_share("99.5%").reached(198, 200)


@given(st.integers(0, 100), st.integers(0, 10**9), st.integers(1, 10**9))
def test_reached_and_exceeded_meet_at_equality(percent: int, part: int, whole: int) -> None:
    """Exactly one of: exceeded, equal, not reached."""
    share = read_share(f"{percent}%")
    equal = part * 100 == percent * whole
    assert [share.exceeded(part, whole), equal, not share.reached(part, whole)].count(True) == 1


@pytest.mark.parametrize("raw", [0.95, 95, "95", "0.95", "101%", "-5%", "%", None, True])
def test_what_is_no_share(raw: Any) -> None:
    """Only a quoted percentage is one: 0.95 and 95 could mean either."""
    with pytest.raises(ValueError, match="share"):
        read_share(raw)


def test_budgets_are_counts_or_shares() -> None:
    """An integer counts, a percentage is of all."""
    assert read_budget(0) == Budget(count=0)
    assert read_budget(1).exceeded(2, 100)
    assert not read_budget(2).exceeded(2, 2)
    assert read_budget("5%").exceeded(6, 100)
    assert not read_budget("5%").exceeded(5, 100)


@pytest.mark.parametrize("raw", [-1, True, 0.5, None, "5"])
def test_what_is_no_budget(raw: Any) -> None:
    """The message says what to write."""
    with pytest.raises(ValueError, match=r"count|share"):
        read_budget(raw)


def test_a_rate_is_what_is_written() -> None:
    """0.9 is nine tenths, not the float that comes near it."""
    rate = read_rate(0.9)
    assert (rate.top, rate.bottom, rate.text) == (9, 10, "0.9")
    assert rate.reached(9, 10)
    assert not rate.reached(8_999_999, 10_000_000)
    assert (read_rate(1).top, read_rate(0).top) == (1, 0)
