"""Reading a database's bytes while another connection writes to it."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from collector.answer.live import LiveFiles, Replaced


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database lies."""
    return tmp_path / "it's a store.duckdb"


@pytest.fixture
def writer(path: Path) -> Generator[duckdb.DuckDBPyConnection]:
    """A connection that has the database open, with one row behind a checkpoint and one in the log."""
    with duckdb.connect(str(path), config={"checkpoint_threshold": "1GiB"}) as connection:
        connection.execute("CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1)")
        connection.execute("CREATE TABLE long AS SELECT md5(range::VARCHAR) AS text FROM range(30000)")
        connection.execute("CHECKPOINT; INSERT INTO t VALUES (2)")
        yield connection


@contextmanager
def reading(files: LiveFiles) -> Generator[duckdb.DuckDBPyConnection]:
    """Another database instance that has the same file attached."""
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        connection.register_filesystem(files)
        connection.execute("ATTACH '" + files.url.replace("'", "''") + "' AS it (READ_ONLY)")
        yield connection


def rows(connection: duckdb.DuckDBPyConnection) -> list[int]:
    """What the table holds."""
    return [n for (n,) in connection.execute("SELECT n FROM it.t ORDER BY n").fetchall()]


def test_what_is_committed_is_read_while_it_is_open_elsewhere(path: Path, writer: duckdb.DuckDBPyConnection):
    """The last checkpoint and the log are read together; an open transaction is not, nor what is committed later."""
    writer.execute("BEGIN; INSERT INTO t VALUES (3)")
    files = LiveFiles(str(path))
    with reading(files) as connection:
        assert rows(connection) == [1, 2]
        assert not files.grown()
        writer.execute("COMMIT")
        assert files.grown()
        assert rows(connection) == [1, 2]
        files.check()


def test_a_checkpoint_is_noticed(path: Path, writer: duckdb.DuckDBPyConnection):
    """After a checkpoint nothing is read any more that might be something else by now."""
    files = LiveFiles(str(path))
    with reading(files) as connection:
        writer.execute("CHECKPOINT")
        for look in (files.check, files.check_header, lambda: files.block_at(4096, 0)):
            with pytest.raises(Replaced):
                look()
        with pytest.raises(duckdb.Error):
            connection.execute("SELECT max(text) FROM it.long").fetchall()


def test_another_file_in_its_place_is_noticed(path: Path, writer: duckdb.DuckDBPyConnection):
    """A file that took the name of the one that is read, as after a rewrite, ends the reading of the old one."""
    files = LiveFiles(str(path))
    path.rename(path.with_name("old"))
    path.write_bytes(path.with_name("old").read_bytes())
    files.check_header()
    with pytest.raises(Replaced):
        files.check()


def test_only_the_store_can_be_opened_and_nothing_after_sealing(path: Path, writer: duckdb.DuckDBPyConnection):
    """SQL reaches the store's own files at most, only to read, and not even them once the files are sealed."""
    (path.parent / "secret").write_text("s")
    files = LiveFiles(str(path))
    raw = "FROM read_blob('" + files.url.replace("'", "''") + "')"
    other = f"FROM read_text('live://{path.parent}/secret')"
    with reading(files) as connection:
        assert connection.execute(raw).fetchall()
        with pytest.raises(duckdb.Error):
            connection.execute(other)
        files.seal()
        assert connection.execute(raw).fetchall() == connection.execute(other).fetchall() == []
        for target in (files.url.replace("'", "''"), f"live://{path.parent}/new"):
            with pytest.raises(duckdb.Error):
                connection.execute(f"COPY (SELECT 1) TO '{target}'")
        assert rows(connection) == [1, 2]
    assert not (path.parent / "new").exists()


@pytest.mark.slow
def test_no_reader_ever_sees_a_mixture(path: Path, writer: duckdb.DuckDBPyConnection):
    """Under checkpoints that nobody puts off a reader gets exactly what one commit left, or an error: never other rows."""
    writer.execute("CREATE TABLE pairs (n BIGINT, sign BIGINT, filling VARCHAR)")
    enough = threading.Event()

    def write() -> None:
        number = 0
        while not enough.is_set():
            number += 1
            writer.execute("BEGIN")
            writer.execute(f"DELETE FROM pairs WHERE n % 7 = {number % 7}")
            writer.execute(
                f"INSERT INTO pairs SELECT range + {number}, unnest([1, -1]), repeat(md5(range::VARCHAR), 20) FROM range(1000)"
            )
            writer.execute("COMMIT")
            if number % 3 == 0:
                writer.execute("CHECKPOINT")

    thread = threading.Thread(target=write)
    thread.start()
    whole = 0
    try:
        for _ in range(12):
            try:
                files = LiveFiles(str(path))
                with reading(files) as connection:
                    files.check()
                    sums = "SELECT coalesce(sum(n * sign), 0), sum(length(filling)) % 640, count(*) FROM it.pairs"
                    total, filling, count = connection.execute(sums).fetchall()[0]
                assert (total, filling or 0, count % 2) == (0, 0, 0)
                whole += 1
            except (duckdb.Error, OSError, ValueError):
                continue
    finally:
        enough.set()
        thread.join()
    assert whole
