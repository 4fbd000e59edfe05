"""The caret under the place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.expressions.bad_expression import BadExpression


def test_the_message_shows_the_line_and_a_caret() -> None:
    """A person sees the sentence, the line, and the place in it."""
    error = BadExpression("unknown name 'foo'", "a == 1\n  and foo", 13)
    assert str(error) == "unknown name 'foo'\n      and foo\n          ^"
    assert (error.line, error.column, error.message) == (2, 7, "unknown name 'foo'")


@pytest.mark.parametrize(("before", "width"), [("日本", 4), ("e\u0301", 1), ("ü", 1)])
def test_the_caret_counts_what_a_terminal_shows(before: str, width: int) -> None:
    """Wide characters take two columns, accents that join take none."""
    assert BadExpression("no", f"{before}x", len(before)).marked.split("\n")[1] == " " * (4 + width) + "^"


def test_a_long_line_is_cut_around_the_place() -> None:
    """The caret still stands under its character."""
    line, caret = BadExpression("no", "x" * 1_000 + "!" + "y" * 1_000, 1_000).marked.split("\n")
    assert line[caret.index("^")] == "!"
    assert len(line) < 160


@given(st.text(), st.integers(-5, 50))
def test_any_source_can_be_shown(source: str, offset: int) -> None:
    """Two lines, and no character that a terminal would obey."""
    error = BadExpression("no", source, offset)
    assert len(error.marked.split("\n")) == 2
    assert error.line >= 1
    assert error.column >= 1
    assert error.marked.replace("\n", "").isprintable()
