"""Files into an open store."""

import time
from pathlib import Path

import pytest

from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.cli.loading import Loading
from collector.store.trees.builder import Here
from collector.store.writing.commit import Committer
from collector.store.writing.limits import WriterLimits
from collector.web.server import Limits
from tests.answer.serving import endpoint
from tests.bench.bodies import requests
from tests.decode.samples import json_of, request, span
from tests.receive.collecting import elsewhere, receiving
from tests.store import fake_trees


def test_everything_is_committed_when_put_returns(tmp_path: Path) -> None:
    """Every span of many files is there, and the sentence counts them."""
    for number, body in enumerate(requests(96, 16)):
        (tmp_path / f"{number}.pb").write_bytes(body)
    with LocalStore(":memory:") as store:
        loading = Loading(store)
        loading.put([tmp_path])
        assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [96]
    assert loading.summary() == "Loaded 96 spans and 0 log records."
    assert loading.unreadable == 0


def test_what_is_answered_before_its_commit_is_counted_as_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While checkpoints hold the store up the load goes on, and its sentence says what was stored and what was there."""
    (tmp_path / "files").mkdir()
    for number, body in enumerate(requests(96, 16)):
        (tmp_path / "files" / f"{number}.pb").write_bytes(body)
    checkpoint = Committer.checkpoint

    def slow(committer: Committer, *, merge: bool) -> bool:
        time.sleep(0.1)
        return checkpoint(committer, merge=merge)

    monkeypatch.setattr(Committer, "checkpoint", slow)
    with LocalStore(tmp_path / "a.duckdb", limits=WriterLimits(log_bytes=1, rows=1, free_bytes=0)) as store:
        loading = Loading(store)
        loading.put([tmp_path / "files", tmp_path / "files"])
        assert store.writer.queue.answered > 0
        assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [96]
    assert loading.summary() == "Loaded 96 spans and 0 log records; 96 were there already."


def test_a_full_queue_is_waited_for(tmp_path: Path) -> None:
    """A store that is busy slows the load down, and nothing is left out."""
    for number, body in enumerate(requests(320, 16)):
        (tmp_path / f"{number}.pb").write_bytes(body)
    with LocalStore(":memory:", limits=WriterLimits(queue_bytes=40_000)) as store:
        Loading(store).put([tmp_path])
        assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [320]


def test_notes_name_what_was_passed_over_and_what_is_corrupt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names of files are escaped in the notes, since they too may come from strangers (X-09)."""
    (tmp_path / "no\x1bte.txt").write_text("hello")
    (tmp_path / "bad.pb").write_bytes(b"\xff\xff\xff")
    with LocalStore(":memory:") as store:
        loading = Loading(store)
        loading.put([tmp_path])
    notes = capsys.readouterr().err
    assert "no\\x1bte.txt: passed over" in notes
    assert "bad.pb" in notes
    assert loading.unreadable == 1
    assert loading.summary() == "Loaded 0 spans and 0 log records; 1 file could not be read."


def test_a_trace_that_is_no_tree_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its spans are stored, it is named, and the command ends with 2; the other traces have their trees."""
    for number, name in enumerate(["agent", "poison"]):
        body = request(span(trace_id=b"%016d" % number, name=name)).SerializeToString()
        (tmp_path / f"{number}.pb").write_bytes(body)
    with LocalStore(":memory:", builder=Here(fake_trees.build)) as store:
        for paths, code in (([tmp_path / "0.pb"], 0), ([tmp_path], 2), ([tmp_path / "0.pb"], 0)):
            loading = Loading(store)
            loading.put(paths)
            loading.settle()
            assert loading.exit_code == code
            assert ("1 trace could not be made into trees" in loading.summary()) is (code == 2)
        assert store.sql("SELECT count(*) AS n FROM runs")["n"].to_pylist() == [1]
    said = capsys.readouterr().err
    assert f"The trace {(b'%016d' % 1).hex()} could not be made into a tree." in said


def test_a_refused_file_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each of its requests is told, with the line; the file counts as one."""
    (tmp_path / "a.jsonl").write_bytes((json_of(request(span())) + b"\n") * 2)
    with (
        elsewhere(receiving(limits=Limits(body_bytes=10))) as here,
        LocalStore(":memory:") as behind,
        endpoint(behind, "t") as url,
    ):
        loading = Loading(RemoteStore(url, "t", f"http://127.0.0.1:{here.http}"))
        loading.put([tmp_path])
    assert loading.summary() == (
        "Sent to the collector that has the store open: 0 spans and 0 log records; 1 file could not be read."
    )
    assert "a.jsonl, line 2: the collector refused it (413)" in capsys.readouterr().err
