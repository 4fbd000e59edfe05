"""The log goes into the file between commits, and row groups are merged in pauses."""

import itertools
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collector.store.errors import Unavailable
from collector.store.file.blocks import HEADERS
from collector.store.file.database import Database
from collector.store.writing.checkpoints import BURST_LOGS
from collector.store.writing.limits import WriterLimits
from collector.store.writing.writer import Writer
from tests.store.rows import committed, span, spans


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A fresh store."""
    database = Database(tmp_path / "a.duckdb")
    yield database
    database.close()


def row_groups(database: Database) -> int:
    """Of the table of spans."""
    sql = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('evidence.spans')"
    return database.cursor().execute(sql).fetchall()[0][0]


def count(database: Database) -> int:
    """Stored spans."""
    return database.cursor().execute("SELECT count(*) FROM evidence.spans").fetchall()[0][0]


def test_a_large_log_is_written_into_the_file_while_requests_come(database: Database):
    """Over its size the log is checkpointed between groups: none is refused for it, and none is lost."""
    writer = Writer(database, WriterLimits(log_bytes=50_000, idle_seconds=1e6))
    log, sizes, stored = Path(database.path + ".wal"), [0], 0
    for number in range(200):
        stored += committed(writer.submit(spans(span(number, 1), span(number, 2)))).stored
        sizes.append(log.stat().st_size if log.exists() else 0)
    assert stored == count(database) == 400
    assert any(after < before for before, after in itertools.pairwise(sizes)), "no checkpoint"
    assert writer.trouble() is None
    writer.close()


def test_the_log_of_a_burst_waits(database: Database, monkeypatch: pytest.MonkeyPatch):
    """While it grows fast it may become many times as large as it should be, and is written then; nothing is lost."""
    monkeypatch.setattr("collector.store.writing.checkpoints.BURST", 0)  # any growth is fast
    most = 20_000
    writer = Writer(database, WriterLimits(log_bytes=most, idle_seconds=1e6))
    log, sizes = Path(database.path + ".wal"), [0]
    while len(sizes) < 2 or sizes[-2] <= sizes[-1]:
        committed(writer.submit(spans(span(len(sizes), 1))))
        sizes.append(log.stat().st_size if log.exists() else 0)
    assert BURST_LOGS * most < max(sizes) < (BURST_LOGS + 4) * most
    assert count(database) == len(sizes) - 1
    writer.close()


def test_row_groups_are_merged_when_nothing_is_to_do(database: Database):
    """Each checkpoint at work leaves a row group that is not full; the first pause merges these, and all rows stay."""
    busy = Writer(database, WriterLimits(log_bytes=1, idle_seconds=1e6))
    for number in range(8):
        committed(busy.submit(spans(span(number, 1))))
    busy.close()
    assert row_groups(database) == 8
    writer = Writer(database, WriterLimits(idle_seconds=0.05))
    committed(writer.submit(spans(span(9, 1))))
    until = time.monotonic() + 60
    while row_groups(database) > 1 and time.monotonic() < until:
        time.sleep(0.01)
    assert (row_groups(database), count(database)) == (1, 9)
    writer.close()


class Cutting:
    """A connection that finds its file cut when it begins a checkpoint."""

    def __init__(self, database: Database, to: int) -> None:
        self._connection, self._file, self._to = database.cursor(), database.file, to

    def execute(self, sql: str, *params: object) -> Any:
        """As the connection does."""
        if sql == "CHECKPOINT":
            os.truncate(self._file, self._to)
        return self._connection.execute(sql, *params)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="holes are found on Linux")
@pytest.mark.parametrize("to", [0, 5000, HEADERS, HEADERS + 100_000, HEADERS + 300_000])
def test_a_cut_in_the_middle_of_a_checkpoint_ends_the_answers(database: Database, to: int):
    """What the checkpoint writes makes a cut file long again; all the same nothing is taken afterwards."""
    limits = WriterLimits(log_bytes=1, idle_seconds=1e6)
    writer = Writer(database, limits)
    for number in range(10):
        committed(writer.submit(spans(span(number, 1))))
    writer.close()
    writer = Writer(database, limits)
    writer._committer._connection = Cutting(database, to)  # ty: ignore[invalid-assignment]
    committed(writer.submit(spans(span(99, 1))))  # it is in the log, which is written into the file now
    while "a.duckdb" not in (writer.unready() or ""):
        time.sleep(0.001)
    with pytest.raises(Unavailable):
        writer.submit(spans(span(99, 2)))
    assert database.file.stat().st_size > to, "it has not grown again"
    assert len(list((database.file.parent / "quarantine").iterdir())) == 1
    writer.close()
