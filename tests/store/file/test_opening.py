"""Files that cannot be opened: each is told in a sentence with the way out, and none is changed."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from collector.store.errors import Damaged, NotAStore
from collector.store.file.database import Database
from tests.store.damage import flip, killed, log, same_header_of_version


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 40 commits, 30 of them in its log."""
    return killed(tmp_path_factory.mktemp("original") / "a.duckdb")


@pytest.fixture
def store(original: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    for file in original.parent.iterdir():
        shutil.copy(file, tmp_path)
    return tmp_path / original.name


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def _refusal(store: Path) -> str:
    """Why the store is refused as damaged; nothing where it opens, in full."""
    try:
        database = Database(store)
    except Damaged as error:
        return str(error)
    assert database.cursor().execute("SELECT count(*) FROM evidence.commits").fetchall() == [(40,)]
    database.close()
    return ""


@pytest.mark.parametrize("place", ["file", "log"])
def test_no_flip_opens_with_less_and_none_changes_a_file(store: Path, place: str):
    """Wherever a byte is flipped, the store opens in full or is refused as damaged with the way out (T-35, finding 8)."""
    damaged = store if place == "file" else log(store)
    size, refused = damaged.stat().st_size, 0
    whole = _contents(store.parent)
    for at in range(7, size, size // 16):
        flip(damaged, at)
        before = _contents(store.parent)
        refusal = _refusal(store)
        if refusal:
            refused += 1
            assert "tracegrade check --recover" in refusal
            assert _contents(store.parent) == before
        for name, content in whole.items():
            (store.parent / name).write_bytes(content)
    assert refused > 2


def _cut(store: Path, *, grown_again: bool) -> None:
    size = store.stat().st_size
    os.truncate(store, size - 262_144)
    if grown_again:
        os.truncate(store, size)


_linux = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="holes are found on Linux")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (lambda s: _cut(s, grown_again=False), "was cut: it lacks 1 of the blocks"),
        pytest.param(lambda s: _cut(s, grown_again=True), "was cut: it lacks 1 of the blocks", marks=_linux),
        (lambda s: log(s).unlink(), "30 acknowledged commits with 300 spans"),
        (lambda s: log(s).write_bytes(log(s).read_bytes()[: log(s).stat().st_size // 2]), "acknowledged commits with"),
        (lambda s: s.write_bytes(s.read_bytes()[:5000]), "is damaged"),
        (lambda s: s.write_bytes(b""), "overwritten or cut"),
        (lambda s: s.write_text("shopping list"), "overwritten or cut"),
        (lambda s: s.unlink(), r"40 acknowledged commits with 400 spans.* delete \S*a\.duckdb\.ledger, too"),
    ],
)
def test_what_was_cut_or_removed_is_told(store: Path, what: Callable[[Path], object], said: str):
    """A log or file that was removed, cut or overwritten is refused, and what is missing is counted."""
    what(store)
    before = _contents(store.parent)
    with pytest.raises(Damaged, match=said):
        Database(store)
    assert _contents(store.parent) == before


def test_another_store_in_its_place_is_told(store: Path, tmp_path: Path):
    """A store that takes another's place is not taken for it."""
    Database(tmp_path / "b.duckdb").close()
    shutil.copy(tmp_path / "b.duckdb", store)
    log(store).unlink()
    with pytest.raises(Damaged, match="not the one that was here before"):
        Database(store)


def test_a_newer_storage_version_is_no_damage(store: Path):
    """A file of a newer DuckDB is told as such, without the advice to recover."""
    same_header_of_version(store, 9999)
    with pytest.raises(NotAStore, match="written by another version of DuckDB") as refused:
        Database(store)
    assert not isinstance(refused.value, Damaged)


def test_a_copy_without_its_mark_opens(store: Path, tmp_path: Path):
    """File and log copied elsewhere are a store; without a mark there is nothing to compare."""
    (tmp_path / "copy").mkdir()
    for file in (store, log(store)):
        shutil.copy(file, tmp_path / "copy")
    database = Database(tmp_path / "copy" / store.name)
    assert database.cursor().execute("SELECT count(*) FROM spans").fetchall() == [(400,)]
    database.close()
