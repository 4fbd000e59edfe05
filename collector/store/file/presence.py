"""Whether the store's files at their path are still those that are open.

On Linux and macOS an open file can be replaced, removed or cut; the database does not notice, and what it commits is gone
with it. Two looks at the file system before each answer tell (some 10 µs, beside a commit of milliseconds). A cut file that
has grown again has a hole (`blocks`, on Linux): that is looked for where it has grown and after each checkpoint. Unseen stays
a cut in the last page of a block, where all that stood behind it is written anew in the same moment. What was replaced lives
on for as long as it is open: on Linux it is copied out (`rescue`).
"""

import errno
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from collector.store.file.blocks import Identity, holes, spoiled, still_open
from collector.store.file.quarantine import keep
from collector.store.file.space import free
from collector.store_files import LOG, beside


class _Seen(NamedTuple):
    identity: Identity
    size: int


class Presence:
    """The file and its log as they were at the last look. Only a checkpoint makes them smaller.

    It belongs to the thread that writes; `gone` alone may be asked from any.
    """

    def __init__(self, path: str | Path, block_size: int) -> None:
        self._files = {"file": Path(path), "log": beside(path, LOG)}
        self._block_size = block_size
        self._seen = {name: _look(file) for name, file in self._files.items()}
        self._turn = 0  # odd while a checkpoint makes them smaller
        file = self._seen["file"]
        self._holes = holes(file.identity) if file else frozenset()

    def wrong(self, least: int | None = None) -> str | None:
        """What happened to the files since the last look, as words that follow the file's path; None: they are ours and grew.

        After a checkpoint, which says how many bytes the file has at `least`, it may be smaller, and the log another one or
        gone.
        """
        now = {name: _look(path) for name, path in self._files.items()}
        for name, before in self._seen.items():
            if before is None or (least is not None and name == "log"):
                continue
            if wrong := _wrong(before, now[name], before.size if least is None else least):
                return _said(name, wrong)
        if (least is not None or now["file"] != self._seen["file"]) and self._regrown(now["file"]):
            return "was cut"
        self._seen = now
        return None

    @contextmanager
    def checkpoint(self) -> Generator[None]:
        """What is cut inside, the database cuts itself."""
        self._turn += 1
        try:
            yield
        finally:
            self._turn += 1

    def gone(self) -> str | None:
        """What happened to the files since the writer's last look, in the words of `wrong`: as far as another thread can tell.

        It asks for no holes, which the database makes for a moment by writing its blocks in any order; during a checkpoint it
        asks only whether the file is still the one.
        """
        turn, seen = self._turn, self._seen
        for name, before in seen.items():
            now = _look(self._files[name])
            if before is None or not (wrong := _wrong(before, now, before.size)):
                continue
            if (name == "file" and not _same(before, now)) or (turn % 2 == 0 and turn == self._turn):
                return _said(name, wrong)
        return None

    def _regrown(self, file: _Seen | None) -> bool:
        """Whether there is a hole that was not there before, in a block that is not whole."""
        if file is None:
            return False
        found = holes(file.identity)
        new = [(a, b) for a, b in found if not any(begin <= a and b <= end for begin, end in self._holes)]
        if spoiled(file.identity, new, self._block_size):
            return True
        self._holes = found
        return False

    def rescue(self, folder: Path) -> list[Path]:
        """Copies of our files that this process has open, made in `folder`; those that are at their path are copied, too.

        Raises OSError, and makes none, where the disk has no room for all of them.
        """
        found: dict[Path, Path] = {}
        for name, path in self._files.items():
            before = self._seen[name]
            source = path if before is None or _same(before, _look(path)) else still_open(before.identity)
            if source and source.exists():
                found[path] = source
        wanted = sum(source.stat().st_size for source in found.values())
        if found and wanted > free(self._files["file"]):
            raise OSError(errno.ENOSPC, f"the disk has no room for {-(-wanted // 2**20):,} MiB")
        if found:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return [keep(source, folder, path.name) for path, source in found.items()]


def _look(path: Path) -> _Seen | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _Seen((found.st_dev, found.st_ino), found.st_size)


def _said(name: str, wrong: str) -> str:
    return wrong if name == "file" else f"has a log that {wrong}"


def _same(before: _Seen, now: _Seen | None) -> bool:
    return now is not None and now.identity == before.identity


def _wrong(before: _Seen, now: _Seen | None, least: int) -> str | None:
    if now is None:
        return "was removed"
    if now.identity != before.identity:
        return "was replaced"
    return "was cut" if now.size < least else None
