"""A file of the spool gives back what was kept in it, whole records only."""

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.store.writing import segment
from collector.store.writing.segment import Kept, Segment
from tests.store.rows import kept, log, logs, span, spans

ME = "1" * 32


def some(trace: int, number: int = 3) -> Kept:
    """A record of spans."""
    return kept(spans(*(span(trace, n) for n in range(number))))


def records() -> list[Kept]:
    """Spans, log records, more spans."""
    return [some(1), kept(logs(log(1, 1), log(None, 2))), some(2)]


def left_at(path: Path, *more: list[Kept]) -> None:
    """A segment whose process was killed."""
    left = Segment(path, ME)
    for each in more:
        left.add(each)


def test_what_was_kept_is_read(tmp_path: Path):
    """All rows come back in order, as they came, and a file that is read by its owner alone holds them."""
    path = tmp_path / "a"
    left_at(path, records()[:1], records()[1:])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = segment.read(path)
    assert (found.store_id, found.records) == (ME, records())
    assert (found.end, found.unreadable) == (path.stat().st_size - 13, 0)
    first = found.records[0].decoded()
    assert (first.kind, first.rows, first.columns) == ("spans", 3, {})
    assert first.keys == [bytes.fromhex(f"{1:032x}{n:016x}") for n in range(3)]
    assert found.records[1].decoded().keys == []


def test_what_is_committed_is_gone(tmp_path: Path):
    """After `clear` nothing is left, what comes then is kept, and an empty segment goes with its process."""
    one = Segment(tmp_path / "a", ME)
    one.add([some(1)])
    assert one.used
    one.clear()
    assert not one.used
    one.add([some(2)])
    assert segment.read(one.path).records == [some(2)]
    one.clear()
    one.close()
    one.close()
    assert list(tmp_path.iterdir()) == []


def test_what_was_emptied_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The file keeps its room, what was in it is read no more, and `forget` takes it from the disk; a large one shrinks."""
    one = Segment(tmp_path / "a", ME)
    one.add([some(1, 300)])
    full = one.path.stat().st_size
    one.clear()
    one.add([some(2)])
    assert one.path.stat().st_size == full
    assert segment.read(one.path) == segment.Contents(ME, [some(2)], one.size, 0)
    one.forget()
    assert one.path.stat().st_size == one.size
    assert segment.read(one.path).records == [some(2)]
    one.clear()
    one.forget()
    assert one.path.read_bytes()[36:] == b""
    monkeypatch.setattr(segment, "KEPT", 1000)
    one.add([some(1, 300)])
    one.clear()
    assert one.path.stat().st_size == 36


def test_a_record_that_is_spoiled_is_not_taken_for_the_end(tmp_path: Path):
    """Behind the last record stand zeros: without them what follows is told as unreadable, older bytes too."""
    one = Segment(tmp_path / "a", ME)
    one.add([some(1, 300)])
    one.clear()
    one.add([some(2)])
    with one.path.open("rb+") as file:
        file.seek(36 + 20)
        file.write(b"?")
    found = segment.read(one.path)
    assert (found.records, found.unreadable > 1000) == ([], True)


@pytest.mark.parametrize("before", [0, 1, 300], ids=["a new file", "behind a record", "over what was emptied"])
@pytest.mark.parametrize("writes", range(7))
def test_a_kill_in_the_midst_of_writing_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, writes: int
):
    """After any number of its writes: nothing of what was not answered is read, and nothing is told as unreadable."""
    one = Segment(tmp_path / "a", ME)
    kept_before = [some(1, before)] if before else []
    one.add(kept_before)
    if before > 1:
        one.clear()
        kept_before = []
    made, write = list[int](), segment.write_at

    def counted(file: int, data: bytes, at: int) -> None:
        if len(made) == writes:
            raise KeyboardInterrupt
        made.append(at)
        write(file, data, at)

    monkeypatch.setattr(segment, "write_at", counted)
    with pytest.raises(KeyboardInterrupt):
        one.add(records())
    found = segment.read(one.path)
    assert (found.records, found.unreadable) == (kept_before, 0)


def test_a_segment_with_something_in_it_stays(tmp_path: Path):
    """Closing it leaves what is not committed, and a later process adds to it."""
    left_at(tmp_path / "a", [some(1)])
    again = Segment(tmp_path / "a", ME)
    again.resume(segment.read(again.path).end)
    again.add([some(2)])
    again.close()
    assert segment.read(again.path).records == [some(1), some(2)]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_segment_that_was_cut_or_spoiled_gives_its_whole_records(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
):
    """Whatever byte is wrong or missing: the records before it are read as they were kept."""
    path = tmp_path_factory.mktemp("s") / "a"
    left_at(path, records())
    whole = path.read_bytes()
    at = data.draw(st.integers(36, len(whole) - 14))
    spoiled = data.draw(st.booleans())
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] if spoiled else whole[:at])
    found = segment.read(path)
    assert found.records == records()[: len(found.records)]
    assert len(found.records) < 3
    rest = path.read_bytes()[found.end :]
    assert found.unreadable == (len(rest) if any(rest[:13]) else 0), "zeros, or nothing, are the end"


@pytest.mark.parametrize("content", [None, b"", b"TG", b"shopping list" * 10])
def test_what_is_no_segment_holds_nothing(tmp_path: Path, content: bytes | None):
    """A file that is not there or never was one has no records; its bytes are told."""
    if content is not None:
        (tmp_path / "a").write_bytes(content)
    assert segment.read(tmp_path / "a") == segment.Contents(None, [], 0, len(content or b""))


def test_rows_that_are_given_away_are_anybodys(tmp_path: Path):
    """The store's id is gone, and nothing else; where there is no file none is made."""
    segment.give_away(tmp_path / "a")
    assert not (tmp_path / "a").exists()
    left_at(tmp_path / "a", [some(1)])
    segment.give_away(tmp_path / "a")
    found = segment.read(tmp_path / "a")
    assert (found.store_id, found.records) == (None, [some(1)])


def test_a_segment_that_was_removed_is_begun_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """Nothing is kept in a file that nobody could find again."""
    one = Segment(tmp_path / "a", ME)
    one.add([some(1)])
    one.path.unlink()
    one.add([some(2)])
    assert "was removed" in caplog.text
    assert segment.read(one.path).records == [some(2)]
    one.clear()
    assert segment.read(one.path).records == []


def test_what_the_disk_does_not_take_leaves_the_segment_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where the flush fails the error is raised, and nothing of the record stays."""
    one = Segment(tmp_path / "a", ME)
    one.add([some(1)])

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(segment, "flush", full)
    with pytest.raises(OSError, match="No space"):
        one.add([some(2)])
    monkeypatch.undo()
    assert segment.read(one.path).records == [some(1)]
    one.add([some(3)])
    assert segment.read(one.path).records == [some(1), some(3)]
