"""What a check finds."""

import os
import shutil
from pathlib import Path

import duckdb
import pytest

from collector.answer.local import LocalStore
from collector.store.care.checkup import check
from collector.store.errors import NotAStore
from collector.store.writing.spool import Spool, paths
from collector.store_files import MARK, beside
from tests.store.damage import killed, log
from tests.store.rows import kept, logs, span, spans
from tests.store.rows import log as record


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with spans, a revision, a log record and trees."""
    path = tmp_path_factory.mktemp("original") / "a.duckdb"
    with LocalStore(path) as opened:
        for trace in range(1, 20):
            opened.ingest(spans(*(span(trace, n) for n in range(1, 4)))).result()
        opened.ingest(spans(span(1, 1, end_ns=0))).result()
        opened.ingest(logs(record(1, 1), record(None, 2))).result()
        opened.settle()
    return path


@pytest.fixture
def store(original: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    for file in (original, beside(original, MARK)):
        shutil.copy(file, tmp_path)
    return tmp_path / original.name


def _states(path: Path) -> dict[str, str]:
    return {finding.about: finding.state for finding in check(str(path))}


def test_a_whole_store_is_well(store: Path):
    """Nothing is wrong with a store that was used and closed, and looking changes nothing."""
    before = store.read_bytes()
    assert set(_states(store).values()) == {"ok"}
    assert len(_states(store)) == 9
    assert store.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "about"),
    [
        ("DELETE FROM evidence.commits WHERE seq = 7", "ledger"),
        ("INSERT INTO evidence.commits FROM evidence.commits WHERE seq = 7", "ledger"),
        ("INSERT INTO evidence.spans FROM evidence.spans WHERE commit_seq = 7", "revisions"),
        ("INSERT INTO evidence.spans FROM evidence.spans WHERE commit_seq = 7", "rows"),
        ("DELETE FROM evidence.spans WHERE commit_seq = 7", "rows"),
        ("DELETE FROM evidence.superseded", "revisions"),
        ("INSERT INTO evidence.superseded VALUES (999, 0)", "revisions"),
        ("DELETE FROM evidence.arrivals WHERE seq = 7", "arrivals"),
        ("INSERT INTO evidence.about VALUES ('schema_version', '2')", "version"),
    ],
)
def test_each_kind_of_inconsistency_is_found(store: Path, statement: str, about: str):
    """A ledger with gaps or repetitions, rows twice, unclear revisions and unknown arrivals are each found."""
    with duckdb.connect(str(store)) as connection:
        connection.execute(statement)
    assert _states(store)[about] == "wrong"


def test_a_block_that_cannot_be_read_is_found(store: Path):
    """A byte flipped in the middle of the data fails its block's checksum when every value is read."""
    data = bytearray(store.read_bytes())
    marked = data.find(b"ffffffffffffffff"), data.find(f"{1:032x}".encode())
    at = max(marked)
    assert at > 0
    data[at] ^= 0xFF
    store.write_bytes(data)
    assert "wrong" in _states(store).values()


def test_a_loss_is_found_and_the_rest_is_looked_at(tmp_path: Path):
    """A store whose log was taken away is told to have lost commits; what is left is consistent."""
    path = killed(tmp_path / "a.duckdb")
    log(path).unlink()
    states = _states(path)
    assert states.pop("mark") == "wrong"
    assert set(states.values()) == {"ok"}


def test_without_a_mark_losses_cannot_be_told(store: Path):
    """A missing mark is a note, not a fault."""
    beside(store, MARK).unlink()
    assert _states(store)["mark"] == "note"


def test_a_file_that_is_gone_or_not_ours(store: Path, tmp_path: Path):
    """With a mark a missing or overwritten file is a fault; without one it was never a store."""
    shutil.copy(beside(store, MARK), beside(tmp_path / "gone.duckdb", MARK))
    assert _states(tmp_path / "gone.duckdb") == {"file": "wrong"}
    store.write_text("hello")
    assert _states(store) == {"file": "wrong"}
    (tmp_path / "note.txt").write_text("hello")
    for name in ("none.duckdb", "note.txt"):
        with pytest.raises(NotAStore):
            list(check(str(tmp_path / name)))


def test_a_spool_is_told_of(store: Path):
    """What waits there is noted with its amount; what cannot be read of it is wrong."""
    one = Spool(store, "1" * 32)
    one.add([kept(spans(span(7, 1)))], [])
    (found,) = (finding for finding in check(str(store)) if finding.about == "spool")
    assert (found.state, found.text[:30]) == ("note", "1 spans and 0 log records were")
    with paths(store)[0].open("rb+") as file:
        file.seek(-13, os.SEEK_END)  # of what says that nothing follows
        file.write(b"x" * 22)
    assert [f.text[:7] for f in check(str(store)) if f.about == "spool" and f.state == "wrong"] == ["22 byte"]
