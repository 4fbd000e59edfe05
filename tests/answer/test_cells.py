"""Free SQL over a store's file, in processes of their own."""

import os
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from collector.answer.cells import Cells
from collector.answer.free import Statement
from collector.answer.local import LocalStore
from collector.store.errors import RefusedStatement, StoreError
from collector.store.file.hold import Hold
from collector.store.writing.limits import WriterLimits
from tests.answer.blocks import Block, hostile, read
from tests.answer.unguarded import unguarded
from tests.store.rows import span, spans

COUNT = Statement("SELECT count(*) AS n FROM spans")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Generator[LocalStore]:
    """A store in a file, with ten spans."""
    with LocalStore(tmp_path_factory.mktemp("cells") / "a.duckdb") as opened:
        opened.ingest(spans(*(span(1, number) for number in range(10)))).result()
        yield opened


@pytest.fixture
def cells(store: LocalStore) -> Generator[Cells]:
    """Its cells."""
    made = Cells(store.path, store.database.hold)
    yield made
    made.close()


def count(cells: Cells, asked: Statement = COUNT) -> tuple[int, float]:
    """How many spans are seen, and the answer's age."""
    with cells.ask(asked) as found:
        return found.table()["n"][0].as_py(), found.age


def checkpoint(store: LocalStore) -> None:
    """Write the log into the file while the writer rests; that the log is gone is no fault of the file."""
    store.database.cursor().execute("CHECKPOINT")
    store.database.verify(checkpointed=True)


def test_an_answer_holds_all_that_was_committed_before(store: LocalStore, cells: Cells):
    """Each commit is seen by the statement after it, with a checkpoint between or without; the age is below the time taken."""
    for number in range(100, 103):
        before = count(cells)[0]
        store.ingest(spans(span(2, number))).result()
        begun = time.monotonic()
        seen, age = count(cells)
        assert seen == before + 1
        assert 0 <= age <= time.monotonic() - begun
        checkpoint(store)
        assert count(cells)[0] == seen


@pytest.mark.parametrize("block", read("costly.sql"), ids=lambda block: block.title)
def test_costly_statements_are_stopped(block: Block, cells: Cells):
    """Each statement of costly.sql ends with a sentence long before it would be done, and takes nothing else with it."""
    begun = time.monotonic()
    with pytest.raises(RefusedStatement, match=r"\w+"):
        cells.ask(Statement(block.sql, seconds=0.4, memory=192 << 20))
    assert time.monotonic() - begun < 60
    assert count(cells)[0] >= 10


def test_a_statement_that_does_not_listen_is_killed(cells: Cells):
    """What DuckDB cannot interrupt ends all the same, and its process is gone (X-20)."""
    root = unguarded()
    apart = Cells(cells._path, Hold(), root=root)
    try:
        with pytest.raises(RefusedStatement, match="took longer than 1 seconds"):
            apart.ask(Statement("SELECT sum(sleep_ms(100000))", seconds=1))
        assert count(apart)[0] >= 10
    finally:
        apart.close()
        root.close()


