"""The way out of damage: copies first, then what can be opened, and a count of what is missing."""

import contextlib
import shutil
from pathlib import Path

import duckdb
import pytest

from collector.answer.local import LocalStore
from collector.store.care.recovery import recover
from collector.store.errors import NoSpace, NotAStore, StoreInUse
from collector.store.file.database import CLOSED, Database, progress
from collector.store.file.highwater import Loss
from collector.store.file.opening import connect
from collector.store.writing.spool import Spool, read
from collector.store_files import MARK, beside
from tests.store.damage import flip, killed, log
from tests.store.rows import kept, span, spans


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 40 commits with 10 spans each, 30 of them in its log."""
    return killed(tmp_path_factory.mktemp("original") / "a.duckdb")


@pytest.fixture
def store(original: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    for file in original.parent.iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path / original.name


def test_a_log_that_cannot_be_read_is_set_aside(store: Path):
    """With a broken log the last checkpoint is opened, the loss counted, and the store takes spans again (T-34)."""
    for at in range(100, log(store).stat().st_size, 1000):  # so many that none can pass for a torn tail
        flip(log(store), at)
    broken = log(store).read_bytes()
    done = recover(str(store))
    assert (done.how, done.loss) == ("last checkpoint", Loss(30, 300, 0))
    assert (done.copies / log(store).name).read_bytes() == broken
    with LocalStore(store) as opened:
        assert opened.sql("SELECT count(*) AS n FROM spans")["n"][0].as_py() == 100
        assert opened.ingest(spans(span(39, 0))).result().stored == 1


def test_a_log_that_is_silently_short_is_accepted_with_its_loss(store: Path):
    """Where the database opens with less than was acknowledged, that is kept and the difference told (finding 8)."""
    log(store).write_bytes(log(store).read_bytes()[: log(store).stat().st_size // 2])
    done = recover(str(store))
    assert done.how == "whole"
    assert done.found is not None
    assert done.loss is not None
    assert done.loss.commits == 40 - done.found.seq > 0
    assert done.loss.spans == 10 * done.loss.commits
    Database(store).close()


@pytest.mark.parametrize("content", [None, b"", b"shopping list", b"\0" * 20_000])
def test_what_cannot_be_opened_at_all_makes_room(store: Path, content: bytes | None):
    """A file that is gone or overwritten is kept as it is in quarantine, and the next start makes a new store."""
    store.unlink() if content is None else store.write_bytes(content)
    done = recover(str(store))
    assert (done.how, done.loss) == ("nothing", Loss(40, 400, 0))
    assert log(store).name in {file.name for file in done.copies.iterdir()}
    assert not store.exists()
    Database(store).close()


def test_a_store_without_damage_stays_as_it_is(store: Path):
    """A whole store is copied and nothing else."""
    before = {file: file.read_bytes() for file in (store, log(store))}
    done = recover(str(store))
    assert (done.how, done.loss) == ("whole", None)
    assert {file: file.read_bytes() for file in before} == before
    assert {file.name for file in done.copies.iterdir()} == {store.name, log(store).name, beside(store, MARK).name}
    assert {file.stat().st_mode & 0o777 for file in done.copies.iterdir()} == {0o600}
    assert {folder.stat().st_mode & 0o777 for folder in (done.copies, done.copies.parent)} == {0o700}


def test_what_is_not_ours_is_left_alone(tmp_path: Path):
    """No file of another program, no database of another kind and no name without a file is touched."""
    note, other = tmp_path / "note.txt", tmp_path / "other.duckdb"
    note.write_text("hello")
    with duckdb.connect(str(other)) as connection:
        connection.execute("CREATE TABLE cats (name VARCHAR)")
    for path in (note, other, tmp_path / "none"):
        with pytest.raises(NotAStore):
            recover(str(path))
    assert {file.name for file in tmp_path.iterdir()} == {"note.txt", "other.duckdb"}


def test_an_open_store_is_not_recovered(tmp_path: Path):
    """While a collector has the file open, recovery says so (here the same process, which is refused likewise)."""
    opened = killed(tmp_path / "a.duckdb")
    holder = duckdb.connect(str(opened))
    try:
        with pytest.raises((StoreInUse, NotAStore)):
            recover(str(opened))
    finally:
        holder.close()
    assert not (tmp_path / "quarantine").exists()


def test_without_room_for_the_copies_nothing_is_done(store: Path, monkeypatch: pytest.MonkeyPatch):
    """Where the copies do not fit, recovery refuses and leaves everything as it was."""
    monkeypatch.setattr("collector.store.care.recovery.free", lambda _folder: 10)
    with pytest.raises(NoSpace, match="MiB more must be free"):
        recover(str(store))
    assert not list((store.parent / "quarantine").iterdir())
    assert log(store).exists()


@pytest.mark.parametrize("how", ["whole", "nothing"])
def test_what_was_answered_and_not_committed_is_not_lost(store: Path, how: str):
    """The spool is among the copies, and the store that is there next has its rows, be it the old one or a new one."""
    with contextlib.closing(connect(str(store), CLOSED)) as connection:
        mark = progress(connection)
    assert mark
    Spool(store, mark.store_id).add([kept(spans(span(77, 1), span(77, 2)))], [])
    if how == "nothing":
        store.write_bytes(b"shopping list")
    done = recover(str(store))
    assert done.how == how
    assert read(done.copies / store.name).rows("spans") == 2
    with LocalStore(store) as opened:
        assert opened.sql(f"SELECT count(*) AS n FROM spans WHERE trace_id = '{77:032x}'")["n"].to_pylist() == [2]
