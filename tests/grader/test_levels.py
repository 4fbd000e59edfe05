"""Levels of a scale."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.levels import Levels, default_pass_level


@pytest.mark.parametrize(("scale", "level"), [(2, 2), (3, 2), (4, 3), (5, 4), (10, 9)])
def test_the_second_highest_level_passes_by_default(scale: int, level: int) -> None:
    """On a scale of two it is the top one, since the other is the lowest."""
    assert default_pass_level(scale) == level
    assert [Levels(scale=scale).passes(n) for n in (level - 1, level)] == [False, True]


@given(st.integers(2, 20))
def test_values_run_from_0_to_1(scale: int) -> None:
    """In equal steps."""
    values = [Levels(scale=scale).value(level) for level in range(1, scale + 1)]
    assert (values[0], values[-1]) == (0.0, 1.0)
    assert all(b - a == pytest.approx(1 / (scale - 1)) for a, b in pairwise(values))


def test_a_pass_level_or_a_threshold_decides() -> None:
    """Both include their bound."""
    assert [Levels(scale=5, pass_level=3).passes(n) for n in (2, 3)] == [False, True]
    assert [Levels(scale=5, threshold=0.75).passes(n) for n in (3, 4)] == [False, True]
    assert (Levels(scale=5).tell(), Levels(scale=5, threshold=0.5).tell()) == (
        "1 to 5, passes at 4",
        "1 to 5, passes at 0.5 of 1",
    )
