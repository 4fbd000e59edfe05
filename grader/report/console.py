"""A rich console that writes to a text: as wide as the terminal, coloured where the terminal is, no markup read."""

import io

from rich.console import Console

from grader.report.report_format import Page

LEAST_WIDTH = 40


def console(page: Page) -> tuple[Console, io.StringIO]:
    """The console, and where it writes."""
    out = io.StringIO()
    made = Console(
        file=out,
        width=max(page.width, LEAST_WIDTH),
        force_terminal=page.colour,
        no_color=not page.colour,
        highlight=False,
        markup=False,
        emoji=False,
    )
    return made, out


def written(out: io.StringIO) -> str:
    """What was written, without the blanks that fill lines."""
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
