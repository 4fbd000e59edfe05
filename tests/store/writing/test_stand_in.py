"""Answers while the database is held up: nobody waits for it, and nothing that was answered is lost."""

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from collector.answer.local import LocalStore
from collector.store.errors import Unavailable
from collector.store.writing import segment, spool
from collector.store.writing.arrivals import Arrivals, Rate
from collector.store.writing.commit import Committer
from collector.store.writing.limits import WriterLimits
from collector.store.writing.supervisor import Supervisor
from collector.store_files import LOG, beside
from tests.store.rows import log, logs, span, spans
from tests.waiting import until

LIMITS = WriterLimits(log_bytes=1, idle_seconds=1e6, free_bytes=0)
"""Each group is followed by a checkpoint."""


class Stage:
    """Holds the writer up in each checkpoint until it is let go."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.reached, self.go, self.times = threading.Event(), threading.Event(), 0
        checkpoint = Committer.checkpoint

        def slow(committer: Committer, *, merge: bool) -> bool:
            self.reached.set()
            self.go.wait()
            return checkpoint(committer, merge=merge)

        patch.setattr(Committer, "checkpoint", slow)

    def hold(self, store: LocalStore) -> None:
        """Return when the writer of this store is in a checkpoint."""
        self.go.clear()
        self.reached.clear()
        store.ingest(spans(span(99, self.times))).result()
        self.times += 1
        self.reached.wait()


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Checkpoints as long as a test wants."""
    stage = Stage(monkeypatch)
    yield stage
    stage.go.set()


def waiting(store: LocalStore) -> int:
    """Rows in its spool."""
    found = spool.read(store.path)
    return found.rows("spans") + found.rows("logs")


def count(store: LocalStore) -> int:
    """Its spans."""
    return store.query("status")["spans"][0].as_py()


def test_a_request_is_answered_while_a_checkpoint_runs(tmp_path: Path, stage: Stage):
    """Spans and log records are in the spool when they are answered, then in the store, and the spool is empty again."""
    with LocalStore(tmp_path / "a.duckdb", limits=LIMITS) as store:
        stage.hold(store)
        sent = [
            store.ingest(spans(span(1, 1), span(1, 2))),
            store.ingest(logs(log(1, 1))),
            store.ingest(spans(span(1, 1))),
        ]
        early = [future.result() for future in sent]
        assert waiting(store) == 4
        stage.go.set()
        told = [receipt.later.result() for receipt in early if receipt.later]
        assert [(receipt.stored, receipt.duplicates) for receipt in told] == [(2, 0), (1, 0), (0, 1)]
        assert count(store) == 3
    assert not any(path.exists() for path in spool.paths(tmp_path / "a.duckdb"))


def test_readers_see_what_was_answered(tmp_path: Path, stage: Stage):
    """A question that comes after an answer waits for its rows: fixed queries, free SQL, trees."""
    with LocalStore(tmp_path / "a.duckdb", limits=LIMITS) as store:
        stage.hold(store)
        store.ingest(spans(span(1, 1))).result()
        threading.Timer(0.1, stage.go.set).start()
        assert count(store) == 2
        stage.hold(store)
        store.ingest(spans(span(2, 1))).result()
        threading.Timer(0.1, stage.go.set).start()
        assert store.sql("SELECT count(*) AS n FROM spans")["n"][0].as_py() == 4
        stage.hold(store)
        store.ingest(spans(span(3, 1))).result()
        threading.Timer(0.1, stage.go.set).start()
        assert store.settle([f"{3:032x}"]) == []
        assert count(store) == 6
        assert f"{3:032x}" not in store.settler.pending.all()


_KILLED = """
import os, sys
from collector.answer.local import LocalStore
from collector.store.writing.arrivals import Arrivals, Rate
from collector.store.writing.commit import Committer
from tests.store.rows import log, logs, span, spans
from tests.store.writing.test_stand_in import LIMITS
reached = __import__("threading").Event()
Committer.checkpoint = lambda committer, merge: (reached.set(), __import__("time").sleep(1000))
store = LocalStore(sys.argv[1], limits=LIMITS)
store.ingest(spans(span(1, 1))).result()
reached.wait()
for sent in (spans(span(1, 1), span(2, 1)), logs(log(2, 1)), spans(span(3, 1))):
    assert store.ingest(sent).result().later
print("answered", flush=True)
os.kill(os.getpid(), 9)
"""


