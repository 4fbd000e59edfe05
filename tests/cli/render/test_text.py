"""Text that comes from traces, made safe and short for a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.cli.render.text import LIMIT, brief, clean, duration


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 👩‍💻", "plain é 漢 👩‍💻"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("two\nlines\tand\r", r"two\nlines\tand\r"),
        ("right\u202eto left", r"right\u202eto left"),
        ("c1 \x9b31m", r"c1 \x9b31m"),
        ("half \ud83d", r"half \ud83d"),
    ],
)
def test_clean_escapes_what_a_terminal_obeys(text: str, shown: str) -> None:
    """Escape sequences, line ends and directional marks are shown, not obeyed; letters of any script stay."""
    assert clean(text) == shown


@given(st.text(st.characters(exclude_categories=())))
def test_clean_leaves_nothing_to_obey(text: str) -> None:
    """Whatever comes in, no control or format character goes out, except the joiner within emoji."""
    assert all(c == "\u200d" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in clean(text))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("text", "text"),
        ({"a": [1, None, "é"]}, '{"a": [1, null, "é"]}'),
        (True, "true"),
        (None, "null"),
        ({"t": b"\x00"}, r'{"t": "b' + r"'\\x00'" + '"}'),
    ],
)
def test_brief_shows_any_value_on_one_line(value: object, shown: str) -> None:
    """Text is shown as it is and everything else as JSON."""
    assert brief(value) == shown


def test_brief_cuts_long_values() -> None:
    """A tool that returned a megabyte does not fill the terminal."""
    assert brief("x" * 1_000_000) == "x" * LIMIT + "…"


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [(None, ""), (0, "0 ms"), (840_000_000, "840 ms"), (12_340_000_000, "12.3 s"), (250_000_000_000, "4 min 10 s")],
)
def test_duration_reads_well(nanoseconds: float | None, shown: str) -> None:
    """Lengths of time have the unit that fits them, and an unknown one is empty."""
    assert duration(nanoseconds) == shown
