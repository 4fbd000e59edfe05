"""The files of a store: they lie side by side, and begin with its name."""

from pathlib import Path

LOG = ".wal"
"""DuckDB's log; what it needs for a moment has names that begin likewise."""

MARK = ".ledger"
SPOOLS = ".spool", ".spool2"
"""Requests that were answered and are not committed yet."""

ASIDE = ".tmp"
"""A folder for what the database has no memory for."""

BESIDE = LOG, MARK, *SPOOLS, ASIDE
"""All of them."""

MEMORY = ":memory:"
"""In place of a path: a store without any file."""


def beside(store: str | Path, ending: str) -> Path:
    """Where such a file of this store lies."""
    store = Path(store)
    return store.with_name(store.name + ending)
