"""A final answer read as text, as JSON, as a number."""

from typing import Any

import pytest

from grader.replies import number_of, parsed, text_of, value_of


@pytest.mark.parametrize(
    ("reply", "compact", "sorted_"),
    [
        ("a ", "a ", "a "),
        (None, "", ""),
        ({"b": 1, "a": ["ü"]}, '{"b":1,"a":["ü"]}', '{"a": ["ü"], "b": 1}'),
        (42, "42", "42"),
    ],
)
def test_a_reply_as_text(reply: Any, compact: str, sorted_: str) -> None:
    """Null is empty; what is no text is JSON, compact or with sorted keys."""
    assert (text_of(reply), text_of(reply, "sorted")) == (compact, sorted_)


@pytest.mark.parametrize(
    ("reply", "value"),
    [(' {"a": 1}\n', ({"a": 1}, True)), ("NaN", (None, False)), ("x", (None, False)), ([1], ([1], True))],
)
def test_a_reply_as_json(reply: Any, value: Any) -> None:
    """A structured reply is what it is; NaN is no JSON."""
    assert parsed(reply) == value
    assert value_of(reply) == (value[0] if value[1] else reply)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (42, 42), (4.5, 4.5), ("42", 42.0), (" +4.2e1\n", 42.0), (True, None), ("true", None), ("NaN", None),
        (float("inf"), None), ("infinity", None), ("12 USD", None), ("", None), (None, None), ([1], None), (10**400, None),
    ],
)  # fmt: skip
def test_a_value_as_a_number(value: Any, number: Any) -> None:
    """Finite numbers and texts that are such; a boolean is none."""
    assert number_of(value) == number
