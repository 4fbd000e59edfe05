"""Files into an open store."""

from pathlib import Path

import pytest

from collector.answer.local import LocalStore
from collector.cli.loading import Loading
from collector.store.writer import WriterLimits
from tests.bench.bodies import requests


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
