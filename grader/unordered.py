"""A list whose order does not matter: each item as often as it is written, matched by the best assignment."""

from dataclasses import dataclass
from typing import Any

from grader.assignment import assign, served
from grader.outcome import Truth
from grader.patterns import Past, Pattern


@dataclass(frozen=True, slots=True)
class Unordered:
    """A list of exactly these, in any order; one item serves one pattern."""

    items: tuple[Pattern, ...]

    def match(self, value: Any, past: Past) -> Truth:
        if not isinstance(value, list) or len(value) != len(self.items):
            return False
        answers = [[pattern.match(item, past) for item in value] for pattern in self.items]
        if self._all([[p for p, a in enumerate(row) if a is True] for row in answers]):
            return True
        return None if self._all([[p for p, a in enumerate(row) if a is not False] for row in answers]) else False

    def _all(self, options: list[list[int]]) -> bool:
        return served(assign(options)) == len(self.items)

    def tell(self) -> str:
        return f"[{', '.join(p.tell() for p in self.items)}] in any order"
