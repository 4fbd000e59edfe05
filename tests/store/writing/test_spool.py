"""The spool keeps what was answered until it is committed, for the store that it belongs to."""

import logging
import stat
import threading
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.answer.local import LocalStore
from collector.decode.columns import LOGS, SPANS
from collector.store.errors import NotAStore
from collector.store.writing import segment, spool
from collector.store.writing.segment import Kept
from collector.store.writing.spool import Spool
from tests.store.rows import kept, log, logs, span, spans

ME, OTHER = "1" * 32, "2" * 32
SCHEMAS = {"spans": pa.schema(list(SPANS.items())), "logs": pa.schema(list(LOGS.items()))}


@dataclass
class Sent:
    """A request."""

    settled: bool = False


def some(trace: int, number: int = 3) -> Kept:
    """A record of spans."""
    return kept(spans(*(span(trace, n) for n in range(number))))


def add(one: Spool, *records: Kept) -> Sent:
    """Have records of one request kept."""
    sent = Sent()
    one.add(list(records), [sent])
    return sent


def left_by(store: Path, *more: Kept) -> Path:
    """The first file of a spool whose process was killed."""
    left = Spool(store, ME)
    for each in more:
        add(left, each)
    return spool.paths(store)[0]


def waiting(store: Path) -> list[Kept]:
    """What would be there for the next process."""
    return spool.read(store).records


def test_what_was_kept_is_there_for_the_next_process(tmp_path: Path):
    """All rows come back in order, and stay until they are committed."""
    left_by(tmp_path / "a", some(1), kept(logs(log(1, 1))), some(2))
    again = Spool(tmp_path / "a", ME)
    assert again.left(SCHEMAS) == [some(1), kept(logs(log(1, 1))), some(2)]
    sent = Sent()
    again.expect([sent])
    again.tidy()
    assert spool.read(tmp_path / "a").rows("spans") == 6
    sent.settled = True
    again.tidy()
    assert waiting(tmp_path / "a") == []
    again.close()
    again.close()
    assert list(tmp_path.iterdir()) == []


def test_a_record_stays_until_its_requests_are_settled(tmp_path: Path):
    """What one request waits for keeps what was kept with it, and an empty spool goes with its process."""
    one = Spool(tmp_path / "a", ME)
    first, second = add(one, some(1)), add(one, some(2))
    second.settled = True
    one.tidy()
    assert waiting(tmp_path / "a") == [some(1), some(2)]
    first.settled = True
    one.tidy()
    assert (waiting(tmp_path / "a"), one.size) == ([], 36)
    one.close()
    assert list(tmp_path.iterdir()) == []


def test_one_segment_takes_while_the_other_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In a flow that never ends the files stay small: each is emptied when what is in it is committed."""
    monkeypatch.setattr(spool, "TURN", 1)
    one, first = Spool(tmp_path / "a", ME), spool.paths(tmp_path / "a")[0]
    sent = [add(one, some(1)), add(one, some(2)), add(one, some(3))]
    assert segment.read(first).records == [some(1)]
    for number in range(4, 20):
        sent.pop(0).settled = True
        one.tidy()
        sent.append(add(one, some(number)))
        left = sorted(int(str(record.rows["trace_id"][0]), 16) for record in waiting(tmp_path / "a"))
        assert set(range(number - 2, number + 1)) <= set(left)
        assert len(left) <= 5


@settings(deadline=None, max_examples=40)
@given(st.lists(st.one_of(st.just("add"), st.just("crash"), st.integers(0, 9)), max_size=25), st.integers(0, 3000))
def test_nothing_is_lost_whatever_is_settled_when(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str | int], turn: int
):
    """In any order of keeping, committing and crashing: what is not settled is there, and when all is, nothing is."""
    store = tmp_path_factory.mktemp("s") / "a"
    one, number = Spool(store, ME), 0
    unsettled: dict[int, Sent] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "TURN", turn)
        for step in steps:
            if step == "add":
                number += 1
                unsettled[number] = add(one, some(number, 1))
            elif step == "crash":
                one = Spool(store, ME)
                found = {int(str(record.rows["trace_id"][0]), 16) for record in one.left(SCHEMAS)}
                assert unsettled.keys() <= found
                unsettled = {trace: Sent() for trace in found}
                one.expect(unsettled.values())
            elif unsettled:
                unsettled.pop(sorted(unsettled)[int(step) % len(unsettled)]).settled = True
                one.tidy()
            assert unsettled.keys() <= {int(str(record.rows["trace_id"][0]), 16) for record in waiting(store)}
        for sent in unsettled.values():
            sent.settled = True
        one.forget()
        assert waiting(store) == []


def test_forgetting_waits_for_what_is_being_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Tidying never waits for the disk; before a deletion it does, so that nothing that goes can come back."""
    one, flushing, go = Spool(tmp_path / "a", ME), threading.Event(), threading.Event()
    flush = segment.flush

    def slow(file: int) -> None:
        flushing.set()
        go.wait()
        flush(file)

    monkeypatch.setattr(segment, "flush", slow)
    sent = Sent(settled=True)  # committed while it was on its way here
    keeping = threading.Thread(target=one.add, args=([some(1)], [sent]))
    keeping.start()
    flushing.wait()
    one.tidy()
    assert waiting(tmp_path / "a") == [some(1)]
    forgetting = threading.Thread(target=one.forget)
    forgetting.start()
    forgetting.join(0.05)
    assert forgetting.is_alive()
    go.set()
    keeping.join()
    forgetting.join()
    assert waiting(tmp_path / "a") == []


