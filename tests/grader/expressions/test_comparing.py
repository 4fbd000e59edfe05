"""Comparisons with three answers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.expressions import comparing
from grader.expressions.comparing import MISSING, UNKNOWN, Members, contained, equal, negate, not_contained, truthy
from tests.grader.expressions.probes import SCALARS, SMALL, json_of

JSON = json_of(SMALL)
WITH_HOLES = json_of(SMALL | st.just(UNKNOWN))
ORDERS = (comparing.less, comparing.less_or_equal, comparing.greater, comparing.greater_or_equal)


def fill(value: Any, known: Any) -> Any:
    """The value with every hole filled."""
    if value is UNKNOWN:
        return known
    if isinstance(value, dict):
        return {k: fill(v, known) for k, v in value.items()}
    return [fill(v, known) for v in value] if isinstance(value, list) else value


@given(json_of(SCALARS))
def test_every_value_equals_itself(value: Any) -> None:
    """Equality is reflexive over JSON."""
    assert equal(value, value) is True


@given(JSON, JSON)
def test_equality_is_symmetric_and_total_on_known_values(left: Any, right: Any) -> None:
    """Known values are equal or not, from both sides."""
    assert equal(left, right) is equal(right, left)
    assert equal(left, right) in (True, False)
    assert comparing.not_equal(left, right) is not equal(left, right)


@given(WITH_HOLES, WITH_HOLES, JSON, JSON)
def test_what_is_decided_stays_so_whatever_was_not_captured(left: Any, right: Any, one: Any, other: Any) -> None:
    """An answer given over missing evidence is the answer over any evidence."""
    filled = fill(left, one), fill(right, other)
    for compare in (equal, contained, not_contained, *ORDERS):
        decided = compare(left, right)
        assert decided is None or compare(*filled) is decided
    assert truthy(left) is None or truthy(fill(left, one)) is truthy(left)


@pytest.mark.parametrize("absent", [UNKNOWN, MISSING])
@pytest.mark.parametrize("compare", [equal, comparing.not_equal, contained, not_contained, *ORDERS])
def test_no_comparison_with_what_is_absent_is_decided(absent: Any, compare: Any) -> None:
    """Neither a missing field nor an uncaptured value equals, differs from, or lies below anything."""
    assert [compare(absent, 1), compare(1, absent), compare(absent, absent)] == [None, None, None]


@given(JSON, JSON)
def test_only_numbers_and_texts_have_an_order(left: Any, right: Any) -> None:
    """Numbers with numbers, texts with texts, and nothing else; booleans are no numbers."""
    kinds = {"number" if type(v) in (int, float) else type(v).__name__ for v in (left, right)}
    ordered = kinds in ({"number"}, {"str"})
    assert all((order(left, right) is not None) is ordered for order in ORDERS)
    if ordered:
        assert [o(left, right) for o in ORDERS] == [left < right, left <= right, left > right, left >= right]


def test_sets() -> None:
    """A set equals a set with the same members, and nothing else."""
    assert equal(Members((1, 2)), Members((2, 1.0, 2))) is True
    assert equal(Members((1,)), Members((1, 2))) is False
    assert equal(Members((1,)), [1]) is False
    assert equal(Members((1, UNKNOWN)), Members((1, 2))) is None
    assert truthy(Members(())) is False


def test_negation_and_names() -> None:
    """What is open stays open, and shows itself by name."""
    assert [negate(t) for t in (True, False, None)] == [False, True, None]
    assert repr([UNKNOWN, MISSING]) == "[UNKNOWN, MISSING]"
