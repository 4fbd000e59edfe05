"""Whether the store's files at their path are still those that are open.

On Linux and macOS an open file can be replaced, removed or cut; the database does not notice, and what it commits is gone
with it. Two looks at the file system before each answer tell (some 10 µs, beside a commit of milliseconds). What was
replaced lives on for as long as it is open: on Linux it is copied out (`rescue`).
"""

import shutil
from pathlib import Path
from typing import NamedTuple

_OPEN_FILES = Path("/proc/self/fd")


class _Seen(NamedTuple):
    identity: tuple[int, int]
    size: int


class Presence:
    """The file and its log as they were at the last look. Only a checkpoint makes them smaller."""

    def __init__(self, path: str | Path) -> None:
        self._files = {"file": Path(path), "log": Path(f"{path}.wal")}
        self._seen = {name: _look(file) for name, file in self._files.items()}

    def wrong(self, *, checkpointed: bool = False) -> str | None:
        """What happened to the files since the last look, as words that follow the file's path; None: they are ours and grew.

        After a checkpoint (`checkpointed`) the file may be smaller, and the log another one or gone.
        """
        now = {name: _look(path) for name, path in self._files.items()}
        for name, before in self._seen.items():
            if before is None or (checkpointed and name == "log"):
                continue
            if wrong := _wrong(before, now[name], may_shrink=checkpointed):
                return f"{'' if name == 'file' else 'has a log that '}{wrong}"
        self._seen = now
        return None

    def rescue(self, folder: Path) -> list[Path]:
        """Copies of our files that this process has open, made in `folder`; those that are at their path are copied, too."""
        made = []
        for name, path in self._files.items():
            before = self._seen[name]
            source = path if before is None or _same(before, _look(path)) else _still_open(before)
            if source and source.exists():
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                made.append(Path(shutil.copyfile(source, folder / path.name)))
                made[-1].chmod(0o600)
        return made


def _look(path: Path) -> _Seen | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _Seen((found.st_dev, found.st_ino), found.st_size)


def _same(before: _Seen, now: _Seen | None) -> bool:
    return now is not None and now.identity == before.identity


def _wrong(before: _Seen, now: _Seen | None, *, may_shrink: bool) -> str | None:
    if now is None:
        return "was removed"
    if now.identity != before.identity:
        return "was replaced"
    return "was cut" if now.size < before.size and not may_shrink else None


def _still_open(before: _Seen) -> Path | None:
    if not _OPEN_FILES.is_dir():
        return None
    for link in _OPEN_FILES.iterdir():
        try:
            found = link.stat()
        except OSError:
            continue
        if (found.st_dev, found.st_ino) == before.identity:
            return link
    return None
