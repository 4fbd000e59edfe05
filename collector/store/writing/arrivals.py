"""How many rows come in a second: what tells a burst from a steady flow."""

import time
from collections.abc import Callable

WINDOW = 0.1
"""Seconds over which rows are counted."""


class Arrivals:
    """Not locked: it belongs under the queue's lock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._rows = 0
        self._rates = (0.0, 0.0)

    def note(self, rows: int) -> None:
        """So many have come."""
        passed = self._clock() - self._since
        if passed >= WINDOW:
            self._rates = self._rates[1], self._rows / passed
            self._since, self._rows = self._since + passed, 0
        self._rows += rows

    def rate(self) -> float:
        """Rows a second in the slower of the last two windows (one large request is no burst); 0 where none have come since."""
        return min(self._rates) if self._clock() - self._since < 2 * WINDOW else 0.0
