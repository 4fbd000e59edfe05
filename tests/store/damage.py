"""Stores for tests that are to be damaged: killed in the middle of their work, so that there is a log."""

import os
import subprocess
import sys
from pathlib import Path

_FILL = """
import os, sys
from collector.answer.local import LocalStore
from tests.store.rows import span, spans
store = LocalStore(sys.argv[1])
for number in range(int(sys.argv[2])):
    store.ingest(spans(*(span(number, n) for n in range(10)))).result()
    if number + 1 == int(sys.argv[3]):
        store.writer._committer.checkpoint(merge=False)
print("done", flush=True)
os.kill(os.getpid(), 9)
"""


def killed(path: Path, commits: int = 40, checkpoint_after: int = 10) -> Path:
    """A store of a process that was killed: commits of 10 spans each, those after the checkpoint in its log."""
    command = [sys.executable, "-c", _FILL, str(path), str(commits), str(checkpoint_after)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr
    assert log(path).stat().st_size > 0
    return path


def log(path: Path) -> Path:
    """The database's log."""
    return path.with_name(path.name + ".wal")


def flip(path: Path, at: int) -> None:
    """Turn all bits of one byte."""
    with path.open("rb+") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0xFF]))


def same_header_of_version(path: Path, version: int) -> None:
    """Write a storage version into the file's first header, with the right checksum."""
    data = bytearray(path.read_bytes()[:4096])
    data[12:20] = version.to_bytes(8, "little")
    checksum, mask = 5381, (1 << 64) - 1
    for at in range(8, 4096, 8):
        checksum ^= int.from_bytes(data[at : at + 8], "little") * 0xBF58476D1CE4E5B9 & mask
    data[:8] = checksum.to_bytes(8, "little")
    with path.open("rb+") as file:
        file.write(data)
        os.fsync(file.fileno())