def test_what_was_answered_survives_a_kill(tmp_path: Path):
    """SIGKILL in the midst of a checkpoint: the next start has every answered row once, and readers see it at once."""
    path = tmp_path / "a.duckdb"
    done = subprocess.run([sys.executable, "-c", _KILLED, str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "answered\n"), done.stderr
    assert spool.read(path).rows("spans") == 3
    with LocalStore(path) as store:
        assert count(store) == 3
        assert store.ingest(spans(span(3, 1))).result().duplicates == 1
    assert not any(each.exists() for each in spool.paths(path))


def test_a_row_that_cannot_be_kept_waits_for_the_writer(tmp_path: Path, stage: Stage):
    """Its sender is told that it was refused, which only the writer can say, and its neighbours are stored."""
    with LocalStore(tmp_path / "a.duckdb", limits=LIMITS) as store:
        stage.hold(store)
        bad = store.ingest(spans(span(1, 1), span(1, 2, name="\ud800")))
        good = store.ingest(logs(log(1, 1))).result()
        assert good.later
        assert not bad.done()
        stage.go.set()
        assert (bad.result().stored, bad.result().rejected) == (1, {"unstorable": 1})


def test_without_a_spool_requests_wait(tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch):
    """Where the disk does not take the spool the request is answered by its commit."""
    with LocalStore(tmp_path / "a.duckdb", limits=LIMITS) as store:
        stage.hold(store)
        tried = threading.Event()

        def full(_file: int) -> None:
            tried.set()
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(segment, "flush", full)
        sent = store.ingest(spans(span(1, 1)))
        assert tried.wait(60)
        monkeypatch.undo()
        stage.go.set()
        assert sent.result().later is None
        assert sent.result().stored == 1


def test_a_full_spool_takes_no_more(tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch):
    """Beyond its bound requests wait for the writer, and when it has caught up they are answered from the spool again."""
    with LocalStore(tmp_path / "a.duckdb", limits=LIMITS) as store:
        for number in range(2):
            stage.hold(store)
            assert store.ingest(spans(span(number, 1))).result().later
            monkeypatch.setattr("collector.store.writing.stand_in.LARGEST", 100)
            late = store.ingest(spans(span(number, 2)))
            time.sleep(0.1)
            assert not late.done()
            stage.go.set()
            assert late.result().stored == 1
            monkeypatch.setattr("collector.store.writing.stand_in.LARGEST", 1 << 20)
        assert count(store) == 6


def test_an_answered_request_is_tried_until_it_is_committed(
    tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    """A commit that fails for the moment costs an answered request nothing: it is tried again, and deletions wait for it."""
    monkeypatch.setattr("collector.store.writing.writer.RETRY_SECONDS", 0.2)
    failing = True
    attempt = Committer._attempt

    def fails(committer: Committer, *rows: Any) -> list[str]:
        if failing:
            raise duckdb.OutOfMemoryException("failed to pin block")
        return attempt(committer, *rows)

    with LocalStore(tmp_path / "a.duckdb", limits=LIMITS) as store:
        stage.hold(store)
        early = store.ingest(spans(span(1, 1))).result()
        assert early.later
        monkeypatch.setattr(Committer, "_attempt", fails)
        stage.go.set()
        until(lambda: store.writer.queue.promises.put_back)  # else the checkpoint would have it answered, too
        with pytest.raises(Unavailable, match="send again"):
            store.ingest(spans(span(1, 2))).result()
        with pytest.raises(Unavailable, match="answered"):
            store.writer.exchange(lambda _path: None).result()
        assert waiting(store) == 1
        failing = False
        assert early.later.result().stored == 1
        assert count(store) == 2


def test_what_cannot_be_committed_at_the_end_is_left_for_the_next_start(
    tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """The store closes all the same, says so, and the next one commits it."""
    path = tmp_path / "a.duckdb"
    store = LocalStore(path, limits=LIMITS)
    stage.hold(store)
    assert store.ingest(spans(span(1, 1))).result().later

    def fails(*_arguments: object) -> list[str]:
        raise duckdb.OutOfMemoryException("failed to pin block")

    monkeypatch.setattr(Committer, "_attempt", fails)
    stage.go.set()
    store.close()
    assert "1 answered requests are left" in caplog.text
    monkeypatch.undo()
    with LocalStore(path) as again:
        assert count(again) == 2


def test_a_store_that_breaks_meanwhile_keeps_what_was_answered(
    tmp_path: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    """While the file is gone nothing is answered from the spool either; when it is back the answered rows are committed."""
    monkeypatch.setattr("collector.store.writing.supervisor.DAMAGE_SECONDS", 0.1)
    path, broken, reopen = tmp_path / "a.duckdb", threading.Event(), Supervisor.reopen

    def noted(supervisor: Supervisor) -> bool:
        done = reopen(supervisor)
        (broken.clear if done else broken.set)()
        return done

    monkeypatch.setattr(Supervisor, "reopen", noted)
    with LocalStore(path, limits=LIMITS) as store:
        stage.hold(store)
        early = store.ingest(spans(span(1, 1))).result()
        assert early.later
        path.rename(tmp_path / "b.duckdb")
        stage.go.set()
        assert broken.wait(60)
        with pytest.raises(Unavailable):
            store.ingest(spans(span(1, 2))).result()
        (copies,) = (tmp_path / "quarantine").iterdir()
        assert spool.read(copies / "a.duckdb").rows("spans") == 1
        (tmp_path / "b.duckdb").rename(path)
        assert early.later.result(60).stored == 1
        assert count(store) == 2


def test_nothing_is_answered_for_a_file_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Under load, too, the first answer after the file was taken away is a refusal, to be sent again."""
    monkeypatch.setattr(Arrivals, "rate", lambda _: Rate(1e9, 1))
    path = tmp_path / "a.duckdb"
    with LocalStore(path, limits=WriterLimits(idle_seconds=1e6, free_bytes=0)) as store:
        assert store.ingest(spans(span(1, 1))).result().later
        assert count(store) == 1
        path.rename(tmp_path / "b.duckdb")
        with pytest.raises(Unavailable):
            store.ingest(spans(span(1, 2))).result()
        (tmp_path / "b.duckdb").rename(path)


def test_in_a_burst_whole_row_groups_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """All are answered from the spool, readers see each of them, the log hardly grows, and a kill afterwards loses nothing."""
    monkeypatch.setattr(Arrivals, "rate", lambda _: Rate(1e9, 1))
    path, copy = tmp_path / "a.duckdb", tmp_path / "copy"
    made = [spans(*(span(number, n, name=f"step {number} {n}") for n in range(1024))) for number in range(48)]
    with LocalStore(path, limits=WriterLimits(idle_seconds=1e6, free_bytes=0)) as store:
        for begin in (0, 16, 32):
            early = [store.ingest(each).result() for each in made[begin : begin + 16]]
            told = [receipt.final() for receipt in early if receipt.later]
            assert [(receipt.stored, receipt.duplicates) for receipt in told] == [(1024, 0)] * 16
            assert store.sql("SELECT count(*) AS n FROM spans")["n"][0].as_py() == 1024 * (begin + 16)
        assert store.writer.seq == 3, "a commit has all that makes a whole row group"
        assert beside(path, LOG).stat().st_size < 200_000
        copy.mkdir()
        for file in tmp_path.glob("a.duckdb*"):
            shutil.copyfile(file, copy / file.name)
    with LocalStore(copy / "a.duckdb") as again:
        assert count(again) == 1024 * 48
        assert again.ingest(made[0]).result().final().duplicates == 1024
