"""Where copies of damaged files are kept: a folder of its own for each time, beside the store, for its owner alone."""

import glob
import shutil
from datetime import UTC, datetime
from pathlib import Path


def quarantine(store: Path) -> Path:
    """A new folder below `quarantine` beside the store, named by the time; whoever puts something into it makes it."""
    time = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
    return store.parent / "quarantine" / f"{store.name}-{time}Z"


def keep(file: Path, folder: Path, name: str | None = None) -> Path:
    """Copy a file into such a folder, which is there, for its owner alone, under its own name or another. Raises OSError."""
    kept = Path(shutil.copyfile(file, folder / (name or file.name)))
    kept.chmod(0o600)
    return kept


def copies(store: Path) -> tuple[str, ...]:
    """The folders with copies of this store that are there, the oldest first."""
    return tuple(str(folder) for folder in sorted((store.parent / "quarantine").glob(f"{glob.escape(store.name)}-*")))
