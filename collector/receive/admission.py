"""The memory that all requests share: over it they are refused, to be sent again (X-06)."""

import threading

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
