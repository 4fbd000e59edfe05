"""Files with blocks that cannot be read."""

import contextlib
import shutil
from pathlib import Path

import duckdb
import pytest

from collector.answer.local import LocalStore
from collector.store.care.checkup import check
from collector.store.care.recovery import recover
from collector.store.care.salvage import unreadable
from collector.store.file.database import CLOSED
from collector.store.file.highwater import HighWater, Mark
from collector.store.file.opening import connect
from tests.store.damage import flip
from tests.store.rows import span, spans

ROWS = 200_000

FILL = """
INSERT INTO evidence.spans (commit_seq, commit_row, trace_id, span_id, name, attributes, content_hash)
SELECT
    2 + n // 1000, n % 1000, md5((n // 10)::VARCHAR), md5(n::VARCHAR)[:16], 'step',
    md5(n::VARCHAR) || md5((-n)::VARCHAR), md5(n::VARCHAR)
FROM range($rows) t(n)
"""
LEDGER = """
INSERT INTO evidence.arrivals SELECT DISTINCT commit_seq, trace_id FROM evidence.spans WHERE commit_seq > 1;
INSERT INTO evidence.commits
SELECT commit_seq, now(), count(*), 0, 0 FROM evidence.spans WHERE commit_seq > 1 GROUP BY ALL ORDER BY 1;
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 200,001 spans with a mark that says so."""
    path = tmp_path_factory.mktemp("original") / "a.duckdb"
    with LocalStore(path) as store:
        store.ingest(spans(span(1, 1))).result()
        mark = HighWater(path).read()
        assert mark is not None
    with duckdb.connect(str(path)) as connection:
        connection.execute(FILL, {"rows": ROWS})
        connection.execute(LEDGER)
    high_water = HighWater(path)
    high_water.begin(Mark(mark.store_id, 1 + ROWS // 1000, ROWS + 1, 0))
    high_water.close()
    return path


@pytest.fixture
def store(original: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    for file in original.parent.iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path / original.name


def _damaged(path: Path) -> list[str]:
    with contextlib.closing(connect(str(path), CLOSED)) as connection:
        return list(unreadable(connection))


def test_what_can_be_read_is_kept(store: Path):
    """With a damaged block the rows of other blocks are copied, the others counted, and the store is whole again."""
    assert _damaged(store) == []
    for at in range(300_000, store.stat().st_size, 262_144):
        flip(store, at)
        if _damaged(store) == ["evidence.spans"]:
            break
        flip(store, at)
    assert _damaged(store) == ["evidence.spans"]
    done = recover(str(store))
    lost = done.unreadable["evidence.spans"]
    assert done.how == "in part"
    assert 0 < lost < ROWS
    assert done.loss is None or done.loss.commits == 0
    assert {finding.state for finding in check(str(store))} == {"ok"}
    with LocalStore(store) as opened:
        assert opened.sql("SELECT count(*) AS n FROM spans")["n"][0].as_py() == ROWS + 1 - lost
        assert opened.ingest(spans(span(9, 9))).result().stored == 1


def test_what_is_left_of_a_cut_file_is_kept(store: Path):
    """Of a file whose end was cut off what stands before the cut is kept; or nothing, and then that is said."""
    with store.open("rb+") as file:
        file.truncate(store.stat().st_size - 300_000)
    done = recover(str(store))
    if done.how == "in part":
        assert sum(done.unreadable.values()) > 0
        assert {finding.state for finding in check(str(store))} == {"ok"}
    else:
        assert done.how == "nothing"
        assert not store.exists()
