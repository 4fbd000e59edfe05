"""A line that a person types; an interrupt (Ctrl-C) ends the wait for it whenever it comes."""

import os
import select
import signal
from contextlib import closing
from typing import TextIO


def line(lines: TextIO) -> str:
    """The next line, with its end; empty at the end of the input. Raises KeyboardInterrupt. For the main thread.

    Python notices an interrupt that comes in the moment before it begins to read with the next line only, which a person then
    never types. So a terminal is read when there is a line, and an interrupt is waited for beside it (not on Windows, where
    an interrupt ends the read by itself).
    """
    if os.name != "nt" and lines.isatty():
        _await(lines)
    return lines.readline()


def _await(lines: TextIO) -> None:
    read, written = os.pipe()
    with closing(os.fdopen(read, "rb")), closing(os.fdopen(written, "wb")):
        os.set_blocking(written, False)
        before = signal.set_wakeup_fd(written)
        try:
            select.select([lines, read], [], [])
        finally:
            signal.set_wakeup_fd(before)
