"""How long a request would wait, told before it is taken (G-03).

A client gives an export up after 5 or 10 seconds and sends it again. An answer that comes later stores rows that come
twice, and the client has learnt nothing; so what would wait for too long is refused at once, to be sent again.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

DEADLINE = 4.0
"""Seconds from a request's arrival to its answer: the OpenTelemetry Collector waits 5, SDKs 10."""

_TELLING = 4 << 20
"""Bytes ahead of a request from which its wait tells the pace. With less, most of the wait is the commit's own time, and
one slow disk flush would make the collector look a thousand times slower than it is."""

_NEWEST = 0.2
"""Weight of the newest sample in the pace."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """One request on its way: when it came, in seconds, and how many bytes were on the way then, its own among them."""

    since: float
    ahead: int
    size: int


class Pace:
    """Requests on their way, and how fast they get done. Belongs to one thread, the event loop's."""

    def __init__(self, deadline: float = DEADLINE, clock: Callable[[], float] = time.monotonic) -> None:
        self._deadline = deadline
        self._clock = clock
        self._waiting: dict[int, Ticket] = {}
        self._bytes = 0
        self._rate = 0.0
        self._number = 0

    def late(self, size: int = 0) -> bool:
        """Whether `size` bytes more would be answered too late.

        Either the oldest request waits for longer than the deadline already, or at the pace of those before them the
        bytes ahead take longer.
        """
        oldest = next(iter(self._waiting.values()), None)
        if oldest is None:
            return False
        if self._clock() - oldest.since > self._deadline:
            return True
        return self._bytes >= _TELLING and self._rate > 0 and (self._bytes + size) / self._rate > self._deadline

    def enter(self, size: int) -> int:
        """A request of so many bytes is taken; the number to leave with."""
        self._number += 1
        self._bytes += size
        self._waiting[self._number] = Ticket(self._clock(), self._bytes, size)
        return self._number

    def leave(self, number: int) -> None:
        """It is answered."""
        ticket = self._waiting.pop(number)
        self._bytes -= ticket.size
        if ticket.ahead >= _TELLING:
            rate = ticket.ahead / max(self._clock() - ticket.since, 1e-6)
            self._rate = rate if not self._rate else (1 - _NEWEST) * self._rate + _NEWEST * rate
