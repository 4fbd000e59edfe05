"""What a report format is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.gate import worst
from grader.grading import Grading


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is known of the place where the text will be read."""

    width: int = 100
    colour: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """A suffix that names the format, and how gradings become its text."""

    suffix: str
    render: Callable[[Sequence[Grading], Page], str]


def exit_code(gradings: Sequence[Grading]) -> int:
    """Over several suites: the worst, 2 over 1 over 0."""
    return worst([g.decision for g in gradings])
