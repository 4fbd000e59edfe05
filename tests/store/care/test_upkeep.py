"""A store that prunes by itself."""

import contextlib
from pathlib import Path

import pytest

from collector.answer.local import LocalStore
from collector.store.care.upkeep import Upkeep
from collector.store.errors import Unavailable
from tests.store.rows import span, spans


def test_what_grows_too_old_goes_by_itself(tmp_path: Path):
    """Without anybody asking, a while after it is too old; the audit table says so (X-34)."""
    with LocalStore(tmp_path / "t.duckdb") as store:
        store.ingest(spans(span(1, 1))).result()
        upkeep = Upkeep(store.care, keep=0.4, most=None, told=store.pruned)
        upkeep.start()
        try:
            for _ in range(600):
                with contextlib.suppress(Unavailable):  # it is being rewritten
                    if not store.query("status").to_pylist()[0]["spans"]:
                        break
                upkeep._stop.wait(0.05)
            else:
                pytest.fail("nothing went")
        finally:
            upkeep.close()
        (noted,) = store.query("audit", most=9).drop_columns(["at"]).to_pylist()
        assert (noted["who"], noted["what"], noted["trace_count"], noted["row_count"]) == ("retention", "prune", 1, 1)
        assert store.ingest(spans(span(2, 1))).result().stored == 1


def test_trouble_does_not_end_it(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """What cannot be pruned now is tried again, and said."""
    store = LocalStore(tmp_path / "t.duckdb")
    store.close()
    upkeep = Upkeep(store.care, keep=0.01, most=None)
    upkeep.start()
    while len(caplog.records) < 2:
        upkeep._stop.wait(0.01)
    upkeep.close()
    assert "not pruned" in caplog.text
