"""The assignment is as large as any can be."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.assignment import assign, served

OPTIONS = st.lists(st.lists(st.integers(0, 5), max_size=5), max_size=6)


def most(options: Sequence[Sequence[int]], taken: frozenset[int] = frozenset()) -> int:
    """The largest number that can be served, by trying everything."""
    if not options:
        return 0
    first, *rest = options
    tried = [most(rest, taken)]
    tried += [1 + most(rest, taken | {option}) for option in set(first) - taken]
    return max(tried)


@given(OPTIONS)
def test_as_many_are_served_as_trying_everything_serves(options: list[list[int]]) -> None:
    """Each gets one of its own options, and none is given twice."""
    found = assign(options)
    used = [option for option in found if option is not None]
    assert len(used) == len(set(used)) == served(found) == most(options)
    assert all(option is None or option in options[demand] for demand, option in enumerate(found))


@pytest.mark.parametrize(
    ("options", "found"),
    [([], []), ([[]], [None]), ([[0, 1], [0]], [1, 0]), ([[0], [0]], [0, None]), ([[0, 1], [0], [1, 2]], [1, 0, 2])],
)
def test_who_came_first_steps_aside_for_another(options: list[list[int]], found: list[int | None]) -> None:
    """A greedy choice would leave the second without its only option."""
    assert assign(options) == found


def test_a_long_chain_needs_no_recursion() -> None:
    """A thousand demands that all have to move up by one."""
    number = 1_000
    options = [[n, n + 1] for n in range(number)]
    assert served(assign([*options, [0]])) == number + 1
