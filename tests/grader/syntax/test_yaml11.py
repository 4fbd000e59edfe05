"""Plain scalars as PyYAML reads them."""

import datetime as dt
import math
from typing import Any

import pytest

from grader.syntax.yaml11 import pyyaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("Null", None),
        ("yes", True),
        ("Off", False),
        ("y", "y"),
        ("tRUE", "tRUE"),
        ("12", 12),
        ("-1_000", -1000),
        ("010", 8),
        ("09", "09"),
        ("0x1F", 31),
        ("-0b11", -3),
        ("0o17", "0o17"),
        ("1:30", 90),
        ("1:30.5", 90.5),
        ("1.5", 1.5),
        ("1e3", "1e3"),
        ("1.0e3", "1.0e3"),
        ("1.0e+3", 1000.0),
        (".5", 0.5),
        ("-.inf", -math.inf),
        ("2026-03-01", dt.date(2026, 3, 1)),
        ("2026-03-01 12:30:00", dt.date(2026, 3, 1)),
        ("2026-3-1", "2026-3-1"),
        ("hello", "hello"),
    ],
)
def test_scalars(text: str, value: Any) -> None:
    """Each as PyYAML's own resolver has it."""
    assert pyyaml(text) == value
    assert type(pyyaml(text)) is type(value)


def test_not_a_number_and_no_date() -> None:
    """NaN is read, so that the place can be told; a day that does not exist is refused."""
    assert math.isnan(pyyaml(".nan"))
    with pytest.raises(ValueError, match="day"):
        pyyaml("2026-02-31")
