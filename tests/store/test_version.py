"""The schema's version."""

from pathlib import Path

import duckdb
import pytest

from collector.store.errors import NotAStore
from collector.store.extension import Extension
from collector.store.file.database import Database

EXTENSION = Extension(
    "grader", "CREATE TABLE IF NOT EXISTS grader.notes (text VARCHAR)", {"notes": "FROM grader.notes"}
)


def test_another_version_is_refused_with_the_path(tmp_path: Path):
    """A store of another schema version is refused, and the message names the file and both versions."""
    path = tmp_path / "old.duckdb"
    Database(path).close()
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO evidence.about VALUES ('schema_version', '999')")
    with pytest.raises(NotAStore, match=r"old\.duckdb was written with store schema .*999"):
        Database(path)


def test_a_foreign_database_is_refused(tmp_path: Path):
    """A DuckDB file that is no store of ours is left alone."""
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE cats (name VARCHAR)")
    with pytest.raises(NotAStore, match="not a tracegrade store"):
        Database(path)


def test_opening_again_writes_nothing(tmp_path: Path):
    """A store that is up to date is opened without any schema change."""
    path = tmp_path / "a.duckdb"
    Database(path, extensions=[EXTENSION]).close()
    before = path.read_bytes()
    Database(path, extensions=[EXTENSION]).close()
    assert path.read_bytes() == before
    assert not path.with_name("a.duckdb.wal").exists()


def test_an_extension_may_come_later(tmp_path: Path):
    """Tables of an extension are created in a store that was made without it."""
    path = tmp_path / "a.duckdb"
    Database(path).close()
    database = Database(path, extensions=[EXTENSION])
    assert database.cursor().execute("FROM grader.notes").fetchall() == []
    database.close()
