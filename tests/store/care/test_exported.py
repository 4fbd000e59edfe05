"""What an export is known by."""

from pathlib import Path

import orjson
import pytest

from collector.store.care.exported import MANIFEST, Manifest, Part, is_export, read
from collector.store.errors import StoreError

WHOLE = Manifest({"evidence.spans": [Part("spans/a.parquet", 2), Part("spans/b.parquet", 3)]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An export with two (empty) files."""
    (tmp_path / "spans").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"spans/{name}.parquet").touch()
    (tmp_path / MANIFEST).write_bytes(WHOLE.written())
    return tmp_path


def test_a_manifest_is_read_as_it_was_written(folder: Path):
    """Tables, files and rows."""
    assert is_export(folder)
    assert read(folder) == WHOLE
    assert read(folder).rows("evidence.spans") == 5


def test_a_missing_file_is_said(folder: Path):
    """An export that lost a file is not whole."""
    (folder / "spans/b.parquet").unlink()
    with pytest.raises(StoreError, match=r"not whole: spans/b\.parquet is missing"):
        read(folder)


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b'{"format":"other"}', b"\xff"])
def test_other_folders_are_none(folder: Path, text: bytes):
    """No manifest, or one of somebody else's."""
    (folder / MANIFEST).write_bytes(text)
    assert not is_export(folder)
    with pytest.raises(StoreError, match="no export"):
        read(folder)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("schema_version", 1, "exported with store schema 1"),
        ("format", "tracegrade export 9", "exported with"),
        ("tables", 3, "damaged"),
        ("tables", {"evidence.spans": [{"path": "../x", "rows": 1}]}, "outside"),
        ("tables", {"evidence.spans": [{"path": "/etc/passwd", "rows": 1}]}, "outside"),
    ],
)
def test_other_versions_and_damage_are_said(folder: Path, key: str, value: object, said: str):
    """Each with what is wrong; nothing outside of the folder is read."""
    raw = orjson.loads(WHOLE.written()) | {key: value}
    (folder / MANIFEST).write_bytes(orjson.dumps(raw))
    with pytest.raises(StoreError, match=said):
        read(folder)
