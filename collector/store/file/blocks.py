"""Blocks of the database's file that are not what was written: a file that was cut and has grown again has a hole there.

DuckDB writes every block in full, and makes a file shorter only by what nothing uses, once, at the end of a checkpoint: in 60
checkpoints of files up to 0.8 GB it never left a hole, and the file was always as long as its header says (measured). Holes
are found in 10 to 25 µs whatever the size (ext4). They are no proof: a copy can be sparse, and some file systems keep no
zeros. But each block, and each of the three headers, begins with its checksum.

Only DuckDB's own descriptor will do: to close another one of the same file gives up the lock on it (POSIX). DuckDB reads
and writes by position, so that nobody minds where the descriptor stands.
"""

import os
from collections.abc import Collection
from pathlib import Path

import numpy as np

Hole = tuple[int, int]
"""Where it begins and where it ends, in bytes."""

Identity = tuple[int, int]
"""Device and number of a file."""

_HEADER = 4096
HEADERS = 3 * _HEADER
"""Bytes before the first block."""

_OPEN_FILES = Path("/proc/self/fd")
_SEED, _FACTOR = np.uint64(5381), np.uint64(0xBF58476D1CE4E5B9)


def descriptor(file: Identity) -> int | None:
    """The first descriptor that this process has of a file, whatever became of its name; None also where it is not Linux."""
    if not _OPEN_FILES.is_dir():
        return None
    for number in sorted(int(link.name) for link in _OPEN_FILES.iterdir()):
        try:
            found = os.fstat(number)
        except OSError:  # that of the folder itself
            continue
        if (found.st_dev, found.st_ino) == file:
            return number
    return None


def still_open(file: Identity) -> Path | None:
    """A path by which an open file can be copied that may have lost its own."""
    number = descriptor(file)
    return None if number is None else _OPEN_FILES / str(number)


def holes(file: Identity) -> frozenset[Hole]:
    """Where an open file holds nothing; nowhere, where the file system or the system cannot tell."""
    if (handle := descriptor(file)) is None:
        return frozenset()
    found, at, end = set[Hole](), 0, os.fstat(handle).st_size
    while at < end and (begin := _seek(handle, at, os.SEEK_HOLE, end)) < end:
        at = _seek(handle, begin, os.SEEK_DATA, end)
        found.add((begin, at))
    return frozenset(found)


def spoiled(file: Identity, among: Collection[Hole], block_size: int) -> list[int]:
    """The blocks of an open file with holes `among` them that are not what was written, by number; -1: the headers."""
    if not among or (handle := descriptor(file)) is None:
        return []
    numbers = {
        number
        for begin, end in among
        for number in range((begin - HEADERS) // block_size, (end - 1 - HEADERS) // block_size + 1)
    }
    return [number for number in sorted(numbers) if not _whole(handle, number, block_size)]


def _seek(handle: int, at: int, what: int, end: int) -> int:
    try:
        return os.lseek(handle, at, what)
    except OSError:  # nothing of the kind follows, or the file system does not know
        return end


def _whole(handle: int, number: int, block_size: int) -> bool:
    if number < 0:
        return all(_right(os.pread(handle, _HEADER, at), _HEADER) for at in range(0, HEADERS, _HEADER))
    return _right(os.pread(handle, block_size, HEADERS + number * block_size), block_size)


def _right(data: bytes, size: int) -> bool:
    if len(data) != size:
        return False
    words = np.frombuffer(data, "<u8")
    return bool(words[0] == np.bitwise_xor.reduce(words[1:] * _FACTOR) ^ _SEED)
