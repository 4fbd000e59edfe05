"""The processes of free SQL, spoken to by hand."""

import threading
import time
from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path

import pytest

from collector.answer import frames
from collector.answer.free import Statement
from collector.answer.local import LocalStore
from collector.answer.root import shared
from tests.store.rows import span, spans

NEVER = 0.0


@pytest.fixture
def store(tmp_path: Path) -> Generator[LocalStore]:
    """A store in a file with one span."""
    with LocalStore(tmp_path / "a.duckdb") as opened:
        opened.ingest(spans(span(1, 1))).result()
        yield opened


def test_a_reader_says_when_it_is_out_of_date(store: LocalStore):
    """A reader answers while what it holds is complete; after a commit only whom an older state contents; then nobody."""
    with shared.fork() as reader:
        frames.send(reader, {"path": store.path, "memory": 1 << 30})
        assert frames.receive(reader) == {}
        asked = {"statement": asdict(Statement("SELECT count(*) AS n FROM spans", form="jsonl")), "relations": []}
        with_one = frames.order(reader, 5, time.monotonic(), NEVER)
        assert with_one is not None
        with with_one:
            frames.send(with_one, asked)
            kind, length = frames.FRAME.unpack(frames.exactly(with_one, frames.FRAME.size))
            assert (kind, frames.exactly(with_one, length)) == (frames.DATA, b'{"n":1}\n')
            end = frames.receive(with_one)
            assert (end["rows"], end["truncated"]) == (1, False)
        before = time.monotonic()
        store.ingest(spans(span(1, 2))).result()
        assert frames.order(reader, 5, time.monotonic(), NEVER) is None
        earlier = frames.order(reader, 5, before - 3600, NEVER)
        assert earlier is not None
        earlier.close()
        store.database.cursor().execute("CHECKPOINT")
        store.database.verify(checkpointed=True)
        assert frames.order(reader, 5, before - 3600, 3600.0) is None


def test_what_is_no_order_ends_it(store: LocalStore):
    """A reader whose socket says nonsense, or closes, ends."""
    reader = shared.fork()
    frames.send(reader, {"path": store.path, "memory": 1 << 30})
    assert frames.receive(reader) == {}
    reader.sendall(b"nonsense")
    reader.settimeout(20)
    with pytest.raises(EOFError):
        frames.exactly(reader, 1)
    reader.close()


def test_errors_name_no_paths(tmp_path: Path):
    """What cannot be opened is told without its path and without a traceback (X-24)."""
    with shared.fork() as reader:
        frames.send(reader, {"path": str(tmp_path / "nothing.duckdb"), "memory": 1 << 30})
        said = frames.receive(reader)["error"]
    assert "Traceback" not in said
    assert str(tmp_path) not in said


def test_statements_are_judged_at_the_same_time():
    """Several forks of the root work at once, and each answer goes to the one who asked."""
    said: dict[str, object] = {}

    def judge(text: str) -> None:
        with shared.fork() as peer:
            frames.send(peer, {"check": text, "relations": ["mine"]})
            said[text] = frames.receive(peer)

    texts = ["SELECT * FROM mine", "DROP VIEW mine", "SELECT " + "(" * 5000 + "1" + ")" * 5000]
    threads = [threading.Thread(target=judge, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said[texts[0]] == {}
    assert "not DROP" in str(said[texts[1]])
    assert "depth" in str(said[texts[2]])
