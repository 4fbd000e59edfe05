"""The progress of judges in a terminal: how many of them have answered, and what they cost so far."""

import sys

from grader.judge.tally import Tally


class Progress:
    """One line on standard error, written anew with each answer."""

    def __call__(self, tally: Tally, done: int, wanted: int) -> None:
        """So many of the questions that are asked now have answers."""
        cost = "" if tally.usd is None else f", ${tally.usd:.4f}"
        end = "\n" if done >= wanted else ""
        sys.stderr.write(f"\rjudges: {done:,} of {wanted:,}{cost}\x1b[K{end}")
        sys.stderr.flush()
