"""The spool gives back what was kept in it, whole records only, to the store that it belongs to."""

import logging
import stat
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.answer.local import LocalStore
from collector.decode.columns import LOGS, SPANS
from collector.store.errors import NotAStore
from collector.store.file.names import SPOOL, beside
from collector.store.writing import spool
from collector.store.writing.spool import Kept, Spool
from tests.store.rows import kept, log, logs, span, spans

ME, OTHER = "1" * 32, "2" * 32
SCHEMAS = {"spans": pa.schema(list(SPANS.items())), "logs": pa.schema(list(LOGS.items()))}


def some(trace: int, number: int = 3) -> Kept:
    """A record of spans."""
    return kept(spans(*(span(trace, n) for n in range(number))))


def records() -> list[Kept]:
    """Spans, log records, more spans."""
    return [some(1), kept(logs(log(1, 1), log(None, 2))), some(2)]


def left_by(store: Path, *more: list[Kept]) -> Path:
    """The path of a spool whose process was killed."""
    left = Spool(store, ME)
    for each in more:
        left.add(each)
    return left.path


def test_what_was_kept_is_there_for_the_next_process(tmp_path: Path):
    """All rows come back in order, as they came, and a file that is read by its owner alone holds them."""
    path = left_by(tmp_path / "a", records()[:1], records()[1:])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = Spool(tmp_path / "a", ME).left(SCHEMAS)
    assert found == records()
    first = found[0].decoded()
    assert (first.kind, first.rows, first.columns) == ("spans", 3, {})
    assert first.keys == [bytes.fromhex(f"{1:032x}{n:016x}") for n in range(3)]
    assert found[1].decoded().keys == []


def test_what_is_committed_is_gone(tmp_path: Path):
    """After `clear` nothing is left, what comes then is kept, and an empty spool goes with its process."""
    one = Spool(tmp_path / "a", ME)
    one.add([some(1)])
    assert one.used
    one.clear()
    assert not one.used
    one.add([some(2)])
    one.flush()
    assert spool.read(tmp_path / "a").records == [some(2)]
    one.clear()
    one.close()
    one.close()
    assert list(tmp_path.iterdir()) == []


def test_a_spool_with_something_in_it_stays(tmp_path: Path):
    """Closing it leaves what is not committed, and a later process adds to it."""
    left_by(tmp_path / "a", [some(1)])
    again = Spool(tmp_path / "a", ME)
    again.left(SCHEMAS)
    again.add([some(2)])
    again.close()
    assert spool.read(tmp_path / "a").records == [some(1), some(2)]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_spool_that_was_cut_or_spoiled_gives_its_whole_records(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    """Whatever byte is wrong or missing: the records before it are read as they were kept, and the rest is set aside."""
    store = tmp_path_factory.mktemp("s") / "a"
    path = left_by(store, records())
    whole = path.read_bytes()
    at = data.draw(st.integers(36, len(whole) - 1))
    spoiled = data.draw(st.booleans())
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] if spoiled else whole[:at])
    found = spool.read(store)
    assert found.records == records()[: len(found.records)]
    assert len(found.records) < 3
    assert found.end + found.unreadable == path.stat().st_size
    one = Spool(store, ME)
    assert one.left(SCHEMAS) == found.records
    one.add([some(9)])
    assert spool.read(store).records == [*found.records, some(9)]
    copies = list((store.parent / "quarantine").glob("*/a.spool"))
    assert len(copies) == bool(found.unreadable)


@pytest.mark.parametrize("content", [b"", b"TG", b"shopping list" * 10])
def test_what_is_no_spool_is_set_aside(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture):
    """A file that never was one is kept in quarantine, with a word in the log unless it was empty, and a new one is begun."""
    beside(tmp_path / "a", SPOOL).write_bytes(content)
    one = Spool(tmp_path / "a", ME)
    with caplog.at_level(logging.ERROR):
        assert one.left(SCHEMAS) == []
    assert ("cannot be read" in caplog.text) == bool(content)
    one.add([some(1)])
    assert spool.read(tmp_path / "a").records == [some(1)]


def test_another_stores_rows_are_not_taken(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A new store at the path of one that was deleted does not get its rows; they are kept in quarantine."""
    left_by(tmp_path / "a", [some(1)])
    other = Spool(tmp_path / "a", OTHER)
    with caplog.at_level(logging.ERROR):
        assert other.left(SCHEMAS) == []
    assert "another store's" in caplog.text
    (copy,) = (tmp_path / "quarantine").glob("*/a.spool")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    other.add([some(2)])
    assert spool.read(tmp_path / "a") == spool.Contents(
        OTHER, [some(2)], beside(tmp_path / "a", SPOOL).stat().st_size, 0
    )


def test_a_spool_that_others_could_have_made_is_refused(tmp_path: Path):
    """Where other users may write it nothing of it is read, and the store does not open until that is put right (X-33)."""
    path = left_by(tmp_path / "a", [some(1)])
    path.chmod(0o622)
    with pytest.raises(NotAStore, match="can be changed by other users"):
        Spool(tmp_path / "a", ME).left(SCHEMAS)
    path.rename(tmp_path / "b.duckdb.spool")
    for _ in range(2):
        with pytest.raises(NotAStore, match="can be changed by other users"):
            LocalStore(tmp_path / "b.duckdb")
    (tmp_path / "b.duckdb.spool").chmod(0o600)
    LocalStore(tmp_path / "b.duckdb").close()


def test_rows_of_a_lost_store_go_to_the_next(tmp_path: Path):
    """What was given away is taken by whatever store comes."""
    spool.give_away(tmp_path / "a")  # there is none
    left_by(tmp_path / "a", [some(1)])
    spool.give_away(tmp_path / "a")
    assert Spool(tmp_path / "a", OTHER).left(SCHEMAS) == [some(1)]


def test_rows_of_another_version_are_fitted(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A column that came since is null; rows with a column that is gone are set aside, and told."""
    left_by(tmp_path / "a", [some(1)])
    wider = SCHEMAS | {"spans": SCHEMAS["spans"].append(pa.field("mood", pa.string()))}
    (found,) = Spool(tmp_path / "a", ME).left(wider)
    assert found.rows["mood"].null_count == 3
    narrower = SCHEMAS | {"spans": SCHEMAS["spans"].remove(0)}
    with caplog.at_level(logging.ERROR):
        assert Spool(tmp_path / "a", ME).left(narrower) == []
    assert "3 rows" in caplog.text
    assert len(list((tmp_path / "quarantine").glob("*/a.spool"))) == 1


def test_a_spool_that_was_removed_is_begun_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """Nothing is kept in a file that nobody could find again."""
    one = Spool(tmp_path / "a", ME)
    one.add([some(1)])
    one.path.unlink()
    one.add([some(2)])
    assert "was removed" in caplog.text
    assert spool.read(tmp_path / "a").records == [some(2)]
    one.clear()
    assert spool.read(tmp_path / "a").records == []


def test_what_the_disk_does_not_take_leaves_the_spool_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where the flush fails the error is raised, and nothing of the record stays."""
    one = Spool(tmp_path / "a", ME)
    one.add([some(1)])

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool, "flush", full)
    with pytest.raises(OSError, match="No space"):
        one.add([some(2)])
    monkeypatch.undo()
    assert spool.read(tmp_path / "a").records == [some(1)]
    one.add([some(3)])
    assert spool.read(tmp_path / "a").records == [some(1), some(3)]
