"""The breaks: `breaks/*.yaml`, a list of {rule, file, from, to}, each a way in which the code of one rule could be wrong."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.syntax import yaml12

ROOT = Path(__file__).parents[2]
TABLES = Path(__file__).parent / "breaks"
RULE_TESTS = "tests/grader/rules"


@dataclass(frozen=True, slots=True)
class Break:
    """One wrong line: `was` stands exactly once in the file, and becomes `now`."""

    rule: str
    file: str
    was: str
    now: str

    @property
    def tests(self) -> str:
        """What the names of the rule's tests contain: `S2_07` for S2-7."""
        vocabulary, _, number = self.rule.partition("-")
        return f"{vocabulary}_{int(number):02d}"

    def applied(self, text: str) -> str:
        """The file's text with the break in it.

        Raises:
            ValueError: the text has changed since the break was written; the message says which break to mend.
        """
        if text.count(self.was) != 1:
            raise ValueError(f"{self.rule}: {self.file} holds {self.was!r} {text.count(self.was)} times, not once")
        return text.replace(self.was, self.now)


def breaks() -> Iterator[Break]:
    """All of them, by vocabulary."""
    for path in sorted(TABLES.glob("*.yaml")):
        for row in yaml12.read(path, path.read_text(encoding="utf-8")).value:
            yield Break(row["rule"], row["file"], row["from"], row["to"])
