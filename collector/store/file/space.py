"""Whether the disk has room for what the store may still have to write (D-06).

A full disk kills the database in the middle of a checkpoint, so that requests are refused before: below `floor` bytes, or below
what the log's next checkpoint may need, three times the log. Refused is what comes; what waits is written.
"""

import shutil
import time
from pathlib import Path

from collector.store_files import LOG, beside

LOOK = 0.25
"""Seconds between two looks at the disk."""

FLOOR = 1 << 30


class Space:
    """The room beside one store's file; a store in memory has room always."""

    def __init__(self, path: Path | None, floor: int = FLOOR) -> None:
        self._path = path
        self._floor = floor
        self._looked = float("-inf")
        self._wanting = 0

    @property
    def wanting(self) -> int:
        """How many bytes must become free before anything is taken; 0: there is room."""
        now = time.monotonic()
        if self._path is not None and now - self._looked >= LOOK:
            self._looked = now
            self._wanting = max(self._needed(self._path) - free(self._path), 0)
        return self._wanting

    def _needed(self, path: Path) -> int:
        return max(self._floor, 3 * log_size(path)) if self._floor else 0


def free(path: Path) -> int:
    """Bytes that are free where this file lies."""
    return shutil.disk_usage(path.parent).free


def log_size(path: Path) -> int:
    """Bytes of the database's log."""
    try:
        return beside(path, LOG).stat().st_size
    except OSError:
        return 0
