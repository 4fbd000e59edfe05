"""Files that are exchanged while they are open."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from collector.store.file.blocks import HEADERS
from collector.store.file.presence import Presence

BLOCK = 4096
"""Bytes of a block of these files."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A file and its log."""
    (tmp_path / "a").write_bytes(b"x" * 100)
    (tmp_path / "a.wal").write_bytes(b"w" * 50)
    return tmp_path / "a"


def _replace(path: Path) -> None:
    path.with_name("new").write_bytes(b"y" * 200)
    path.with_name("new").replace(path)


@pytest.mark.parametrize(
    ("what", "name", "said"),
    [
        (Path.unlink, "a", "was removed"),
        (_replace, "a", "was replaced"),
        (lambda p: p.write_bytes(b""), "a", "was cut"),
        (Path.unlink, "a.wal", "has a log that was removed"),
        (_replace, "a.wal", "has a log that was replaced"),
        (lambda p: p.write_bytes(b""), "a.wal", "has a log that was cut"),
    ],
)
def test_what_happens_to_a_file_is_seen(store: Path, what: Callable[[Path], object], name: str, said: str):
    """A file or log that was removed, replaced or cut is named, and again at the next look; another thread sees it, too."""
    presence = Presence(store, BLOCK)
    assert presence.gone() is None
    what(store.with_name(name))
    assert presence.gone() == said
    assert presence.wrong() == said
    assert presence.wrong() == said


def test_growing_and_checkpoints_are_daily_work(store: Path):
    """Files grow; a checkpoint makes the file shorter, but not too short, takes the log away, and replaces nothing."""
    presence = Presence(store, BLOCK)
    store.write_bytes(b"x" * 300)
    assert presence.wrong() is None
    store.write_bytes(b"x" * 10)
    store.with_name("a.wal").unlink()
    assert presence.wrong(least=11) == "was cut"
    assert presence.wrong(least=10) is None
    assert presence.wrong() is None
    _replace(store)
    assert presence.wrong(least=10) == "was replaced"


def test_what_a_checkpoint_cuts_is_not_gone(store: Path):
    """Another thread takes a shorter file and a log that went in a checkpoint for no loss, and another file for one."""
    presence = Presence(store, BLOCK)
    with presence.checkpoint():
        store.write_bytes(b"x" * 10)
        store.with_name("a.wal").unlink()
        assert presence.gone() is None
        assert presence.wrong(least=10) is None
    assert presence.gone() is None
    with presence.checkpoint():
        _replace(store)
        assert presence.gone() == "was replaced"


def test_another_thread_may_look_at_any_moment(tmp_path: Path):
    """While a database commits and makes checkpoints, nothing is ever gone; what one thread sees is no matter to the other."""
    path = tmp_path / "a.duckdb"
    with duckdb.connect(path, config={"checkpoint_threshold": "1TB"}) as writer:
        writer.execute("CREATE TABLE t AS SELECT random() AS x FROM range(1000)")
        presence, found, over = Presence(path, 262144), list[str | None](), threading.Event()
        looking = threading.Thread(target=lambda: found.extend(_looks(presence, over)))
        looking.start()
        for _ in range(20):
            writer.execute("INSERT INTO t SELECT random() FROM range(300_000)")
            assert presence.wrong() is None
            with presence.checkpoint():
                writer.execute("CHECKPOINT")
                assert presence.wrong(least=0) is None
        over.set()
        looking.join()
    assert len(found) > 20
    assert set(found) == {None}


def _looks(presence: Presence, over: threading.Event) -> Iterator[str | None]:
    while not over.is_set():
        yield presence.gone()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux tells which files are open")
def test_a_cut_file_that_has_grown_again_is_seen(store: Path):
    """A new hole is seen after a checkpoint and where the file has grown; one that was there before is none of our business."""
    with store.open("rb+") as file:
        presence = Presence(store, BLOCK)
        for number in range(4):
            file.truncate(HEADERS + 4 * number * BLOCK)
            file.truncate(HEADERS + (4 * number + 2) * BLOCK)
            again = Presence(store, BLOCK)
            assert presence.wrong(least=10 if number % 2 else None) == "was cut"
            assert again.wrong(least=10) is None
            file.seek(HEADERS + (4 * number + 1) * BLOCK)
            file.write(bytes(BLOCK))
            file.flush()
            assert again.wrong(least=10) is None, "what was a hole was written into"
            presence = again


def test_a_replaced_file_is_copied_out_while_it_is_open(store: Path, tmp_path: Path):
    """What only an open handle still reaches is copied, with the log at its path."""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("only Linux tells which files are open")
    presence = Presence(store, BLOCK)
    with store.open("rb"):
        _replace(store)
        made = presence.rescue(tmp_path / "q")
    assert [path.read_bytes() for path in made] == [b"x" * 100, b"w" * 50]
    assert {path.stat().st_mode & 0o777 for path in made} == {0o600}


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="what is open is found on Linux")
def test_without_room_nothing_is_copied(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A copy that the disk cannot hold is not begun: the rest of the disk stays for others."""
    presence = Presence(store, BLOCK)
    monkeypatch.setattr("collector.store.file.presence.free", lambda _path: 149)
    with store.open("rb"):
        _replace(store)
        with pytest.raises(OSError, match="no room for 1 MiB"):
            presence.rescue(tmp_path / "q")
    assert not (tmp_path / "q").exists()
