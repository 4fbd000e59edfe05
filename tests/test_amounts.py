"""Times and sizes as people write them."""

import pytest

from collector import amounts


@pytest.mark.parametrize(
    ("text", "found"),
    [("90s", 90), ("30m", 1_800), ("12h", 43_200), ("30d", 2_592_000), ("2w", 1_209_600), ("0.5 d", 43_200)],
)
def test_times(text: str, found: float):
    """Seconds, minutes, hours, days and weeks."""
    assert amounts.seconds(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("10GB", 10**10), ("2GiB", 2**31), ("1.5 mb", 1_500_000), ("17", 17), ("17B", 17), ("1TB", 10**12)],
)
def test_sizes(text: str, found: int):
    """Decimal and binary units, in any case; a bare number is bytes."""
    assert amounts.size(text) == found


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "30 days", "1e3d", "nan", "3x"])
def test_what_is_no_time(text: str):
    """The message shows how to write one."""
    with pytest.raises(ValueError, match="such as 30d"):
        amounts.seconds(text)


@pytest.mark.parametrize("text", ["", "GB", "-1GB", "10 gigabytes", "inf"])
def test_what_is_no_size(text: str):
    """The message shows how to write one."""
    with pytest.raises(ValueError, match="such as 10GB"):
        amounts.size(text)


@pytest.mark.parametrize(("number", "text"), [(3, "3 B"), (3_420_160, "3.4 MB"), (2 * 10**9, "2.0 GB")])
def test_sizes_are_shown_in_their_unit(number: int, text: str):
    """With one digit."""
    assert amounts.shown(number) == text
