"""How much the bearer of one token may send: bytes a second, and bytes in memory at the same time (X-06).

A request is let in while its bearer owes nothing, and is charged in full for what it brings: so the rate holds over time, and
no single request is impossible. Bytes are counted as they come, and once more as gzip unpacks them.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

SAVED = 2.0
"""Seconds of silence that are saved up: exporters send in bursts, one every 5 seconds or so."""

SOON = 1.0
"""Seconds after which there may be room in memory: a request that is being answered takes less."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What one bearer may do; 0: as much as it likes."""

    bytes_per_second: int = 0
    in_flight_bytes: int = 0

    def __bool__(self) -> bool:
        return bool(self.bytes_per_second or self.in_flight_bytes)


UNLIMITED = Quota()


class Tenant:
    """One bearer, and what it has used. Safe to use from any thread. `clock` gives seconds that only rise."""

    def __init__(self, quota: Quota, clock: Callable[[], float] = time.monotonic) -> None:
        self.quota = quota
        self._clock = clock
        self._lock = threading.Lock()
        self._left, self._at = quota.bytes_per_second * SAVED, clock()
        self.in_flight = 0

    def wait(self, size: int = 0) -> float:
        """Seconds until a request of `size` bytes (0: nobody knows) may come; 0: now."""
        with self._lock:
            self._refill()
            if self.quota.bytes_per_second and self._left <= 0:
                return max(-self._left / self.quota.bytes_per_second, SOON)
            return 0.0 if self._fits(max(size, 1), others=self.in_flight) else SOON

    def charge(self, size: int, held: int) -> bool:
        """Bytes of a request that holds `held` already have come; False where there is no room for them."""
        with self._lock:
            if not self._fits(size, others=self.in_flight - held):
                return False
            self._refill()
            self._left -= size
            self.in_flight += size
            return True

    def give(self, size: int) -> None:
        """These are in memory no more."""
        with self._lock:
            self.in_flight -= size

    def _fits(self, size: int, others: int) -> bool:
        """A request that is alone always fits: limits of size are another matter."""
        most = self.quota.in_flight_bytes
        return not most or not others or self.in_flight + size <= most

    def _refill(self) -> None:
        now, rate = self._clock(), self.quota.bytes_per_second
        self._left, self._at = min(rate * SAVED, self._left + (now - self._at) * rate), now


class Portion:
    """What one request takes of its bearer's quota."""

    def __init__(self, tenant: Tenant) -> None:
        self._tenant = tenant
        self._held = 0

    def wait(self, size: int = 0) -> float:
        """As `Tenant.wait`."""
        return self._tenant.wait(size)

    def take(self, size: int) -> bool:
        """Take bytes, or say that there is no room for them."""
        if not self._tenant.charge(size, self._held):
            return False
        self._held += size
        return True

    def give(self, size: int) -> None:
        """Give back what was taken."""
        self._held -= size
        self._tenant.give(size)
