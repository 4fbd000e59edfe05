"""The store's files are their owner's alone (X-33)."""

import logging
from pathlib import Path

_log = logging.getLogger(__name__)

_OTHERS = 0o077
_BESIDE = ("", ".wal")


def keep_private(store: str) -> None:
    """Take the rights of others from a store's files that were made with them; say so, or say that it cannot be done."""
    for path in (Path(store + suffix) for suffix in _BESIDE):
        try:
            mode = path.stat().st_mode
            if mode & _OTHERS:
                path.chmod(mode & ~_OTHERS & 0o777)
                _log.warning("%s could be read by other users of this machine; now it cannot.", path)
        except FileNotFoundError:
            continue
        except OSError:
            _log.warning("%s can be read by other users of this machine: it should have the mode 0600.", path)
