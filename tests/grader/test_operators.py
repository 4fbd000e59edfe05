"""Reading patterns from suite files."""

from typing import Any

import pytest

from grader.operators import OPERATORS, nearest, read_pattern
from grader.patterns import NOTHING_BEFORE, AllOf, Fields, From, Literal


def test_a_plain_value_is_a_literal() -> None:
    """Also an object or a list without any operator in it."""
    assert read_pattern({"a": [1]}) == Literal({"a": [1]})


def test_operators_may_stand_deep() -> None:
    """An object that holds an operator is matched field by field."""
    pattern = read_pattern({"a": {"b": {"$in": [1, 2]}}})
    assert isinstance(pattern, Fields)
    assert pattern.match({"a": {"b": 2}}, NOTHING_BEFORE) is True
    assert pattern.match({"a": {"b": 3}}, NOTHING_BEFORE) is False


def test_several_operators_all_hold() -> None:
    """Two on one value are joined by and."""
    pattern = read_pattern({"$between": [0, 10], "$in": [5, 50]})
    assert isinstance(pattern, AllOf)
    assert [pattern.match(v, NOTHING_BEFORE) for v in (5, 50, 6)] == [True, False, False]


def test_from_splits_at_the_first_result() -> None:
    """A tool's name may have dots."""
    assert read_pattern({"$from": "orders.lookup.result.order.id"}) == From("orders.lookup", ("order", "id"))
    assert read_pattern({"$from": "f.result"}) == From("f", ())


def test_equals_quotes_a_dollar() -> None:
    """A literal key that begins with $ is written below $equals."""
    assert read_pattern({"$equals": {"$x": 1}}).match({"$x": 1}, NOTHING_BEFORE) is True


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"$betwen": [0, 1]}, r"unknown operator '\$betwen'; did you mean '\$between'"),
        ({"$between": [1, 0]}, "smaller number first"),
        ({"$between": [0, True]}, "two numbers"),
        ({"$regex": "("}, "not a regular expression"),
        ({"$in": []}, "list of values"),
        ({"$near": {"value": 1}}, "needs abs or rel"),
        ({"$near": 1}, "value and a distance"),
        ({"$from": "lookup"}, "path in its result"),
        ({"$in": [1], "plain": 2}, "beside plain fields"),
        ({"$schema": "string"}, "takes a JSON Schema"),
        ({"$schema": {"type": "txt"}}, "not a JSON Schema"),
        ({"$set": "a"}, "takes a list"),
        ({"$coerce": {"$betwen": [0, 1]}}, "did you mean"),
        ([{"$regexp": "x"}], r"did you mean '\$regex'"),
    ],
)
def test_mistakes_are_told_at_load(raw: Any, message: Any) -> None:
    """With what to write instead."""
    with pytest.raises(ValueError, match=message):
        read_pattern(raw)


def test_nearest_is_silent_where_nothing_is_near() -> None:
    """No guess is better than a wild one."""
    assert nearest("zzz", list(OPERATORS)) == ""
