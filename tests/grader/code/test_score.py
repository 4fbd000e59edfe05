"""What a function may return, and what it comes to."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from grader.code.score import NotAScoreError, Score, as_score


@pytest.mark.parametrize(
    ("returned", "value", "passed"),
    [
        (True, 1.0, True),
        (False, 0.0, False),
        (1, 1.0, True),
        (0, 0.0, False),
        (0.999, 0.999, False),
        (Fraction(1, 2), 0.5, False),
        (np.float32(1), 1.0, True),
        (Score(passed=True), 1.0, True),
        (Score(passed=False), 0.0, False),
        (Score(0.4), 0.4, False),
        (Score(1.0), 1.0, True),
        (Score(0.4, passed=True), 0.4, True),
        (Score(1.0, passed=False), 1.0, False),
        (Score(), None, None),
    ],
)
def test_value_and_pass(returned: Any, value: Any, passed: Any) -> None:
    """A score's own pass stands whatever its value; without one a value passes from 1."""
    score = as_score(returned)
    assert (score.value, score.passed) == (value, passed)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "returned nothing (None); a check returns"),
        ("pass", "returned a str; "),
        ({"passed": True}, "returned a dict; "),
        (Decimal(1), "returned a Decimal; "),
        (np.bool_(True), "returned a bool; "),
        (1.5, "returned a number that is not from 0 to 1"),
        (-0.1, "returned a number that is not from 0 to 1"),
        (math.nan, "returned a number that is not from 0 to 1"),
        (Score(value=2), "returned a Score whose `value` is not from 0 to 1"),
        (Score(value=True), "returned a Score whose `value` is not from 0 to 1"),  # a boolean belongs to `passed`
        (Score(passed=1), "returned a Score whose `passed` is a int, not true or false"),  # ty: ignore
        (Score(passed=True, reason=3), "returned a Score whose `reason` is a int, not a text"),  # ty: ignore
        (Score(error=ValueError("secret")), "returned a Score whose `error` is a ValueError, not a text"),  # ty: ignore
        (Score(passed=True, cost=-1), "returned a Score whose `cost` is no number from 0 up"),
        (Score(passed=True, latency=math.inf), "returned a Score whose `latency` is no number from 0 up"),
    ],
)
def test_what_is_no_score(returned: Any, message: str) -> None:
    """The message names a type and never a value."""
    with pytest.raises(NotAScoreError) as raised:
        as_score(returned)
    assert str(raised.value).startswith(message)
