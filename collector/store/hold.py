"""Who may touch the file's blocks: readers of its bytes, many at a time, or one checkpoint; neither waits long.

Another process may read the live file's bytes (`answer.live`): between two checkpoints no block that it needs is written
over. A checkpoint that comes meanwhile costs the reader its work, so it is put off until the reader has
ended, and readers that come after it wait. Nothing is wrong where somebody does not ask: the reader notices.
"""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

LONGEST = 15.0
"""Seconds for which a checkpoint is put off at most; statements are stopped earlier."""


class Hold:
    """Shared by readers, exclusive for a checkpoint. Safe to use from any thread."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._changed = threading.Condition()
        self._readers = 0
        self._writing = False
        self._wanted: float | None = None

    @contextmanager
    def reading(self) -> Generator[None]:
        """The block reads the file's bytes; waits, at most for a while, where a checkpoint runs or is due."""
        with self._changed:
            self._changed.wait_for(lambda: not self._writing and self._wanted is None, self._longest)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def checkpoint(self) -> Generator[bool]:
        """Whether the block may write over blocks now. Never waits: where it may not, ask again a moment later."""
        with self._changed:
            now = time.monotonic()
            self._wanted = now if self._wanted is None else self._wanted
            free = not self._readers or now - self._wanted > self._longest
            if free:
                self._writing, self._wanted = True, None
        try:
            yield free
        finally:
            if free:
                with self._changed:
                    self._writing = False
                    self._changed.notify_all()
