"""The way out of a damaged store (D-05): copy everything first, then go on with what can be opened.

First the file with its log is tried, whole or what can be read of it; then without the log, that is as it was at its last
checkpoint. Nothing is thrown away: what is set aside lies in quarantine beside the store.
"""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import duckdb

from collector.store.care.salvage import salvage, unreadable
from collector.store.errors import Damaged, NoSpace, NotAStore
from collector.store.file.database import CLOSED, progress
from collector.store.file.disk import durable
from collector.store.file.highwater import HighWater, Loss, Mark
from collector.store.file.opening import connect
from collector.store.file.quarantine import keep, quarantine
from collector.store.file.space import free
from collector.store.writing import spool
from collector.store_files import LOG, MARK, beside

How = Literal["whole", "in part", "last checkpoint", "nothing"]


@dataclass(frozen=True)
class Recovered:
    """What became of a store. `copies` is the folder with everything as it was."""

    copies: Path
    how: How
    found: Mark | None
    loss: Loss | None
    """What is missing, by the mark; None where nothing is, or where there was no mark to tell."""
    reason: str = ""
    """Why the file could not be opened as it was."""
    unreadable: Mapping[str, int] = field(default_factory=dict)
    """Rows by table that could not be read."""


def recover(path: str) -> Recovered:
    """Keep copies, and leave a store that opens; where nothing can be opened, none, so that the next start makes one.

    Raises StoreInUse where somebody has the file open, NoSpace where the copies have no room, and NotAStore where the file
    never was a store of ours.
    """
    store, high_water = Path(path), HighWater(path)
    files = sorted(p for p in (store, beside(store, MARK), *spool.paths(store), *_logs(store)) if p.is_file())
    mark = high_water.read()
    if mark is None and not store.exists():
        raise NotAStore(f"There is no store {path}.")
    found, reason = _try(path)
    if found is None and mark is None and not reason:
        raise NotAStore(f"{path} is a DuckDB database but not a tracegrade store; it was left alone.")
    copies = _copy(files, quarantine(store))
    how: How = "whole"
    unread: dict[str, int] = {}
    if found is None or reason:
        found, how, unread = _next_best(store)
    loss = high_water.loss(found)
    if found is None:
        _remove([store, beside(store, MARK)])
        spool.give_away(store)
    elif loss is not None:
        high_water.begin(found)
    high_water.close()
    return Recovered(copies, how, found, loss, reason, unread)


def _next_best(store: Path) -> tuple[Mark | None, How, dict[str, int]]:
    """All that can be read with the log; else what there was at the last checkpoint; else what can be read of that."""
    for how in ("in part", "last checkpoint", "in part"):
        unread: dict[str, int] = {}
        try:
            if how == "in part":
                unread = salvage(store)
            else:
                _remove(_logs(store))
        except duckdb.Error:
            continue
        found, wrong = _try(str(store))
        if found is not None and not wrong:
            return found, how, unread
    _remove(_logs(store))
    return None, "nothing", {}


def _try(path: str) -> tuple[Mark | None, str]:
    """How far the store has come that can be opened here; and what is wrong with it."""
    if not Path(path).exists():
        return None, "the file is gone"
    try:
        with contextlib.closing(connect(path, CLOSED)) as connection:
            found, bad = progress(connection), unreadable(connection)
            return found, f"not all of {', '.join(bad)} can be read" if bad else ""
    except Damaged as error:
        return None, str(error).partition(" Nothing was changed.")[0]
    except duckdb.Error as error:  # it opens, but what it says of itself cannot be read
        return None, str(error).splitlines()[0]


def _copy(files: list[Path], folder: Path) -> Path:
    wanted = sum(file.stat().st_size for file in files)
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700)
    if (room := free(folder)) < wanted:
        folder.rmdir()
        raise NoSpace(wanted - room)
    for file in files:
        durable(keep(file, folder))
    return folder


def _logs(store: Path) -> Iterable[Path]:
    return store.parent.glob(f"{store.name}{LOG}*")


def _remove(files: Iterable[Path]) -> None:
    for file in list(files):
        file.unlink(missing_ok=True)
