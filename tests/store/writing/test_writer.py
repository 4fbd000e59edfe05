"""The writer: what an acknowledgement means."""

import json
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from collector.store.errors import BadAppend, Busy, NoSpace, Unavailable
from collector.store.file.database import Database
from collector.store.writing.group import Receipt
from collector.store.writing.limits import WriterLimits
from collector.store.writing.writer import Writer
from tests.store.rows import committed, log, logs, span, spans


def count(database: Database, table: str = "spans") -> int:
    """Rows that another connection sees."""
    return database.cursor().execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]


@pytest.fixture
def database(tmp_path: Path):
    """An empty store in a file."""
    opened = Database(tmp_path / "a.duckdb")
    yield opened
    opened.close()


@pytest.fixture
def writer(database: Database):
    """A writer on it."""
    opened = Writer(database)
    yield opened
    opened.close()


def test_rows_are_visible_elsewhere_before_the_future_resolves(database: Database, writer: Writer):
    """No request is acknowledged before another connection can read its rows (C-11)."""
    for number in range(1, 11):
        writer.submit(spans(span(1, number))).result()
        assert count(database) == number


def test_many_requests_share_few_commits(database: Database, writer: Writer):
    """Requests that wait together are committed together, each once."""
    with ThreadPoolExecutor(8) as threads:
        receipts = [f.result() for f in threads.map(lambda n: writer.submit(spans(span(n, n))), range(1, 201))]
    assert all(receipt.stored == 1 for receipt in receipts)
    assert count(database) == 200
    assert count(database, "evidence.commits") < 200


def test_redelivery_changes_nothing_even_after_a_restart(tmp_path: Path):
    """The same spans and logs a day later, in another process's store object, leave every table as it was."""
    path = tmp_path / "a.duckdb"
    for attempt in range(2):
        database = Database(path)
        writer = Writer(database)
        brought = writer.submit(spans(span(1, 1), span(1, 2), span(2, 1))).result()
        told = writer.submit(logs(log(1, 1), log(None, 2))).result()
        assert (brought.duplicates, told.duplicates) == ((0, 0), (3, 2))[attempt]
        tables = ("evidence.spans", "evidence.logs", "evidence.commits", "evidence.arrivals", "evidence.superseded")
        assert [count(database, table) for table in tables] == [3, 2, 2, 3, 0]
        writer.close()
        database.close()


def test_a_revision_is_stored_and_the_richer_one_read(database: Database, writer: Writer):
    """A span that is delivered unended and then ended has two revisions; the ended one is read, in either order."""
    for trace, order in ((1, (0, 9)), (2, (9, 0))):
        for end in order:
            writer.submit(spans(span(trace, 1, end_ns=end))).result()
    rows = database.cursor().execute("SELECT end_ns FROM spans ORDER BY trace_id").fetchall()
    assert rows == [(9,), (9,)]
    assert count(database, "evidence.spans") == 4
    assert count(database, "evidence.superseded") == 2


def test_a_poison_row_is_rejected_alone(database: Database, writer: Writer):
    """Of 100 spans one that cannot be stored is rejected with its reason, and 99 are stored."""
    rows = [span(1, n) for n in range(99)]
    receipt = writer.submit(spans(*rows[:40], span(1, 500, name="\ud800"), *rows[40:])).result()
    assert (receipt.stored, receipt.rejected) == (99, {"unstorable": 1})
    assert count(database) == 99


def test_a_row_that_the_database_refuses_is_rejected_alone(database: Database, writer: Writer):
    """A value that only the INSERT refuses is found by halving, and its neighbours are stored."""
    database.cursor().execute("ALTER TABLE evidence.spans ALTER COLUMN trace_state TYPE INTEGER")
    writer.close()
    stricter = Writer(database)
    stricter._committer.schemas["spans"] = pa.schema(
        [f.with_type(pa.string()) if f.name == "trace_state" else f for f in stricter._committer.schemas["spans"]]
    )
    receipt = stricter.submit(spans(*(span(1, n, trace_state="x" if n == 33 else "1") for n in range(64)))).result()
    stricter.close()
    assert (receipt.stored, receipt.rejected) == (63, {"unstorable": 1})
    assert count(database) == 63


def test_over_the_budget_a_request_is_refused_at_once(database: Database):
    """With the queue full `submit` raises Busy; nothing that was taken is lost."""
    writer = Writer(database, WriterLimits(seconds=0.2, queue_bytes=3000))
    taken = [writer.submit(spans(span(1, n))) for n in range(3)]
    with pytest.raises(Busy):
        writer.submit(spans(span(1, 9)))
    assert [future.result().stored for future in taken] == [1, 1, 1]
    writer.close()
    assert writer.queue.waiting_bytes == 0


