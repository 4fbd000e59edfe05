"""Retention and deletion over an open store, while others write to it."""

import secrets
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from collector.answer.local import LocalStore
from collector.store.errors import StoreError, Unavailable
from collector.store.writing.group import Receipt
from grader.results import extension
from tests.store.contents import contents
from tests.store.rows import log, logs, span, spans

HOUR = 3_600
AGENT = '{"gen_ai.operation.name":"invoke_agent","gen_ai.agent.name":"a"}'


def linked(trace: int, to: int) -> dict[str, Any]:
    """An agent's span that was caused by the span of another trace: the two are one run."""
    link = f'[{{"trace_id":"{to:032x}","span_id":"{1:016x}","attributes":{{}}}}]'
    return span(trace, 1, name="agent", attributes=AGENT, links=link)


def older(store: LocalStore, seconds: int, *seqs: int) -> None:
    """Make commits older than they are, as the clock would have."""
    store.writer.exchange(lambda path: _set_back(path, seconds, seqs)).result()


def _set_back(path: Path, seconds: int, seqs: tuple[int, ...]) -> None:
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "UPDATE evidence.commits SET committed_at = committed_at - to_seconds($1) WHERE list_contains($2, seq)",
            [seconds, list(seqs)],
        )


def traces(store: LocalStore) -> set[int]:
    """The traces that are there, by their numbers."""
    return {int(row["trace_id"], 16) for row in store.sql("SELECT DISTINCT trace_id FROM spans").to_pylist()}


@pytest.fixture
def store(tmp_path: Path) -> Any:
    """An empty store with the grader's tables."""
    with LocalStore(tmp_path / "t.duckdb", extensions=[extension()]) as opened:
        yield opened


def fill(store: LocalStore) -> None:
    """Three traces, each in a commit of its own, and a log record without a trace."""
    for trace in (1, 2, 3):
        store.ingest(spans(span(trace, 1, name="agent", attributes=AGENT))).result()
    store.ingest(logs(log(None, 1))).result()
    store.settle()


def test_what_is_too_old_goes_by_its_arrival(store: LocalStore):
    """Spans, trees and log records that came before; what came later stays as it is."""
    fill(store)
    older(store, 2 * HOUR, 1, 4)
    done = store.care.prune(HOUR, None)
    assert (done.traces, done.runs, done.spans, done.logs) == (1, 1, 1, 1)
    assert traces(store) == {2, 3}
    status = store.query("status").to_pylist()[0]
    assert (status["spans"], status["logs"], status["runs"]) == (2, 0, 2)


def test_a_dry_run_changes_nothing(store: LocalStore):
    """It says what would go."""
    fill(store)
    older(store, 2 * HOUR, 1)
    before = contents(store)
    assert store.care.prune(HOUR, None, dry_run=True).spans == 1
    assert contents(store) == before


def test_a_run_across_the_border_is_kept_whole(store: LocalStore):
    """A trace that is older than the border stays while its run got evidence later."""
    store.ingest(spans(span(1, 1, name="agent", attributes=AGENT))).result()
    store.ingest(spans(linked(2, to=1))).result()
    store.settle()
    older(store, 2 * HOUR, 1)
    assert store.care.prune(HOUR, None).traces == 0
    assert traces(store) == {1, 2}


def test_evidence_that_comes_meanwhile_saves_a_run(store: LocalStore):
    """What is decided before the file is closed is decided anew over the closed file: no acknowledged span is lost."""
    fill(store)
    older(store, 2 * HOUR, 1)
    late: list[Future[Receipt]] = []
    exchange = store.writer.exchange

    def late_span(work: Any) -> Any:
        late.append(store.ingest(spans(span(1, 2))))
        return exchange(work)

    store.writer.exchange = late_span
    store.care.prune(HOUR, None)
    assert late[0].result().stored == 1
    assert traces(store) == {1, 2, 3}


def test_the_oldest_go_where_the_file_is_too_large(store: LocalStore):
    """The file is at most as large as it may be, and the newest runs are those that are left."""
    for trace in range(1, 31):
        store.ingest(spans(span(trace, 1, attributes=f'{{"a":"{secrets.token_hex(200_000)}"}}'))).result()
    store.writer.exchange(lambda _path: None).result()
    size = store.database.file.stat().st_size
    most = int(size * 0.8)
    done = store.care.prune(None, most)
    assert done.after <= most
    left = traces(store)
    assert left
    assert left == set(range(31 - len(left), 31))


def test_a_deleted_trace_is_refused_when_it_comes_again(store: LocalStore, tmp_path: Path):
    """By this process and after a restart; other traces are taken."""
    fill(store)
    assert store.care.delete(trace=f"{1:032X}").spans == 1
    again = spans(span(1, 1), span(4, 1))
    assert store.ingest(again).result().stored == 1
    assert again.rejected == {"deleted": 1}
    store.close()
    with LocalStore(tmp_path / "t.duckdb", extensions=[extension()]) as opened:
        assert opened.ingest(spans(span(1, 2))).result().stored == 0
        assert traces(opened) == {2, 3, 4}


