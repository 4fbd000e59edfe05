"""The facts behind `tracegrade status`."""

from pathlib import Path

import pytest

from collector.cli.standing import standing
from collector.store.errors import NotAStore
from tests.receive.collecting import collecting


def test_of_a_file(store: Path):
    """A file that nobody serves: what it holds, what waits, its size."""
    found = standing(str(store))
    assert (found["running"], found["place"], found["collector"]) == (False, str(store), None)
    assert found["store"]["spans"] > 0
    assert found["store"]["waiting_traces"] >= 0
    assert found["store"]["file_bytes"]["store"] == store.stat().st_size


def test_of_a_collector(tmp_path: Path):
    """A path that a collector serves: its facts, too, and what waits as it says."""
    with collecting(tmp_path / "s.duckdb") as there:
        found = standing(str(there.path))
        assert found["running"]
        assert found["collector"]["pid"] == there.process.pid
        assert found["store"]["waiting_traces"] == found["collector"]["waiting_traces"] == 0


def test_nothing_is_made(tmp_path: Path):
    """Asking for a store that does not exist makes none."""
    with pytest.raises(NotAStore):
        standing(str(tmp_path / "none.duckdb"))
    assert not list(tmp_path.iterdir())
