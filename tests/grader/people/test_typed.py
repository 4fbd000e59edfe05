"""Lines of a person, and of a pipe."""

import io
import os
import pty
import signal
import threading
from collections.abc import Iterator
from typing import TextIO

import pytest

from grader.people import typed


@pytest.fixture
def terminal() -> Iterator[tuple[TextIO, int]]:
    """A terminal as a program has it, and the descriptor of whoever sits before it."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as lines:
        yield lines, ours
    os.close(ours)


def test_lines_of_a_pipe_are_read_as_they_are():
    """What is no terminal is read line by line to its end."""
    lines = io.StringIO("a\nb")
    assert [typed.line(lines) for _ in range(3)] == ["a\n", "b", ""]


def test_lines_of_a_terminal(terminal: tuple[TextIO, int]):
    """A line that is there, one that is typed ahead, one that comes later, and the end (Ctrl-D)."""
    lines, person = terminal
    os.write(person, b"one\ntwo\n")
    assert [typed.line(lines), typed.line(lines)] == ["one\n", "two\n"]
    threading.Timer(0.1, os.write, (person, b"three\n")).start()
    assert typed.line(lines) == "three\n"
    os.write(person, b"\x04")
    assert typed.line(lines) == ""


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_an_interrupt_ends_the_wait(terminal: tuple[TextIO, int], seconds: float):
    """Whether it comes before the wait or in the midst of it; what handles signals otherwise is as before."""
    lines, _ = terminal
    sending = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 -- it may come as soon as the thread runs
        sending.start()
        typed.line(lines)
    assert signal.set_wakeup_fd(-1) == -1
