"""The progress bar, on a real terminal and without one."""

import os
import pty
import subprocess
import sys

SCRIPT = """
from collector.cli.render.progress import Progress
with Progress(100) as progress:
    for _ in range(4):
        progress.advance(25)
    progress.note("bad.pb: passed over [red]")
"""


def test_a_terminal_sees_a_bar_and_the_notes() -> None:
    """On a terminal the bar is drawn and taken away again, and a note stays."""
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", SCRIPT], stderr=theirs, check=True, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "100/100 bytes" in shown
    assert "\x1b[" in shown
    assert "bad.pb: passed over [red]" in shown


def test_a_pipe_sees_the_notes_alone() -> None:
    """Without a terminal nothing but the notes is written."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("", "bad.pb: passed over [red]\n")
