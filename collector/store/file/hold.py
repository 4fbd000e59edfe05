"""Who may touch the file's blocks: readers of its bytes, many at a time, or one checkpoint; neither waits long.

Another process may read the live file's bytes (`answer.live`): between two checkpoints no block that it needs is written
over. A checkpoint that comes meanwhile costs the reader its work, so it waits a moment for the reader to end, else is put
off until it has, and readers that come after it wait. Nothing is wrong where somebody does not ask: the reader notices.
"""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

LONGEST = 15.0
"""Seconds for which a checkpoint is put off at most; statements are stopped earlier."""

MOMENT = 0.25
"""Seconds that a checkpoint waits for readers: most statements take less. Put off at once it came again after two seconds, and
all readers waited for these: with a statement every 0.1 s 3 of 250 took 2.0 to 2.3 s, and this way none more than 0.6 s (two
slow cores that were shared with other work)."""


class Hold:
    """Shared by readers, exclusive for a checkpoint. Safe to use from any thread."""

    def __init__(self, longest: float = LONGEST, moment: float = MOMENT) -> None:
        self._longest, self._moment = longest, moment
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
        """Whether the block may write over blocks now. Hardly waits: where it may not, ask again later."""
        with self._changed:
            now = time.monotonic()
            self._wanted = now if self._wanted is None else self._wanted
            overdue = now - self._wanted > self._longest
            self._changed.wait_for(lambda: not self._readers and not self._writing, self._moment)
            free = not self._writing and (overdue or not self._readers)
            if free:
                self._writing, self._wanted = True, None
        try:
            yield free
        finally:
            if free:
                with self._changed:
                    self._writing = False
                    self._changed.notify_all()
