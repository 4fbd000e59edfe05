"""How far back a selection goes."""

from datetime import UTC, datetime

import pytest

from grader.durations import since

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24h", "2026-03-01T12:00:00+00:00"),
        ("30m", "2026-03-02T11:30:00+00:00"),
        ("7d", "2026-02-23T12:00:00+00:00"),
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        ("2026-03-01T12:00+02:00", "2026-03-01T10:00:00+00:00"),
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00+00:00"),
    ],
)
def test_durations_and_times(text: str, expected: str) -> None:
    """A time without a zone is UTC."""
    assert since(text, NOW).isoformat() == expected


@pytest.mark.parametrize("text", ["yesterday", "24", "h", "99999999999d", ""])
def test_what_is_neither_is_told(text: str) -> None:
    """With what to write instead."""
    with pytest.raises(ValueError, match="write a duration"):
        since(text, NOW)
