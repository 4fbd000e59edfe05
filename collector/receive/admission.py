"""The memory that all requests share: over it they are refused, to be sent again (X-06)."""

import threading

from collector.access.quota import Portion

IN_FLIGHT = 256 << 20
"""Bytes of bodies, inflated or not, that are being received, decoded or waiting for their commit."""


class ByteBudget:
    """A bounded number of bytes. Threads and the event loop may share it.

    A single request always fits, whatever its size, when nothing else is in flight: limits of size are another matter.
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
        with self._lock:
            if not self.fits(size):
                return False
            self._taken += size
            return True

    def give(self, size: int) -> None:
        """Give back what was taken."""
        with self._lock:
            self._taken -= size


class PortionedBudget(ByteBudget):
    """The budget of one request of a bearer with a quota: the memory of all, and this bearer's part of it (X-06)."""

    def __init__(self, total: ByteBudget, portion: Portion) -> None:
        super().__init__()
        self._all, self._portion = total, portion

    @property
    def full(self) -> bool:
        """Whether hardly anything is granted to anybody."""
        return self._all.full

    def fits(self, size: int) -> bool:
        """Whether `size` more would be granted now."""
        return self._all.fits(size) and not self._portion.wait(size)

    def wait(self, size: int) -> float:
        """Seconds until the bearer may send `size` bytes more; 0: now."""
        return self._portion.wait(size)

    def take(self, size: int) -> bool:
        """Take bytes of both, or of neither."""
        if not self._all.take(size):
            return False
        if not self._portion.take(size):
            self._all.give(size)
            return False
        self._taken += size
        return True

    def give(self, size: int) -> None:
        """Give back what was taken."""
        self._taken -= size
        self._portion.give(size)
        self._all.give(size)