def test_a_large_request_is_taken_when_nothing_waits(database: Database):
    """A request beyond the whole budget gets in when it is alone."""
    writer = Writer(database, WriterLimits(queue_bytes=10))
    assert writer.submit(spans(span(1, 1), span(1, 2))).result().stored == 2
    writer.close()


def test_closing_commits_what_waits_and_refuses_the_rest(database: Database):
    """Every request taken before `close` is committed; later ones are unavailable."""
    writer = Writer(database, WriterLimits(seconds=5))
    futures = [writer.submit(spans(span(1, n))) for n in range(10)]
    closing = threading.Thread(target=writer.close)
    closing.start()
    assert sum(future.result().stored for future in futures) == 10
    closing.join()
    with pytest.raises(Unavailable):
        writer.submit(spans(span(1, 99)))


def test_an_empty_request_is_answered_without_a_commit(database: Database, writer: Writer):
    """A request without rows is done at once (C-02)."""
    assert writer.submit(spans()).result() == Receipt(0, 0, 0)
    assert count(database, "evidence.commits") == 0


def test_an_append_happens_once(database: Database, writer: Writer):
    """Tables are appended in one transaction, and a batch id that is known already changes nothing."""
    rows = {"canonical.constraints": pa.table({"text": ["no data leaves"]})}
    assert writer.append(rows, "b1").result() is True
    assert writer.append(rows, "b1").result() is False
    assert count(database, "canonical.constraints") == 1


def test_an_append_that_does_not_fit_leaves_nothing(database: Database, writer: Writer):
    """One table that does not fit takes back the others, and later work goes on."""
    good, bad = pa.table({"text": ["a"]}), pa.table({"nonsense": [1]})
    with pytest.raises(BadAppend, match="nonsense"):
        writer.append({"canonical.constraints": good, "canonical.jobs": bad}, "b2").result()
    assert count(database, "canonical.constraints") == 0
    with pytest.raises(BadAppend, match="nowhere"):
        writer.append({"canonical.constraints": good, "canonical.nowhere": good}, "b3").result()
    assert writer.append({"canonical.constraints": good}, "b4").result() is True
    assert writer.submit(spans(span(1, 1))).result().stored == 1


def test_after_a_fatal_error_the_ledger_decides(database: Database, writer: Writer):
    """A commit that turns out to be durable after a fatal error is acknowledged; one that is not is to be sent again."""
    commit, failures = writer._committer._commit, ["after", "before"]

    def failing() -> None:
        when = failures.pop() if failures else None
        if when != "before":
            commit()
        if when:
            raise duckdb.FatalException("planned")

    writer._committer._commit = failing
    with pytest.raises(Unavailable):
        writer.submit(spans(span(1, 1))).result()
    receipt = writer.submit(spans(span(1, 1))).result()
    assert (receipt.stored, receipt.duplicates) == (1, 0)
    assert writer.submit(spans(span(1, 1))).result().duplicates == 1
    assert count(database) == 1


def test_commits_are_told_before_the_future_resolves(database: Database):
    """Whoever follows commits knows of one before its request is answered."""
    told: list[tuple[int, list[str]]] = []
    writer = Writer(database, on_commit=lambda seq, traces: told.append((seq, traces)))
    future: Future[Receipt] = writer.submit(spans(span(1, 1), span(2, 1)))
    assert future.result().seq == 1
    assert told == [(1, [f"{1:032x}", f"{2:032x}"])]
    writer.close()


def test_no_request_waits_for_two_long_works(database: Database):
    """A request that comes during a commit is next after one more thing at most: trees or a checkpoint, never two of these."""
    inside, go_on = threading.Event(), threading.Event()
    works: list[str] = []

    def told(_seq: int, _traces: list[str]) -> None:
        works.append("request")
        inside.set()
        go_on.wait()

    writer = Writer(database, WriterLimits(log_bytes=1), told)
    append, checkpoint = writer._committer.append, writer._committer.checkpoint
    writer._committer.append = lambda tables, batch_id: works.append("trees") or append(tables, batch_id)
    writer._committer.checkpoint = lambda merge: works.append("checkpoint") or checkpoint(merge=merge)
    first = writer.submit(spans(span(1, 1)))
    rows = {"canonical.constraints": pa.table({"text": ["no data leaves"]})}
    inside.wait()
    appends = [writer.append(rows, f"b{number}") for number in range(3)]
    second = writer.submit(spans(span(1, 2)))
    go_on.set()
    assert (first.result().seq, committed(second).stored) == (1, 1)
    assert all(future.result() for future in appends)  # a log that is always too large keeps none of them waiting
    writer.close()
    assert works[:3] in (["request", long, "request"] for long in ("trees", "checkpoint"))


