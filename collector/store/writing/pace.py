"""How groups are made: small ones at once, large ones in a burst, in which requests are answered before their commit.

A commit of 64 rows takes 7 ms of the processor, one of 1,000 takes 9 (measured). And the database writes whole row groups
straight into its file: smaller ones go into its log first and then into the file, which takes 12.9 µs a span instead of 6.9,
where one INSERT of all takes 6.8.
"""

from typing import NamedTuple

from collector.store.writing.arrivals import Arrivals
from collector.store.writing.limits import WriterLimits

PATIENCE = 0.02
"""Seconds that a request waits for a writer that is held up, before it is answered otherwise: most appends take less."""


class Bounds(NamedTuple):
    """When a group is full, and for how many seconds one that is not is waited for."""

    rows: int
    bytes: int
    seconds: float


class Pace:
    """Not locked: it belongs under the queue's lock."""

    def __init__(self, limits: WriterLimits) -> None:
        self._limits = limits
        self._small = Bounds(limits.rows, limits.bytes, limits.seconds)
        self._large = Bounds(limits.burst_rows, limits.burst_bytes, limits.burst_seconds)
        self._arrivals = Arrivals()
        self.stood_in = False
        """Whether somebody answers what waits; else nothing is a burst."""
        self.held_up = False
        """Whether the writer does something longer."""

    def note(self, rows: int, requests: int) -> None:
        """So many have come."""
        self._arrivals.note(rows, requests)

    def burst(self) -> bool:
        """More comes than small groups can carry: many rows, or many requests."""
        rate, limits = self._arrivals.rate(), self._limits
        return self.stood_in and (rate.rows >= limits.burst_rate or rate.requests >= limits.burst_requests)

    def bounds(self, *, answered: bool) -> Bounds:
        """Those of a group whose senders were answered, or wait."""
        return self._large if answered else self._small

    def patience(self) -> float | None:
        """Seconds that a request waits for the writer before it is answered otherwise; None: it is not."""
        if self.burst():
            return 0.0
        return PATIENCE if self.held_up else None
