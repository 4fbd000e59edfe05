"""The store's files, and files with tokens, are their owner's alone (X-33).

As ssh does with its keys: what another user of the machine owns or may change is not used. Where a system has no owners and
rights of this kind nothing is looked at; the collector runs on none of these.
"""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from collector.errors import UserError

_log = logging.getLogger(__name__)

_OTHERS = 0o077
_WRITE = stat.S_IWGRP | stat.S_IWOTH
_BESIDE = ("", ".wal", ".ledger")


def keep_private(store: str) -> None:
    """Take the rights of others from a store's files that were made with them; say so, or say that it cannot be done."""
    for path in _files(store):
        try:
            mode = path.stat().st_mode
            if mode & _OTHERS:
                path.chmod(mode & ~_OTHERS & 0o777)
                _log.warning("%s could be read by other users of this machine; now it cannot.", path)
        except FileNotFoundError:
            continue
        except OSError:
            _log.warning("%s can be read by other users of this machine: it should have the mode 0600.", path)


def require_own(store: str) -> None:
    """Raise UserError with all that others could change of a store that is to be served: its files, and their folder.

    A folder in which only owners remove files (as /tmp) will do. One that its group may change is warned of.
    """
    problems = [f"{path} {wrong}" for path in _files(store) if (wrong := distrust(path))]
    folder = Path(store).absolute().parent
    mode = folder.stat().st_mode if folder.is_dir() and hasattr(os, "geteuid") else 0
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        problems.append(
            f"{folder}, the store's folder, can be changed by every user of this machine, who could put another file there: "
            f"chmod o-w {folder}, better 700."
        )
    elif mode & stat.S_IWGRP and not mode & stat.S_ISVTX and folder.stat().st_gid != os.getegid():
        _log.warning("%s, the store's folder, can be changed by its group: it should have the mode 0700.", folder)
    if problems:
        raise UserError("\n".join(problems))


def distrust(path: Path) -> str | None:
    """Why a file is not to be trusted, as the rest of a sentence; None for one that is, or that is not there.

    Root may own it, and anybody where it lies on a file system that is mounted read-only here, as secrets of containers do.
    """
    if not hasattr(os, "geteuid"):
        return None
    try:
        found, mounted = path.stat(), os.statvfs(path)
    except OSError:
        return None  # whoever reads it says so
    if mounted.f_flag & os.ST_RDONLY:
        return None
    if found.st_uid not in (os.geteuid(), 0):
        who = f"belongs to another user (number {found.st_uid}), who could change it"
        return f"{who}: make it yours with chown, or do this as that user."
    if found.st_mode & _WRITE:
        return f"can be changed by other users of this machine: chmod go-w {path}, better 600."
    return None


def _files(store: str) -> Iterator[Path]:
    return (Path(store + suffix) for suffix in _BESIDE)
