"""An export back into an empty store."""

from pathlib import Path

import pytest

from collector.answer.local import LocalStore
from collector.decode import logs_json, logs_protobuf, traces_json, traces_protobuf
from collector.store.care.exported import MANIFEST
from collector.store.errors import StoreError
from grader.results import extension
from tests.store.contents import contents
from tests.store.rows import span, spans

_READ = {
    (False, ".pb"): traces_protobuf,
    (False, ".json"): traces_json,
    (True, ".pb"): logs_protobuf,
    (True, ".json"): logs_json,
}
CAPTURES = ("agentframework__native__delegate", "claudesdk__clidetailed__refund", "pydantic-ai-v5__native__refund")


@pytest.fixture
def full(tmp_path: Path, data: Path) -> Path:
    """A store with recorded traces, a revision, and a run that a later join absorbed."""
    with LocalStore(tmp_path / "full.duckdb", extensions=[extension()]) as store:
        for name in CAPTURES:
            for file in sorted((data / "captures" / name).glob("0*")):
                store.ingest(_READ[".logs." in file.name, file.suffix](file.read_bytes())).result()
        store.ingest(spans(span(1, 1, end_ns=None))).result()
        store.ingest(spans(span(1, 1))).result()
        store.settle()
        store.care.export(str(tmp_path / "out"))
    return tmp_path / "full.duckdb"


def test_an_export_comes_back_equal(full: Path, tmp_path: Path):
    """Rows of all tables, trees and the ledger are those of the first store, and it goes on as that one would."""
    extensions = [extension()]
    with (
        LocalStore(full, extensions=extensions) as before,
        LocalStore(tmp_path / "new.duckdb", extensions=extensions) as after,
    ):
        after.care.fill(str(tmp_path / "out"))
        extra = ("canonical.builds", "canonical.normalizers", "evidence.batches", "evidence.tombstones")
        assert contents(after, extra) == contents(before, extra)
        trees = [store.query("trees").to_pylist() for store in (before, after)]
        assert len(trees[0]) > 2
        assert trees[0] == trees[1]
        assert not after.settler.pending.all()
        assert after.ingest(spans(span(1, 1))).result().duplicates == 1
        seqs = [store.ingest(spans(span(2, 1))).result().seq for store in (before, after)]
        assert seqs[0] == seqs[1]


def test_a_store_that_holds_something_is_left_alone(full: Path, tmp_path: Path):
    """An export is loaded into an empty store alone."""
    with LocalStore(full, extensions=[extension()]) as store:
        before = contents(store)
        with pytest.raises(StoreError, match="not empty"):
            store.care.fill(str(tmp_path / "out"))
        assert contents(store) == before


@pytest.mark.parametrize("damage", ["cut", "other", "rows", "strange"])
def test_a_damaged_export_leaves_the_store_empty(full: Path, tmp_path: Path, damage: str):
    """A file that is cut, is no Parquet, or has other rows than the manifest says; a table that nobody knows."""
    (file,) = (tmp_path / "out/spans").rglob("*.parquet")
    manifest = tmp_path / "out" / MANIFEST
    match damage:
        case "cut":
            file.write_bytes(file.read_bytes()[:-100])
        case "other":
            file.write_text("not parquet")
        case "rows":
            manifest.write_text(manifest.read_text().replace('"rows": ', '"rows": 1'))
        case "strange":
            manifest.write_text(manifest.read_text().replace("evidence.spans", "evidence.spams"))
    with LocalStore(tmp_path / "new.duckdb", extensions=[extension()]) as store:
        with pytest.raises(StoreError, match=r"damaged|not whole|knows nothing"):
            store.care.fill(str(tmp_path / "out"))
        assert store.query("status").to_pylist()[0]["spans"] == 0
        assert store.ingest(spans(span(1, 1))).result().stored == 1
    assert {p.name for p in tmp_path.iterdir()} >= {"new.duckdb"}
    assert not list(tmp_path.glob("new.duckdb.rewrite*"))
    assert full.exists()
