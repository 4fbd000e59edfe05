"""Lengths of time."""

from datetime import timedelta

import pytest

from collector.durations import length


def test_units():
    """Seconds to weeks, with or without a blank."""
    assert [length(text) for text in ("30s", "15m", "24 h", " 7d ", "2w")] == [
        timedelta(seconds=30),
        timedelta(minutes=15),
        timedelta(days=1),
        timedelta(days=7),
        timedelta(weeks=2),
    ]


@pytest.mark.parametrize("text", ["", "7", "d", "-1d", "1.5h", "7 days", "1y"])
def test_what_is_no_length(text: str):
    """Anything else is none."""
    assert length(text) is None
