"""How much a second, over the last minute: totals noted every few seconds."""

from collections import deque
from collections.abc import Mapping

EVERY = 5.0
"""Seconds between two notes."""

SPAN = 60.0
"""Seconds that a rate looks back."""


class Rates:
    """Totals that only rise, by name; times are seconds of a clock that only rises. For one thread."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, Mapping[str, int]]] = deque(maxlen=int(SPAN / EVERY) + 1)

    def note(self, at: float, totals: Mapping[str, int]) -> None:
        """Remember the totals of this moment."""
        self._notes.append((at, dict(totals)))

    def now(self, at: float, totals: Mapping[str, int]) -> tuple[dict[str, float], float]:
        """The rates by name, and the seconds that they are over (less than SPAN after a start; 0: nothing is known yet)."""
        before = next(((then, noted) for then, noted in tuple(self._notes) if at - then <= SPAN), None)
        if before is None or at <= before[0]:
            return dict.fromkeys(totals, 0.0), 0.0
        seconds = at - before[0]
        return {name: (total - before[1].get(name, 0)) / seconds for name, total in totals.items()}, seconds
