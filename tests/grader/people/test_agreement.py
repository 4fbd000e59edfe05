"""How well a judge agrees: figures that are known from elsewhere, and what cannot be said."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.outcome import Outcome, Result
from grader.people.agreement import Pair, agreement, kappa

YES_NO = [1] * 20 + [1] * 5 + [0] * 10 + [0] * 15, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
"""Two readers of 50 proposals: 20 times both yes, 15 times both no. Their kappa is 0.4, which is worked out in
https://en.wikipedia.org/wiki/Cohen's_kappa."""


def result(value: Any) -> Result:
    """Of a truth, of a level's value with its pass, or of nothing."""
    passed = value if isinstance(value, bool) else None if value is None else value[1]
    outcome: Outcome = "error" if passed is None else "pass" if passed else "fail"
    number = None if value is None else float(value) if isinstance(value, bool) else value[0]
    return Result("c", "k", "1", outcome, number, "critical", "s")


def pair(judge: Any, label: Any) -> Pair:
    return Pair(case="c", run_id="r", judge=result(judge), label=result(label))


def level(number: int) -> tuple[float, bool]:
    """Of five."""
    return (number - 1) / 4, number >= 4


def test_known_kappas() -> None:
    """The plain one of two categories, and a weighted one of three: squares of 2 where chance would have 6."""
    assert kappa(*YES_NO, 2) == pytest.approx(0.4)
    assert kappa([0, 0, 1, 2, 2], [0, 1, 1, 2, 1], 3) == pytest.approx(1 - 2 / 6)
    assert kappa([0, 1], [1, 0], 2) == pytest.approx(-1)
    assert kappa([0, 1, 2], [0, 1, 2], 3) == 1


def test_where_chance_leaves_no_room_there_is_no_kappa() -> None:
    """Nothing rated, or both always say the same one thing."""
    assert kappa([], [], 2) is None
    assert kappa([1, 1], [1, 1], 2) is None
    assert kappa([1, 1], [1, 0], 2) == 0


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_kappa_is_between_minus_one_and_one_and_the_same_for_either_order(rated: list[tuple[int, int]]) -> None:
    """Whatever was rated."""
    one, other = [a for a, _ in rated], [b for _, b in rated]
    found = kappa(one, other, 5)
    assert found == kappa(other, one, 5)
    if found is not None:
        assert -1 - 1e-9 <= found <= 1
        assert (found == 1) == (one == other)


def test_all_that_both_may_say() -> None:
    """A false pass is the judge's pass that a person fails; what one of them does not speak of is counted apart."""
    said = (True, False, None)
    found = agreement([pair(judge, label) for judge, label in product(said, said)], None)
    assert (found.compared, found.agreement, found.kappa, found.weighted_kappa) == (4, 0.5, 0, None)
    assert (found.false_pass, found.false_fail) == (1, 1)
    assert (found.without_label, found.without_verdict) == (3, 2)
    assert [(p.judge.outcome, p.label.outcome) for p in found.differing] == [("pass", "fail"), ("fail", "pass")]


def test_nothing_to_compare() -> None:
    """No figure is made up."""
    found = agreement([pair(None, True)], 5)
    assert (found.compared, found.agreement, found.kappa, found.weighted_kappa) == (0, None, None, None)


def test_levels_weigh_by_their_distance() -> None:
    """Near misses count for more than far ones, though they pass and fail alike."""
    near = agreement([pair(level(a), level(b)) for a, b in ((1, 2), (5, 4), (3, 3))], 5)
    far = agreement([pair(level(a), level(b)) for a, b in ((1, 3), (5, 4), (3, 1))], 5)
    assert (near.agreement, far.agreement) == (1, 1)
    assert near.weighted_kappa is not None
    assert far.weighted_kappa is not None
    assert near.weighted_kappa > far.weighted_kappa


@pytest.mark.parametrize(
    ("labels", "scale"),
    [
        ([level(1), level(5)], 5),  # p and f, for all that one can tell
        ([(0.3, False), level(4)], 5),  # of another scale
        ([level(2), level(4)], None),
    ],
)
def test_without_levels_on_both_sides_there_is_no_weighted_kappa(labels: list[Any], scale: int | None) -> None:
    """The plain one is there all the same."""
    found = agreement([pair(level(n), label) for n, label in zip((2, 4), labels, strict=True)], scale)
    assert (found.kappa, found.weighted_kappa) == (1, None)
