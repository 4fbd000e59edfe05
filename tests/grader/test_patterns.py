"""Values: literals and operators."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.patterns import NOTHING_BEFORE, Between, Fields, Items, Literal, Near, OneOf, Past, Regex, dig, equal, show
from tests.grader.trees import call

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (50, 50.0, True),
        (True, 1, False),
        (False, 0, False),
        ("50", 50, False),
        (None, False, False),
        ([1, 2], [2, 1], False),
        ({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}, True),
        ({"a": True}, {"a": 1}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
    ],
)
def test_equality(left: Any, right: Any, same: Any) -> None:
    """Numbers by value, booleans never numbers, objects whatever the order of their keys."""
    assert equal(left, right) is same


@given(JSON)
def test_every_value_equals_itself_and_its_literal(value: Any) -> None:
    """Equality is reflexive over JSON."""
    assert equal(value, value)
    assert Literal(value).match(value, NOTHING_BEFORE) is True


@given(JSON)
def test_operators_answer_for_any_value(value: Any) -> None:
    """No operator raises, whatever stands there."""
    for pattern in (Between(0, 1), Near(1, abs=0.1), OneOf((Literal(1),)), Fields((("a", Literal(1)),)), Items(())):
        assert pattern.match(value, NOTHING_BEFORE) in (True, False)


def test_numbers_only() -> None:
    """A boolean or a text is no number, and NaN is near nothing."""
    assert [Between(0, 9).match(v, NOTHING_BEFORE) for v in (0, 9, 9.1, True, "5")] == [True, True, False, False, False]
    assert Near(50, rel=0.1).match(45.5, NOTHING_BEFORE) is True
    assert Near(50, abs=1).match(float("nan"), NOTHING_BEFORE) is False


def test_open_and_closed_fields() -> None:
    """Open fields leave others free; no arguments at all are an empty object."""
    fields = (("a", Literal(1)),)
    assert Fields(fields, closed=False).match({"a": 1, "b": 2}, NOTHING_BEFORE) is True
    assert Fields(fields).match({"a": 1, "b": 2}, NOTHING_BEFORE) is False
    assert Fields(()).match(None, NOTHING_BEFORE) is True


def test_dig() -> None:
    """Field names and list positions; what is not there is not null."""
    value = {"a": [{"b": None}]}
    assert dig(value, ["a", "0", "b"]) == (None, True)
    assert dig(value, ["a", "-1", "b"]) == (None, True)
    assert dig(value, ["a", "1"]) == (None, False)
    assert dig(value, ["x"]) == (None, False)
    assert dig("text", ["x"]) == (None, False)


def test_show_shortens() -> None:
    """A sentence stays a sentence, and is the same whatever the order of keys."""
    assert show({"b": 1, "a": 2}) == show({"a": 2, "b": 1}) == '{"a":2,"b":1}'
    assert len(show("x" * 1_000)) == 120


def test_past_without_completeness_never_refutes() -> None:
    """An earlier call that was not seen may have returned it."""
    from grader.patterns import From

    pattern = From("f", ("id",))
    seen = [call("f", result={"id": 1})]
    assert pattern.match(1, Past(seen)) is True
    assert pattern.match(2, Past(seen)) is False
    assert pattern.match(2, Past(seen, complete=False)) is None


def test_a_regex_is_found_anywhere_in_a_text() -> None:
    """It is searched, not matched whole; what is no text does not match; lookaround works."""
    assert [Regex("b+").match(v, NOTHING_BEFORE) for v in ("abbc", "ac", 5, None, ["b"])] == [
        True,
        False,
        False,
        False,
        False,
    ]
    assert Regex("^(?!.*secret)").match("a secret", NOTHING_BEFORE) is False
    assert Regex("(a+)+$").match("a" * 60 + "b", NOTHING_BEFORE) is False
