"""The log goes into the file between commits, and row groups are merged in pauses."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.store.database import Database
from collector.store.limits import WriterLimits
from collector.store.writer import Writer
from tests.store.rows import span, spans


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
        stored += writer.submit(spans(span(number, 1), span(number, 2))).result().stored
        sizes.append(log.stat().st_size if log.exists() else 0)
    assert stored == count(database) == 400
    assert any(after < before for before, after in itertools.pairwise(sizes)), "no checkpoint"
    assert writer.trouble() is None
    writer.close()


def test_row_groups_are_merged_when_nothing_is_to_do(database: Database):
    """Each checkpoint at work leaves a row group that is not full; the first pause merges these, and all rows stay."""
    busy = Writer(database, WriterLimits(log_bytes=1, idle_seconds=1e6))
    for number in range(8):
        busy.submit(spans(span(number, 1))).result()
    busy.close()
    assert row_groups(database) == 8
    writer = Writer(database, WriterLimits(idle_seconds=0.05))
    writer.submit(spans(span(9, 1))).result()
    until = time.monotonic() + 60
    while row_groups(database) > 1 and time.monotonic() < until:
        time.sleep(0.01)
    assert (row_groups(database), count(database)) == (1, 9)
    writer.close()