def test_a_conversation_goes_with_all_its_traces(store: LocalStore):
    """Traces that name it, the other traces of their runs, and log records that name nothing else."""
    talk = AGENT.replace("}", ',"gen_ai.conversation.id":"c1"}')
    store.ingest(spans(span(1, 1, name="agent", attributes=talk, conversation_id="c1"))).result()
    store.ingest(spans(linked(2, to=1))).result()
    store.ingest(spans(span(3, 1, conversation_id="c2"))).result()
    said = logs(log(None, 1, conversation_id="c1"), log(None, 2, conversation_id="c2"))
    store.ingest(said).result()
    store.settle()
    done = store.care.delete(conversation="c1")
    assert (done.traces, done.logs) == (2, 1)
    assert traces(store) == {3}
    assert store.ingest(logs(log(None, 1, conversation_id="c1"))).result().stored == 0


def test_what_shared_a_run_gets_a_tree_of_its_own(store: LocalStore):
    """Deleting one trace of a run takes the run's rows; the other traces are built again without it."""
    store.ingest(spans(span(1, 1, name="agent", attributes=AGENT))).result()
    store.ingest(spans(linked(2, to=1))).result()
    store.settle()
    assert store.query("status").to_pylist()[0]["runs"] == 1
    store.care.delete(trace=f"{1:032x}")
    store.settle()
    members = store.sql("SELECT trace_id FROM run_members").to_pylist()
    assert members == [{"trace_id": f"{2:032x}"}]


def test_results_keep_their_verdict_and_lose_their_words(store: LocalStore):
    """What a grading says about a deleted run may quote it: the outcome stays, the sentence goes; others keep both."""
    fill(store)
    runs = {r["trace_id"]: r["run_id"] for r in store.sql("SELECT run_id, trace_id FROM runs").to_pylist()}
    gone, kept = runs[f"{1:032x}"], runs[f"{2:032x}"]
    rows = [
        {"grading_id": "g", "run_id": run, "outcome": "fail", "sentence": "was called with x"} for run in (gone, kept)
    ]
    store.append({"grading.check_results": pa.Table.from_pylist(rows)}, "b1")
    store.care.delete(trace=f"{1:032x}")
    told = {r["run_id"]: (r["outcome"], r["sentence"]) for r in store.sql("FROM check_results").to_pylist()}
    assert told == {gone: ("fail", "(deleted)"), kept: ("fail", "was called with x")}
    store.append({"grading.check_results": pa.Table.from_pylist(rows)}, "b1")
    assert store.sql("SELECT count(*) AS n FROM check_results").to_pylist() == [{"n": 2}]


def test_exports_are_told_to_come_again(store: LocalStore):
    """While the file is written anew a request is refused as unavailable, and stored afterwards."""
    fill(store)
    inside, go_on = threading.Event(), threading.Event()

    def held(_path: Path) -> None:
        inside.set()
        go_on.wait()

    waits = store.writer.exchange(held)
    inside.wait()
    with pytest.raises(Unavailable, match="rewritten"):
        store.ingest(spans(span(9, 1)))
    go_on.set()
    waits.result()
    assert store.ingest(spans(span(9, 1))).result().stored == 1


@pytest.mark.parametrize(
    "order", [{"trace": "0" * 32}, {"conversation": "none"}, {}, {"trace": "a", "conversation": "b"}]
)
def test_what_is_not_there_is_said(store: LocalStore, order: dict[str, str]):
    """An id that nothing has, no id, and two kinds of id are refused, and nothing changes."""
    fill(store)
    with pytest.raises(StoreError):
        store.maintain({"do": "delete", **order})
    assert traces(store) == {1, 2, 3}


def test_a_store_in_memory_cannot_be_rewritten():
    """It has no file."""
    with LocalStore(":memory:") as store, pytest.raises(StoreError, match="memory"):
        store.care.prune(1.0, None)


def test_a_deletion_tells_where_the_words_may_still_be(store: LocalStore, tmp_path: Path):
    """Copies of the store, and other traces of the same conversation; a whole conversation leaves none of these."""
    for trace in (1, 2):
        store.ingest(spans(span(trace, 1, conversation_id="c1"))).result()
    store.ingest(spans(span(3, 1, conversation_id="c3"))).result()
    copy = tmp_path / "quarantine" / "t.duckdb-20260101T000000.000000Z"
    copy.mkdir(parents=True)
    assert store.care.delete(trace=f"{3:032x}").conversations == ()
    done = store.care.delete(trace=f"{1:032x}", dry_run=True)
    assert (done.copies, done.conversations) == ((str(copy),), ("c1",))
    assert store.care.delete(conversation="c1").conversations == ()


def test_results_under_a_former_id_of_a_run_lose_their_words(store: LocalStore):
    """A run that was graded before a later join absorbed it is known by another id now; what was said of it goes as well."""
    store.ingest(spans(linked(2, to=1))).result()
    store.settle()
    (former,) = [r["run_id"] for r in store.sql("SELECT run_id FROM runs").to_pylist()]
    rows = [{"grading_id": "g", "run_id": former, "outcome": "fail", "sentence": "was called with x"}]
    store.append({"grading.check_results": pa.Table.from_pylist(rows)}, "b1")
    store.ingest(spans(span(1, 1, name="agent", attributes=AGENT))).result()
    store.settle()
    assert store.sql("SELECT alias FROM run_aliases").to_pylist() == [{"alias": former}]
    store.ingest(spans(span(3, 1))).result()
    store.care.delete(trace=f"{3:032x}")  # the file is written anew without the build that named the former id's trace
    assert store.sql("SELECT sentence FROM check_results").to_pylist() == [{"sentence": "was called with x"}]
    store.care.delete(trace=f"{2:032x}")
    assert store.sql("SELECT sentence FROM check_results").to_pylist() == [{"sentence": "(deleted)"}]
