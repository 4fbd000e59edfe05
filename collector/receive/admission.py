"""The memory that all requests share: over it they are refused, to be sent again (X-06)."""

import threading

from collector.access.quota import Portion, asked_by, asking

IN_FLIGHT = 256 << 20
"""Bytes of bodies, inflated or not, that are being received, decoded or waiting for their commit."""


class ByteBudget:
    """A bounded number of bytes. Threads and the event loop may share it.

    A single request always fits, whatever its size, when nothing else is in flight: limits of size are another matter.
    What is taken while a request of a limited bearer is handled (`quota.asked_by`) is taken of its quota, too.
    """

    def __init__(self, total: int = IN_FLIGHT) -> None:
        self._total = total
        self._taken = 0
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """Bytes in flight."""
        return self._taken

    @property
    def full(self) -> bool:
        """Whether hardly anything is granted: less than a sixteenth is left."""
        return self._taken > self._total - self._total // 16

    def fits(self, size: int) -> bool:
        """Whether `size` more would be granted now."""
        return self._taken == 0 or self._taken + size <= self._total

    def take(self, size: int) -> bool:
        """Take bytes, or say that there are not enough."""
        portion = asking()
        with self._lock:
            if not self.fits(size) or (portion is not None and not portion.take(size)):
                return False
            self._taken += size
            return True

    def give(self, size: int) -> None:
        """Give back what was taken."""
        if (portion := asking()) is not None:
            portion.give(size)
        with self._lock:
            self._taken -= size


class BodyBudget:
    """What the body of one request is taken from: the memory of all, and its bearer's portion of it."""

    def __init__(self, total: ByteBudget, portion: Portion) -> None:
        self._total, self.portion = total, portion

    def take(self, size: int) -> bool:
        """Take bytes, or say that there are not enough."""
        with asked_by(self.portion):
            return self._total.take(size)

    def give(self, size: int) -> None:
        """Give back what was taken."""
        with asked_by(self.portion):
            self._total.give(size)
