"""The names of a store's files."""

from pathlib import Path

import pytest

from collector.store_files import ASIDE, BESIDE, LOG, MARK, SPOOLS, beside


@pytest.mark.parametrize(
    ("ending", "name"),
    [
        (LOG, "a.duckdb.wal"),
        (MARK, "a.duckdb.ledger"),
        (SPOOLS[0], "a.duckdb.spool"),
        (SPOOLS[1], "a.duckdb.spool2"),
        (ASIDE, "a.duckdb.tmp"),
    ],
)
def test_a_stores_files_lie_side_by_side(ending: str, name: str):
    """Each has the store's whole name and an ending of its own, given as text or as a path."""
    assert beside("/data/a.duckdb", ending) == beside(Path("/data/a.duckdb"), ending) == Path("/data", name)
    assert ending in BESIDE
