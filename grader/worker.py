"""A process that judges beside the one that started it: reads pickled orders, writes what comes of them, ends with its input.

It imports what judging needs and no more: neither the database nor Arrow, and the formats of suites only where a suite must
be read again, so that it is there in 0.3 seconds (0.6 with the formats; with the database, Arrow and the main module that
multiprocessing runs again it took one to two).
"""

import gc
import os
import pickle
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from grader.case import Suite
from grader.part import Judge, Part, Terms
from grader.stored_run import StoredRun

if TYPE_CHECKING:
    from grader.code.process import Permission

Text = tuple[str, str, str, str, Terms, "Permission | None"]
"""A suite to be read again: its path, text and format, its hash, the terms, and whether its author's code may run."""

Order = bytes | Text
"""What to judge by: the compiled suite with the terms, pickled; or where one of its checks does not travel, its text."""


def order(suite: Suite, terms: Terms) -> Order:
    """For another process. Compiled expressions, closures and the author's own code do not travel."""
    if suite.allowed is None:
        try:
            return pickle.dumps((suite, terms), pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError):  # whatever its checks hold
            pass
    return suite.path, suite.text, suite.format, suite.hash, terms, suite.allowed


def part_of(judge: Judge, runs: Sequence[StoredRun]) -> Part:
    """What comes of these runs. Trees hold no cycles, and looking for some takes as long as reading the trees."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return judge.part(run.candidate() for run in runs)
    finally:
        if collecting:
            gc.enable()


def serve(orders: BinaryIO, answers: BinaryIO) -> None:
    """Answers each order with whether its suite can be read here, and each list of runs with the part that it makes."""
    judge: Judge | None = None
    while True:
        try:
            asked = pickle.load(orders)  # noqa: S301  the process that started this one wrote it
        except EOFError:
            return
        if isinstance(asked, list):
            answer = part_of(judge, asked) if judge is not None else None
        else:
            judge = Judge(*pickle.loads(asked)) if isinstance(asked, bytes) else _judge(*asked)  # noqa: S301  as above
            answer = judge is not None
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _judge(
    path: str, text: str, format_name: str, known: str, terms: Terms, allowed: "Permission | None"
) -> Judge | None:
    """None where the text makes another suite here."""
    from grader.suites import read_text  # noqa: PLC0415 -- half of the start

    suites = read_text(Path(path), text, format_name, allowed)
    suite = next((suite for suite in suites if suite.hash == known), None)
    return None if suite is None else Judge(suite, terms)


def main() -> None:
    """The process: orders come on standard input, and nothing but answers goes where standard output was."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # at Ctrl-C the other one says so, and closes the input
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, answers)
    except BrokenPipeError:  # nobody waits for the answer
        os._exit(1)
