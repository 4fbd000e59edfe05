"""How much a peer may ask for that brings nothing: frames without content, streams that it resets, pings.

Each costs the peer a few bytes and the server some work (CVE-2019-9512 to 9518, CVE-2023-44487, CVE-2024-27316).
"""

PING_SECONDS = 9.0
"""Between two pings where nothing is answered in between: exporters may send one every ten seconds (G-10)."""

PING_STRIKES = 2
"""Pings that may come too early."""

RESETS, RESETS_A_SECOND = 200.0, 10.0
"""Streams that a client may take back before their answer: an exporter whose deadline passes takes back all it has open, at
most 100 at a time."""

EMPTY, EMPTY_A_SECOND = 1000.0, 50.0
"""Frames without content that a client may send."""

USEFUL = 8.0
"""How many of them an answer pays for: a client says after each that there is room again."""


class Allowance:
    """So many at once, and so many a second afterwards. Times in seconds that only rise."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, most: float, a_second: float) -> None:
        self._most, self._rate = most, a_second
        self._left, self._at = most, 0.0

    def take(self, now: float, by: float = 1.0) -> bool:
        """One more (or something that costs as much as `by`), or too many."""
        self._left = min(self._most, self._left + max(now - self._at, 0.0) * self._rate) - by
        self._at = now
        return self._left >= 0

    def give(self, by: float) -> None:
        """The peer did something useful."""
        self._left = min(self._most, self._left + by)


class Pings:
    """The pings of one peer (as gRPC counts them: too early is within PING_SECONDS while nothing was answered)."""

    __slots__ = ("_before", "_strikes")

    def __init__(self) -> None:
        self._before = float("-inf")
        self._strikes = 0

    def answered(self) -> None:
        """Something was answered: what came before is forgotten."""
        self._before = float("-inf")
        self._strikes = 0

    def take(self, now: float) -> bool:
        """One more, or too many."""
        if now - self._before < PING_SECONDS:
            self._strikes += 1
        self._before = now
        return self._strikes <= PING_STRIKES
