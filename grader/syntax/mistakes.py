"""Mistakes of a suite file: all of them at once, each with file, line and field."""

from collections.abc import Sequence
from dataclasses import dataclass

from collector import UserError


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """One mistake. `line` counts from 1; `field` is a dotted place, empty for the file as a whole."""

    path: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {f'{self.field}: ' if self.field else ''}{self.message}"


class SuiteError(UserError):
    """A suite file cannot be used; the message lists every mistake."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = sorted(set(mistakes))
        super().__init__("\n".join(map(str, self.mistakes)))
