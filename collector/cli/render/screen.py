"""The console that a command prints to: as wide as the terminal, and plain where there is none."""

import os
import sys

from rich.console import Console

PIPED = 120
"""Columns of a table or a tree that goes into a file or a pipe; COLUMNS overrides it."""


def screen(*, stderr: bool = False) -> Console:
    """A console without markup, emoji codes or highlighting: what traces say is shown as it is."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPED
    return Console(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)
