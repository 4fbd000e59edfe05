"""Which traces have evidence that is not in their tree yet, in memory while the store is open."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(slots=True)
class _Wait:
    first: int
    seq: int
    since: float
    newest: float


class Pending:
    """Dirty traces, noted by the writer's thread and taken by the settler's; times are `time.monotonic()`."""

    def __init__(self, stored: Iterable[tuple[str, int, int]] = ()) -> None:
        """Start with what was left over when the store was closed: it waits for nothing any more.

        Each is a trace with its first and its last commit.
        """
        self._lock = threading.Lock()
        self._opened = time.monotonic()
        self._waits: dict[str, _Wait] = {}
        self.restart(stored)

    def restart(self, stored: Iterable[tuple[str, int, int]]) -> None:
        """Begin anew with what the store says: traces that are gone wait no more, others wait for their trees again."""
        with self._lock:
            self._waits = {t: _Wait(first, last, float("-inf"), float("-inf")) for t, first, last in stored}

    def __len__(self) -> int:
        return len(self._waits)

    def lag(self) -> float:
        """Seconds for which the oldest evidence waits for its tree; of what was left over at the start, since then."""
        now = time.monotonic()
        with self._lock:
            return max((now - max(wait.since, self._opened) for wait in self._waits.values()), default=0.0)

    def note(self, seq: int, traces: Iterable[str]) -> None:
        """Commit `seq` brought evidence for these traces."""
        now = time.monotonic()
        with self._lock:
            for trace in traces:
                wait = self._waits.setdefault(trace, _Wait(seq, seq, now, now))
                wait.seq, wait.newest = seq, now

    def ripe(self, quiet: float, longest: float) -> list[str]:
        """Traces that nothing came for in `quiet` seconds, or that have waited for `longest`; in order of arrival."""
        now = time.monotonic()
        with self._lock:
            found = [(w.seq, t) for t, w in self._waits.items() if now - w.newest >= quiet or now - w.since >= longest]
        return [trace for _, trace in sorted(found)]

    def all(self, among: Iterable[str] | None = None) -> list[str]:
        """All dirty traces, or those among the given ones; in order of arrival."""
        with self._lock:
            wanted = self._waits.keys() if among is None else self._waits.keys() & set(among)
            return sorted(wanted, key=lambda trace: (self._waits[trace].seq, trace))

    def first(self, traces: Iterable[str]) -> int | None:
        """The first commit with evidence of any of these traces since they were clean; None where one of them is clean now."""
        with self._lock:
            found = [wait.first if (wait := self._waits.get(trace)) else None for trace in traces]
        return None if None in found else min((first for first in found if first is not None), default=None)

    def done(self, traces: Iterable[str], upto: int) -> None:
        """The trees of these traces hold all evidence up to commit `upto`."""
        with self._lock:
            for trace in traces:
                if trace in self._waits and self._waits[trace].seq <= upto:
                    del self._waits[trace]
