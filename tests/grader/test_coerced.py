"""Values after a change of type."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.coerced import forms_of
from grader.operators import read_pattern
from grader.patterns import NOTHING_BEFORE


@pytest.mark.parametrize(
    ("wanted", "value", "same"),
    [
        (50, "50", True),
        (50, " 50.0 ", True),
        (50, 50.0, True),
        (50, "050", False),
        (50, "5", False),
        ("50", 50, True),
        ("50", 50.0, True),
        (True, "true", True),
        ("true", True, True),
        (True, 1, False),
        (1, True, False),
        (True, "yes", False),
        (None, "null", True),
        ([1, 2], "[1, 2]", True),
        ({"a": 1}, '{"a": 1}', True),
        ("plain", "plain", True),
        (50, None, False),
    ],
)
def test_what_equals_what(wanted: Any, value: Any, same: bool) -> None:
    """Numbers and booleans written as text, and texts written as numbers."""
    assert read_pattern({"$coerce": wanted}).match(value, NOTHING_BEFORE) is same


def test_an_operator_may_stand_inside() -> None:
    """The change of type comes first."""
    pattern = read_pattern({"$coerce": {"$between": [0, 50]}})
    assert [pattern.match(v, NOTHING_BEFORE) for v in ("49.5", 50, "51", "x")] == [True, True, False, False]
    assert pattern.tell() == "between 0 and 50 (whatever its type)"


@given(st.text() | st.integers() | st.floats() | st.booleans() | st.none())
def test_a_value_is_always_itself(value: Any) -> None:
    """Whatever it is, its own form comes first and nothing is raised."""
    assert forms_of(value)[0] is value
