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
from collector.store_files import BESIDE, beside

_log = logging.getLogger(__name__)

_OTHERS = 0o077
_WRITE = stat.S_IWGRP | stat.S_IWOTH


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
    """Raise UserError with all files of a store that is to be served which others own or could change.

    Of a folder that others may change it is warned: who puts another file there cannot make it ours, so that the next start
    refuses it and a running collector stops acknowledging. (Volumes of containers often are 0777, where nobody else is.)
    """
    problems = [f"{path} {wrong}" for path in _files(store) if (wrong := distrust(path))]
    if problems:
        raise UserError("\n".join(problems))
    folder = Path(store).absolute().parent
    if folder.is_dir() and (who := _others(folder.stat())):
        _log.warning("%s, the store's folder, can be changed by %s: it should have the mode 0700.", folder, who)


def _others(folder: os.stat_result) -> str | None:
    """Who else may remove files there; nobody in a folder where only owners do, such as /tmp."""
    if not hasattr(os, "geteuid") or folder.st_mode & stat.S_ISVTX:
        return None
    if folder.st_mode & stat.S_IWOTH:
        return "every user of this machine"
    return "its group" if folder.st_mode & stat.S_IWGRP and folder.st_gid != os.getegid() else None


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
    return (beside(store, ending) for ending in ("", *BESIDE))
