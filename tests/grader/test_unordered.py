"""Lists whose order does not matter."""

from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grader.operators import read_pattern
from grader.patterns import NOTHING_BEFORE, Between, From, Literal, Past, equal
from grader.unordered import Unordered
from tests.grader.trees import call

VALUES = st.lists(st.sampled_from([1, 1.0, 2, True, "1", None, [1]]), max_size=4)


@given(VALUES, VALUES)
def test_literals_compare_as_multisets(wanted: list[Any], found: list[Any]) -> None:
    """Equal exactly where some order of one is the other."""
    pattern = Unordered(tuple(map(Literal, wanted)))
    assert pattern.match(found, NOTHING_BEFORE) is any(equal(list(p), found) for p in permutations(wanted))


def test_a_wide_pattern_leaves_its_item_to_a_narrow_one() -> None:
    """Greedily 0 to 9 would take the 5."""
    pattern = Unordered((Between(0, 9), Literal(5)))
    assert pattern.match([5, 7], NOTHING_BEFORE) is True
    assert pattern.match([7, 7], NOTHING_BEFORE) is False


def test_what_is_not_known_of_an_item_leaves_it_open() -> None:
    """A result that was not captured may have been that item."""
    pattern = Unordered((From("f", ("id",)), Literal(1)))
    hidden = Past([call("f", result_capture="absent")])
    assert pattern.match([1, 2], hidden) is None
    assert pattern.match([2, 2], hidden) is False
    assert pattern.match([1, 2], Past([call("f", result={"id": 2})])) is True


def test_only_a_list_is_one() -> None:
    """A text or an object is none, and the order in which it is written is no part of the definition."""
    pattern = read_pattern({"$set": ["b", "a"]})
    assert [pattern.match(v, NOTHING_BEFORE) for v in (["a", "b"], "ab", {"a": "b"}, ["a"])] == [
        True,
        False,
        False,
        False,
    ]
    assert pattern == read_pattern({"$set": ["a", "b"]})
    assert pattern.tell() == "[a, b] in any order"