@pytest.mark.parametrize("content", [b"", b"TG", b"shopping list" * 10])
def test_what_is_no_spool_is_set_aside(tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture):
    """A file that never was one is kept in quarantine, with a word in the log unless it was empty, and a new one is begun."""
    spool.paths(tmp_path / "a")[0].write_bytes(content)
    one = Spool(tmp_path / "a", ME)
    with caplog.at_level(logging.ERROR):
        assert one.left(SCHEMAS) == []
    assert ("cannot be read" in caplog.text) == bool(content)
    add(one, some(1))
    assert waiting(tmp_path / "a") == [some(1)]


def test_what_is_cut_is_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """Whole records are taken, the file is kept in quarantine as it was, and what comes then stands behind them."""
    path = left_by(tmp_path / "a", some(1), some(2))
    path.write_bytes(path.read_bytes()[:-14])
    one = Spool(tmp_path / "a", ME)
    with caplog.at_level(logging.ERROR):
        assert one.left(SCHEMAS) == [some(1)]
    assert "cannot be read" in caplog.text
    add(one, some(9))
    assert waiting(tmp_path / "a") == [some(1), some(9)]
    assert len(list((tmp_path / "quarantine").glob("*/a.spool"))) == 1


def test_another_stores_rows_are_not_taken(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A new store at the path of one that was deleted does not get its rows; they are kept in quarantine."""
    path = left_by(tmp_path / "a", some(1))
    other = Spool(tmp_path / "a", OTHER)
    with caplog.at_level(logging.ERROR):
        assert other.left(SCHEMAS) == []
    assert "another store's" in caplog.text
    (copy,) = (tmp_path / "quarantine").glob("*/a.spool")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    add(other, some(2))
    assert segment.read(path) == segment.Contents(OTHER, [some(2)], path.stat().st_size - 13, 0)


@pytest.mark.parametrize("number", [0, 1])
def test_a_spool_that_others_could_have_made_is_refused(tmp_path: Path, number: int):
    """Where other users may write it nothing of it is read, and the store does not open until that is put right (X-33)."""
    path = left_by(tmp_path / "a", some(1)).rename(spool.paths(tmp_path / "a")[number])
    path.chmod(0o622)
    with pytest.raises(NotAStore, match="can be changed by other users"):
        Spool(tmp_path / "a", ME).left(SCHEMAS)
    there = path.rename(spool.paths(tmp_path / "b.duckdb")[number])
    for _ in range(2):
        with pytest.raises(NotAStore, match="can be changed by other users"):
            LocalStore(tmp_path / "b.duckdb")
    there.chmod(0o600)
    LocalStore(tmp_path / "b.duckdb").close()


def test_rows_of_a_lost_store_go_to_the_next(tmp_path: Path):
    """What was given away is taken by whatever store comes."""
    left_by(tmp_path / "a", some(1))
    spool.give_away(tmp_path / "a")
    assert Spool(tmp_path / "a", OTHER).left(SCHEMAS) == [some(1)]


def test_rows_of_another_version_are_fitted(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """A column that came since is null; rows with a column that is gone are set aside, and told."""
    left_by(tmp_path / "a", some(1))
    wider = SCHEMAS | {"spans": SCHEMAS["spans"].append(pa.field("mood", pa.string()))}
    (found,) = Spool(tmp_path / "a", ME).left(wider)
    assert found.rows["mood"].null_count == 3
    narrower = SCHEMAS | {"spans": SCHEMAS["spans"].remove(0)}
    with caplog.at_level(logging.ERROR):
        assert Spool(tmp_path / "a", ME).left(narrower) == []
    assert "3 rows" in caplog.text
    assert len(list((tmp_path / "quarantine").glob("*/a.spool"))) == 1
