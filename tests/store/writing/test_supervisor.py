"""The store comes back after a fatal error of the database (D-07)."""

import shutil
import threading
from pathlib import Path

import duckdb
import pytest

from collector.answer.local import LocalStore
from collector.store.errors import Damaged, Unavailable
from collector.store.file.database import Database
from collector.store.file.highwater import HighWater
from tests.store.rows import span, spans
from tests.waiting import until


@pytest.fixture
def store(tmp_path: Path):
    """A store with ten spans."""
    with LocalStore(tmp_path / "a.duckdb") as opened:
        opened.ingest(spans(*(span(1, n) for n in range(10)))).result()
        yield opened


def test_readers_survive_a_reopen(store: LocalStore):
    """Reads of several threads go on through reopens: each is answered in full, or is told to ask again."""
    stop, wrong, answered = threading.Event(), list[object](), list[int]()

    def read() -> None:
        while not stop.is_set():
            try:
                answered.append(store.query("status")["spans"][0].as_py())
            except Unavailable:
                pass
            except Exception as error:  # noqa: BLE001 -- it is what the test looks for
                wrong.append(error)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        count = len(answered)
        store.database.failed()
        until(lambda c=count: len(answered) > c)
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert set(answered) == {10}


def test_a_dead_instance_seen_by_a_reader_is_reopened(store: LocalStore, monkeypatch: pytest.MonkeyPatch):
    """A fatal error in a read makes the writer open the file again, although nobody writes."""
    before = store.database.cursor()
    sql = "SELECT error('database has been invalidated because of a previous fatal error')"
    monkeypatch.setattr(store._reads, "_queries", {"broken": sql})
    with pytest.raises(Unavailable):
        store.query("broken")

    def closed() -> bool:
        try:
            before.execute("SELECT 1")
        except duckdb.InterruptException:
            return False  # it is being closed
        except duckdb.ConnectionException:
            return True
        return False

    until(closed)
    until(lambda: store.writer.unready() is None)
    assert store.ingest(spans(span(2, 1))).result().stored == 1


def test_an_append_that_is_durable_after_all_is_a_success(store: LocalStore):
    """After a fatal error the ledger tells of appends, too: no batch is doubled, and none is reported lost that is there."""
    import pyarrow as pa

    commit, failures = store.writer._committer._commit, ["after"]

    def failing() -> None:
        commit()
        if failures and failures.pop():
            raise duckdb.FatalException("planned")

    store.writer._committer._commit = failing
    assert store.writer.append({"canonical.constraints": pa.table({"text": ["a"]})}, None).result() is True
    assert store.database.cursor().execute("SELECT count(*) FROM canonical.constraints").fetchall() == [(1,)]


@pytest.mark.parametrize("how", ["replaced", "removed", "cut"])
def test_a_file_that_is_exchanged_under_the_store_ends_the_answers(tmp_path: Path, how: str):
    """From the moment on in which the file is not ours nothing is acknowledged; what was open is kept in quarantine."""
    path = tmp_path / "a.duckdb"
    with LocalStore(path) as opened:
        opened.ingest(spans(*(span(1, n) for n in range(10)))).result()
        if how == "replaced":
            Database(tmp_path / "b.duckdb").close()
            (tmp_path / "b.duckdb").replace(path)
        else:
            path.unlink() if how == "removed" else path.write_bytes(path.read_bytes()[:4096])
        with pytest.raises(Unavailable):
            opened.ingest(spans(span(1, 99))).result()
        assert opened.writer.trouble() == "reopening"
        assert "a.duckdb" in (opened.writer.unready() or "")
    kept = next((tmp_path / "quarantine").iterdir())
    if how != "cut" and Path("/proc/self/fd").is_dir():
        rescued = Database(kept / path.name)
        assert rescued.cursor().execute("SELECT count(*) FROM spans").fetchall()[0][0] >= 10
        rescued.close()
    mark = HighWater(path).read()
    assert mark is not None
    assert mark.seq == 1, "only what was acknowledged"


def test_a_file_that_is_put_back_is_taken_again(tmp_path: Path):
    """The store waits for its file and goes on when it is there again, with all that was acknowledged."""
    path = tmp_path / "a.duckdb"
    with LocalStore(path) as opened:
        opened.ingest(spans(span(1, 1))).result()
        path.rename(tmp_path / "elsewhere")
        with pytest.raises(Unavailable):
            opened.ingest(spans(span(1, 2))).result()
        shutil.move(tmp_path / "elsewhere", path)
        until(lambda: opened.writer.unready() is None)
        assert opened.ingest(spans(span(1, 1), span(1, 2))).result().duplicates >= 1
        assert opened.query("status")["spans"][0].as_py() == 2


def test_an_exchange_that_loses_rows_is_refused(store: LocalStore):
    """Whoever exchanges the file for one that lacks commits gets an error, and nothing is taken until it is put right."""
    path = Path(store.path)

    def lose(file: Path) -> None:
        file.rename(file.with_name("kept"))
        Database(file.with_name("fresh")).close()
        file.with_name("fresh").rename(file)

    with pytest.raises(Damaged, match="not the one that was here before"):
        store.writer.exchange(lose).result()
    with pytest.raises(Unavailable):
        store.ingest(spans(span(2, 1)))
    path.with_name("kept").replace(path)
    until(lambda: store.writer.unready() is None)
    assert store.ingest(spans(span(2, 1))).result().stored == 1
    assert store.query("status")["spans"][0].as_py() == 11
