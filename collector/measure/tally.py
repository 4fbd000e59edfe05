"""Counts and times, kept by the thread that does the work: no lock, some 0.3 µs each, and read by any other thread."""

from bisect import bisect_left
from dataclasses import dataclass

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of a histogram of times: from below the flush of a fast disk to beyond the patience of any exporter."""

Labels = tuple[str, ...]


class Tally:
    """Counts by the values of their labels. One thread at a time may add; a count never falls.

    `known` are labels that are told from the start, as 0: what begins with 1 has no rate.
    """

    def __init__(self, *known: Labels) -> None:
        self._counts: dict[Labels, int] = dict.fromkeys(known, 0)

    def add(self, *labels: str, by: int = 1) -> None:
        """Count `by` more."""
        if by:
            self._counts[labels] = self._counts.get(labels, 0) + by

    def items(self) -> list[tuple[Labels, int]]:
        """All counts, in the order of their labels."""
        return sorted(self._counts.copy().items())

    def total(self, *labels: str) -> int:
        """The sum of the counts whose labels begin with these."""
        return sum(count for found, count in self.items() if found[: len(labels)] == labels)


@dataclass(frozen=True, slots=True)
class Times:
    """A histogram as it was at one moment: how many fell within each bound of SECONDS, all, and their sum in seconds."""

    within: tuple[int, ...]
    count: int
    seconds: float


class Clocked:
    """A histogram of seconds. One thread at a time may add."""

    def __init__(self) -> None:
        self._counts = [0] * (len(SECONDS) + 1)
        self._seconds = 0.0

    def add(self, seconds: float) -> None:
        """One more of this length."""
        self._counts[bisect_left(SECONDS, seconds)] += 1
        self._seconds += seconds

    def now(self) -> Times:
        """What was added so far. Its sum may lag one behind its counts, which belong together."""
        counts, within, count = self._counts.copy(), [], 0
        for number in counts:
            count += number
            within.append(count)
        return Times(tuple(within[:-1]), count, self._seconds)
