"""How much comes in a second: what tells a burst from a steady flow."""

import time
from collections.abc import Callable
from typing import NamedTuple

WINDOW = 0.1
"""Seconds over which is counted."""


class Rate(NamedTuple):
    """What comes in a second."""

    rows: float
    requests: float


_NOTHING = Rate(0.0, 0.0)


class Arrivals:
    """Not locked: it belongs under the queue's lock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._rows = self._requests = 0
        self._rates = (_NOTHING, _NOTHING)

    def note(self, rows: int, requests: int) -> None:
        """So many have come."""
        passed = self._clock() - self._since
        if passed >= WINDOW:
            self._rates = self._rates[1], Rate(self._rows / passed, self._requests / passed)
            self._since += passed
            self._rows = self._requests = 0
        self._rows += rows
        self._requests += requests

    def rate(self) -> Rate:
        """Of the last two windows the slower one (one large request is no burst); nothing where none have come since."""
        if self._clock() - self._since >= 2 * WINDOW:
            return _NOTHING
        before, last = self._rates
        return Rate(min(before.rows, last.rows), min(before.requests, last.requests))