def test_without_a_gate_the_process_is_a_wall(store: LocalStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """With the gate open no hostile statement changes the store, makes a file, or learns what is not in the store (X-21)."""
    monkeypatch.setenv("TRACEGRADE_CANARY", "a-secret-of-the-environment")
    (tmp_path / "canary").write_text("a-secret-of-a-file")
    checkpoint(store)
    before = Path(store.path).read_bytes()
    root = unguarded()
    cells = Cells(store.path, store.database.hold, root=root)
    mine = [
        f"SELECT content FROM read_text('{tmp_path}/canary')",
        f"SELECT content FROM read_blob('live://{store.path}')",
        f"SELECT content FROM read_blob('{store.path}')",
        f"COPY (SELECT 1) TO '{tmp_path}/made'",
        f"ATTACH '{tmp_path}/made.db' AS made",
        "SELECT content FROM read_text('/proc/self/environ')",
        f"CREATE TEMP TABLE t AS SELECT * FROM read_csv('{tmp_path}/canary')",
    ]
    answers = []
    try:
        others = [block.sql for block in hostile() if "internal" not in block.title and "hidden" not in block.title]
        for sql in [*others, *mine]:
            try:
                with cells.ask(Statement(sql, seconds=0.3, memory=192 << 20, form="csv")) as found:
                    answers.append((sql, found.file.read()))
            except StoreError:
                continue
        assert count(cells)[0] >= 10
    finally:
        cells.close()
        root.close()
    for sql, answer in answers:
        assert b"a-secret-of" not in answer, sql
        assert b"root:" not in answer, sql
        assert b"DUCK" not in answer, sql
    assert Path(store.path).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["canary"]
    assert not list(Path("/tmp").glob("tracegrade-hostile*"))


def test_a_statement_reads_more_than_fits_into_its_memory(tmp_path: Path):
    """A scan of a column that is larger than the memory of a statement lets go of what was read, and ends."""
    memory, number, place = 96 << 20, 150_000, tmp_path / "large.duckdb"
    random = " || ".join(["md5(random()::VARCHAR)"] * 50)  # 1,600 characters, of which compression leaves half
    with LocalStore(place) as filled:
        filled.database.cursor().execute(
            f"INSERT INTO evidence.spans (commit_seq, commit_row, attributes) SELECT 1, range, {random} FROM range({number})"
        )
    assert place.stat().st_size > memory
    with LocalStore(place, sql_memory=memory) as store:
        found = store.sql("SELECT count(*) AS n, sum(len(attributes)) AS long FROM spans", seconds=60).to_pylist()
    assert found == [{"n": number, "long": number * 1_600}]


def test_readers_and_writer_do_not_disturb_each_other(tmp_path: Path):
    """While rows are committed and checkpoints run as often as they may, statements from several threads see whole commits."""
    asked, enough = Statement("SELECT count(*) AS n FROM spans"), threading.Event()
    store = LocalStore(tmp_path / "a.duckdb", limits=WriterLimits(log_bytes=1))
    cells = Cells(store.path, store.database.hold)

    def write() -> int:
        number = 0
        while not enough.is_set():
            number += 1
            rows = [span(number, 10_000 * number + part, attributes='{"a":"' + "x" * 500 + '"}') for part in range(7)]
            store.ingest(spans(*rows)).result()
        return number

    def look() -> list[int]:
        return [count(cells, asked)[0] for _ in range(4)]

    with ThreadPoolExecutor(4) as threads:
        writing = threads.submit(write)
        try:
            found = list(threads.map(lambda _: look(), range(3)))
        finally:
            enough.set()
        commits = writing.result()
    assert all(number % 7 == 0 for numbers in found for number in numbers)
    assert all(numbers == sorted(numbers) for numbers in found)
    assert count(cells, asked)[0] == 7 * commits
    cells.close()
    store.close()


def test_a_long_answer_is_cut_and_goes_through_a_file(cells: Cells):
    """Rows and bytes are limited and it is said; an answer longer than what is kept in memory is whole (X-24)."""
    text = "string_agg(md5(a.range::VARCHAR || b.range), '')"
    wide = f"SELECT {text} AS t, b.range AS n FROM range(400) a, range(2000) b GROUP BY n"
    with cells.ask(Statement(wide)) as found:
        assert (found.rows, found.truncated) == (2000, False)
        assert found.size > 25_000_000
        assert found.table().num_rows == 2000
    with cells.ask(Statement(wide, rows=10, form="jsonl")) as found:
        assert (found.rows, found.truncated, found.file.read().count(b"\n")) == (10, True, 10)
    with cells.ask(Statement("SELECT range AS n FROM range(1000000)", rows=1_000_000, bytes=1000)) as found:
        assert found.truncated
        assert found.rows < 10_000


KINDS = """
SELECT now() AS a, current_date AS b, '1:2'::TIME AS c, TIMESTAMP_NS '2026-01-02 03:04:05.123456789' AS d,
    INTERVAL 1 DAY AS e, 1.5::DECIMAL(9, 2) AS f, 'a'::BLOB AS g, [now()] AS h, {'k': now()} AS i, map([1], ['a']) AS j,
    'NaN'::DOUBLE AS k, 1::HUGEINT AS l, chr(27) || chr(8238) AS m, '{"a": 1}'::JSON AS n, strftime(now(), '%c') AS o,
    timezone('Asia/Tokyo', now()) AS p, regexp_matches('ä', '(?i)Ä') AS q, time_bucket(INTERVAL 5 MINUTE, now()) AS r,
    date_trunc('week', now()) AS s
"""


@pytest.mark.parametrize("form", ["arrow", "csv", "json", "jsonl"])
def test_all_kinds_of_values_are_written_in_a_cell(form: str, cells: Cells):
    """What a process that opens no file needs for a type or a form is there: time zones, codecs, calendars."""
    with cells.ask(Statement(KINDS, form)) as found:
        assert found.rows == 1
        assert found.size > 100


@pytest.mark.parametrize("block", read("fine.sql"), ids=lambda block: block.title)
def test_useful_statements_run_in_a_cell(block: Block, cells: Cells):
    """Each statement of fine.sql is answered."""
    cells.ask(Statement(block.sql, "csv")).close()


def test_what_cannot_be_read_is_said(tmp_path: Path):
    """A file that is no store is an error with a sentence and without its path."""
    (tmp_path / "x.duckdb").write_bytes(b"nonsense" * 10_000)
    cells = Cells(str(tmp_path / "x.duckdb"), Hold())
    with pytest.raises(StoreError, match="The store cannot be read") as said:
        cells.ask(COUNT)
    assert str(tmp_path) not in str(said.value)
    assert "Traceback" not in str(said.value)
    cells.close()


def test_processes_end_with_the_store(store: LocalStore):
    """After closing no reader of the store is left."""
    cells = Cells(store.path, store.database.hold)
    count(cells)
    cells.close()
    deadline = time.monotonic() + 20
    path = os.path.realpath(store.path)
    while any(holds(child, path) for child in psutil.Process().children(recursive=True)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def holds(process: psutil.Process, path: str) -> bool:
    """Whether a process has the file open."""
    try:
        return any(file.path == path for file in process.open_files())
    except psutil.Error:
        return False
