"""What was answered before its commit: how much of it is owed, who waits for it, and what must be tried again."""

import threading
from collections import deque
from collections.abc import Iterable

from collector.store.writing.group import Request

CATCH_UP = 5.0
"""Seconds that a reader waits at most for what was answered."""


class Promises:
    """Counts commits of answered requests. But for `catch_up` it is called with the lock held, which `changed` is of."""

    def __init__(self, changed: threading.Condition) -> None:
        self._changed = changed
        self._made = self._kept = 0
        self._put_back: deque[Request] = deque()
        self._ended = False
        self.readers = 0
        """Who wait."""

    @property
    def owed(self) -> int:
        """Commits that are still to come."""
        return self._made - self._kept + len(self._put_back)

    @property
    def put_back(self) -> int:
        """Requests among them that could not be committed yet."""
        return len(self._put_back)

    def make(self, count: int = 1) -> None:
        """So many requests were answered."""
        self._made += count

    def keep(self, count: int) -> None:
        """So many are committed."""
        self._kept += count

    def put_off(self, requests: Iterable[Request]) -> None:
        """These could not be committed: nobody waits for them any more until they are tried again."""
        found = list(requests)
        self._kept += len(found)
        self._put_back.extend(found)

    def again(self) -> Request:
        """The oldest of those is tried again."""
        self._made += 1
        return self._put_back.popleft()

    def catch_up(self, longest: float = CATCH_UP) -> None:
        """Return when readers see what was answered by now, as far as it can be committed, or after so many seconds."""
        if (upto := self._made) > self._kept:  # they are committed in their order
            with self._changed:
                self.readers += 1
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._kept >= upto or self._ended, longest)
                self.readers -= 1

    def end(self) -> None:
        """Nobody waits any more."""
        self._ended = True
