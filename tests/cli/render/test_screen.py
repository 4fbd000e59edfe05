"""The console that commands print to."""

import pytest

from collector.cli.render.screen import PIPED, screen


def test_a_pipe_gets_no_colours_and_a_fixed_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output that is not a terminal's is plain, and as wide as is useful in a file."""
    monkeypatch.delenv("COLUMNS", raising=False)
    console = screen()
    assert (console.width, console.color_system) == (PIPED, None)


def test_columns_overrides_the_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """COLUMNS says how wide a pipe's reader wants it."""
    monkeypatch.setenv("COLUMNS", "70")
    assert screen().width == 70


def test_markup_of_strangers_is_shown_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Square brackets and emoji codes in names are text."""
    screen().print("[red]x[/red] :smile:")
    assert capsys.readouterr().out == "[red]x[/red] :smile:\n"
