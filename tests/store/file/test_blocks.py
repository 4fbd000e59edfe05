"""Files of the database that were cut and have grown again: found by their holes, and judged by the blocks' checksums."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from collector.store.file.blocks import HEADERS, Identity, descriptor, holes, spoiled, still_open

BLOCK = 262_144

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux tells which files are open")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """An open database of some blocks."""
    with duckdb.connect(str(tmp_path / "a")) as opened:
        opened.execute("CREATE TABLE t AS SELECT md5(i::VARCHAR) AS text FROM range(100_000) r(i)")
        opened.execute("CHECKPOINT")
        yield opened


@pytest.fixture
def file(tmp_path: Path, connection: duckdb.DuckDBPyConnection) -> Path:
    """Its file."""
    assert connection.execute("SELECT total_blocks FROM pragma_database_size()").fetchall()[0][0] > 5
    return tmp_path / "a"


def identity(file: Path) -> Identity:
    """Which file it is."""
    return file.stat().st_dev, file.stat().st_ino


def regrow(file: Path, at: int, to: int | None = None) -> None:
    """Cut a file and make it as long as it was; from `to` on it holds what it held."""
    size, rest = file.stat().st_size, file.read_bytes()[to:] if to else b""
    os.truncate(file, at)
    os.truncate(file, size)
    with file.open("rb+") as written:
        written.seek(size - len(rest))
        written.write(rest)


def found(file: Path) -> list[int]:
    """The blocks that are not what was written."""
    return spoiled(identity(file), holes(identity(file)), BLOCK)


def test_the_database_leaves_no_holes(file: Path, connection: duckdb.DuckDBPyConnection):
    """Large transactions, deletions, merges and what is given up leave a file without holes, as long as its header says."""
    for number in range(12):
        connection.execute(f"SET max_vacuum_tasks = {100 * (number % 2)}")
        connection.execute("BEGIN")
        connection.execute("INSERT INTO t SELECT md5(i::VARCHAR) FROM range(?) r(i)", [1000 * 5 ** (number % 4)])
        connection.execute("ROLLBACK" if number == 7 else "COMMIT")
        if number % 3 == 2:
            connection.execute("DELETE FROM t WHERE rowid % 3 = 0 OR rowid > 50_000")
        connection.execute("CHECKPOINT")
        assert not holes(identity(file))
        size = connection.execute("SELECT total_blocks * block_size FROM pragma_database_size()").fetchall()[0][0]
        assert file.stat().st_size == HEADERS + size


@pytest.mark.parametrize(
    ("at", "to", "numbers"),
    [
        (HEADERS + 2 * BLOCK, HEADERS + 4 * BLOCK, [2, 3]),
        (HEADERS + 3 * BLOCK - 10_000, HEADERS + 3 * BLOCK, [2]),
        (HEADERS + 2 * BLOCK + 1, HEADERS + 3 * BLOCK, [2]),
        (100, HEADERS, [-1]),
        (0, HEADERS + BLOCK, [-1, 0]),
    ],
)
def test_what_was_lost_is_found(file: Path, at: int, to: int, numbers: list[int]):
    """Blocks that were cut off in whole or in part are named, those that were written again are not."""
    regrow(file, at, to)
    assert found(file) == numbers


def test_a_sparse_copy_is_whole(file: Path, tmp_path: Path):
    """A copy that leaves out zeros has holes, and all of its blocks are what was written."""
    done = subprocess.run(["cp", "--sparse=always", file, tmp_path / "b"], check=False)
    if done.returncode:
        pytest.skip("there is no cp that makes sparse copies")
    with (tmp_path / "b").open("rb"):
        assert holes(identity(tmp_path / "b"))
        assert found(tmp_path / "b") == []


@pytest.mark.parametrize(
    "look", [descriptor, still_open, lambda file: holes(file) or None, lambda file: spoiled(file, [(0, 9)], 9) or None]
)
def test_a_file_that_is_not_open_is_not_looked_at(tmp_path: Path, look: Callable[[Identity], object]):
    """Nothing is opened only to look at it: to close it would give up the database's lock."""
    (tmp_path / "b").touch()
    os.truncate(tmp_path / "b", BLOCK)
    assert look(identity(tmp_path / "b")) is None
    with (tmp_path / "b").open("rb"):
        assert look(identity(tmp_path / "b")) is not None


def test_a_look_leaves_the_lock(file: Path):
    """Another process cannot open the file afterwards either."""
    size = file.stat().st_size
    for length in (size - 2 * BLOCK, size):
        os.truncate(file, length)
    assert len(found(file)) == 2
    code = f"import duckdb; duckdb.connect({str(file)!r})"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Conflicting lock" in other.stderr
