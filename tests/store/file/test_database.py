"""Opening the file: whose it is, who may read it, and what is said when it cannot be opened."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from collector.store.errors import NotAStore, StoreInUse, Unavailable
from collector.store.file.database import Database


def test_a_file_in_use_names_the_process(tmp_path: Path):
    """Where another process has the file open the error names its pid."""
    path = tmp_path / "a.duckdb"
    database = Database(path)
    code = (
        "from collector.store.file.database import Database\n"
        f"try: Database({str(path)!r})\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    database.close()
    assert other.stdout.startswith(StoreInUse.__name__)
    assert str(os.getpid()) in other.stdout


def test_files_are_for_their_owner_alone(tmp_path: Path):
    """The file and its log are made with mode 0600, whatever the process's umask."""
    before = os.umask(0o022)
    try:
        database = Database(tmp_path / "a.duckdb")
        assert {stat.S_IMODE(f.stat().st_mode) for f in tmp_path.iterdir()} == {0o600}
        database.close()
    finally:
        os.umask(before)


def test_what_memory_does_not_hold_is_put_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Not where the process happens to be; what a killed one left there goes, and all of it when the file is closed."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    aside = tmp_path / "a.duckdb.tmp"
    aside.mkdir()
    (aside / "left").write_text("by a killed process")
    database = Database(tmp_path / "a.duckdb", memory_limit=64 << 20)
    assert not aside.exists()
    cursor = database.cursor()
    cursor.execute("CREATE TEMP TABLE large AS SELECT random() AS x, uuid() AS y FROM range(3_000_000)")
    assert list(aside.iterdir())
    database.close()
    assert not aside.exists()
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("name", "text", "said"), [("no/a.duckdb", None, "does not exist"), ("a", "hello", "not a DuckDB")]
)
def test_what_cannot_be_opened_is_named(tmp_path: Path, name: str, text: str | None, said: str):
    """A missing folder and a file of another kind each get a sentence with the path."""
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(NotAStore, match=said):
        Database(tmp_path / name)


def test_nothing_outside_of_the_file_can_be_read():
    """The instance may not read other files: external access is off for good."""
    database = Database(":memory:")
    with pytest.raises(duckdb.PermissionException):
        database.cursor().execute("SELECT * FROM read_text('/etc/hostname')").fetchall()
    with pytest.raises(duckdb.Error):
        database.cursor().execute("SET enable_external_access = true")
    database.close()


def test_a_closed_store_is_unavailable(tmp_path: Path):
    """After `close` a cursor is refused, and closing again does nothing."""
    database = Database(tmp_path / "a.duckdb")
    database.close()
    database.close()
    with pytest.raises(Unavailable):
        database.cursor()


def test_reopening_gives_the_same_rows(tmp_path: Path):
    """After a reopen new cursors see what was committed."""
    database = Database(tmp_path / "a.duckdb")
    database.cursor().execute("INSERT INTO evidence.about VALUES ('k', 'v')")
    database.reopen()
    assert database.cursor().execute("SELECT value FROM evidence.about WHERE key = 'k'").fetchall() == [("v",)]
    database.close()
