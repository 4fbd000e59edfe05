"""Bytes on their way to the disk: written in full at a place, and flushed."""

import os
from pathlib import Path


def write_at(file: int, data: bytes | memoryview, offset: int) -> None:
    """Write all of it there. Raises OSError."""
    os.lseek(file, offset, os.SEEK_SET)  # pwrite is not everywhere; nobody else moves this position
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def flush(file: int) -> None:
    """Return when the file's bytes and its length are on the disk."""
    getattr(os, "fdatasync", os.fsync)(file)


def durable(path: Path) -> None:
    """Flush a file, or a folder after a name in it has changed (Windows cannot, and need not)."""
    if path.is_dir() and os.name == "nt":
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
