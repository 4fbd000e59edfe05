"""The console that reports write to."""

from rich.text import Text

from grader.report.console import LEAST_WIDTH, console, written
from grader.report.report_format import Page


def test_it_is_as_wide_as_the_page() -> None:
    """But never so narrow that nothing could be read, and lines end where their text ends."""
    for width, widest in ((60, 60), (5, LEAST_WIDTH)):
        screen, out = console(Page(width=width))
        screen.print(Text("word " * 40))
        lines = written(out).splitlines()
        assert max(map(len, lines)) <= widest
        assert lines == [line.rstrip() for line in lines]
        assert "".join(lines).count("word") == 40


def test_nothing_is_read_as_markup_and_colour_is_for_terminals() -> None:
    """A name in brackets stays one."""
    for colour in (False, True):
        screen, out = console(Page(colour=colour))
        screen.print("[bold]x[/bold]")
        screen.print(Text("y", "red"))
        assert "[bold]x[/bold]" in written(out)
        assert ("\x1b" in written(out)) is colour
