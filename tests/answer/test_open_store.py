"""From what `--store` says to a store."""

import os
from pathlib import Path

import pytest

from collector.answer import notice
from collector.answer.local import LocalStore
from collector.answer.open_store import connect
from collector.answer.remote import RemoteStore
from collector.store.errors import NotAStore
from tests.answer.serving import endpoint
from tests.store.rows import span, spans

TOKEN = "secret"


def test_a_path_opens_the_file(tmp_path: Path):
    """A path that nobody serves is opened here; memory always is."""
    for place in (tmp_path / "a.duckdb", ":memory:"):
        with connect(place) as store:
            assert isinstance(store, LocalStore)


def test_a_missing_file_is_not_created_unasked(tmp_path: Path):
    """For commands that only read, a path without a store is an error that names it."""
    with pytest.raises(NotAStore, match=r"There is no store at .*a\.duckdb"):
        connect(tmp_path / "a.duckdb", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_served_path_is_asked_over_the_wire(tmp_path: Path):
    """While a collector has the file its path leads to the collector, without anyone being told an address."""
    path = tmp_path / "a.duckdb"
    with LocalStore(path) as served, endpoint(served, TOKEN) as url:
        served.ingest(spans(span(1, 1))).result()
        notice.leave(path, notice.Notice(os.getpid(), url, TOKEN))
        with connect(path) as store:
            assert isinstance(store, RemoteStore)
            assert store.query("status")["spans"].to_pylist() == [1]
        with connect(url) as by_url:
            assert isinstance(by_url, RemoteStore)


def test_a_note_that_nobody_answers_to_is_stale(tmp_path: Path):
    """A note whose process lives but serves nothing does not keep the file from being opened."""
    path = tmp_path / "a.duckdb"
    notice.leave(path, notice.Notice(os.getpid(), "http://127.0.0.1:9", TOKEN))
    with connect(path) as store:
        assert isinstance(store, LocalStore)