def test_a_file_is_exchanged_between_two_commits(database: Database, writer: Writer):
    """What waits is committed, others are refused while the file is away, and the writer goes on with the new file."""
    inside, go_on = threading.Event(), threading.Event()

    def rewrite(path: Path) -> str:
        inside.set()
        go_on.wait()
        with duckdb.connect(str(path)) as alone:
            alone.execute("UPDATE evidence.spans SET name = 'redacted'")
        return "done"

    writer.submit(spans(span(1, 1))).result()
    exchanged = writer.exchange(rewrite)
    inside.wait()
    with pytest.raises(Unavailable, match="rewritten"):
        writer.submit(spans(span(1, 2)))
    with pytest.raises(Unavailable):
        database.cursor()
    go_on.set()
    assert exchanged.result() == "done"
    assert writer.submit(spans(span(1, 1, name="x"), span(1, 2))).result().seq == 2
    assert database.cursor().execute("SELECT name FROM evidence.spans ORDER BY ALL").fetchall() == [
        ("redacted",),
        ("step",),
        ("x",),
    ]


def test_an_exchange_that_fails_leaves_the_file_open(database: Database, writer: Writer):
    """The error reaches who asked, and the next request is stored."""

    def fail(path: Path) -> None:
        raise OSError(str(path))

    with pytest.raises(OSError, match=r"a\.duckdb"):
        writer.exchange(fail).result()
    assert writer.submit(spans(span(1, 1))).result().stored == 1


def test_a_client_that_goes_away_harms_nobody(database: Database, writer: Writer):
    """A request whose future somebody tries to cancel is committed all the same, and the next ones are answered (G-11)."""
    future = writer.submit(spans(span(1, 1)))
    assert not future.cancel()
    assert future.result(10).stored == 1
    assert writer.submit(spans(span(1, 2))).result(10).stored == 1


def test_a_refused_row_is_kept_with_its_reason(database: Database, writer: Writer):
    """What the database cannot hold stands in the quarantine with its ids, every letter escaped, also where it came alone."""
    poison = span(1, 500, name="\ud800")
    writer.submit(spans(span(1, 1), poison)).result()
    receipt = writer.submit(spans(span(1, 501, name="\udfff"))).result()
    assert (receipt.stored, receipt.rejected) == (0, {"unstorable": 1})
    rows = database.cursor().execute('SELECT commit_seq, kind, span_id, reason, "row" FROM quarantine').fetchall()
    assert [row[:4] for row in rows] == [(seq, "spans", f"{n:016x}", "unstorable") for seq, n in ((1, 500), (2, 501))]
    assert json.loads(rows[0][4])["name"] == "\ud800"


def test_nul_nan_and_a_giant_cost_nobody_else(database: Database, writer: Writer):
    """Among 500 spans one with a NUL, one with a NaN and one of 10 MB: all that can be stored is stored (T-28)."""
    odd = (
        span(2, 1, name="a\0b"),
        span(2, 2, cost_usd=float("nan")),
        span(2, 3, attributes='{"a":"' + "x" * 10_000_000 + '"}'),
    )
    receipt = writer.submit(spans(*(span(1, n) for n in range(497)), *odd)).result()
    assert (receipt.stored, receipt.rejected) == (500, {})
    assert count(database) == 500


def test_a_full_disk_refuses_and_room_resumes(database: Database, monkeypatch: pytest.MonkeyPatch):
    """With too little room requests are refused as unavailable, what is stored stays, and with room they are taken again."""
    free = 1 << 40
    monkeypatch.setattr("collector.store.file.space.free", lambda _path: free)
    monkeypatch.setattr("collector.store.file.space.LOOK", 0.0)
    writer = Writer(database, WriterLimits(free_bytes=1 << 30))
    writer.submit(spans(span(1, 1))).result()
    free = 1 << 20
    with pytest.raises(NoSpace, match="1,023 MiB more must be free"):
        writer.submit(spans(span(1, 2)))
    assert writer.trouble() == "disk_low"
    free = 1 << 40
    assert writer.submit(spans(span(1, 2))).result().stored == 1
    writer.close()
