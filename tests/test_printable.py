"""Text that a terminal must not obey (more in tests/cli/render/test_text.py)."""

import pytest

from collector.printable import clean


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢", "plain é 漢"),
        ("\x1b]0;owned\x07", r"\x1b]0;owned\x07"),
        ("a\r\nb", r"a\r\nb"),
        ("\u2028", r"\u2028"),
    ],
)
def test_controls_are_shown(text: str, shown: str):
    """Escape sequences, bells and line ends come out as text (X-09)."""
    assert clean(text) == shown
