"""The file written anew: what stays, what is erased, and that it is one or the other whenever the process dies."""

import os
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from collector.access.audit import KEPT_DAYS, Deed, rows
from collector.access.table import ACCESS
from collector.answer.local import LocalStore
from collector.store.care.doomed import Doomed
from collector.store.care.rewrite import rewrite, sweep
from collector.store.errors import Unavailable
from tests.store.contents import contents
from tests.store.rows import log, logs, span, spans

MARKER = "Zq7-marker-of-this-test"
MEMORY = 1 << 30
BEFORE_RENAME, AFTER_RENAME = 5, 6
EVERY_STEP = "TRACEGRADE_EVERY_STEP" in os.environ
"""`make kills` dies at each of the steps; without it at those next to the rename, and in the midst of the copy."""

GONE, KEPT = f"{1:032x}", f"{2:032x}"


def made(path: Path) -> Path:
    """A store with two traces; the marker stands in the first one alone, in spans, logs and trees."""
    agent = (
        f'{{"gen_ai.operation.name":"invoke_agent","gen_ai.agent.name":"a","gen_ai.system_instructions":"{MARKER}"}}'
    )
    with LocalStore(path) as store:
        store.ingest(spans(span(1, 1, name=MARKER, attributes=agent), span(1, 1, name=f"{MARKER} again"))).result()
        store.ingest(spans(*(span(2, n, name="kept") for n in range(20)))).result()
        store.ingest(logs(log(1, 1, body=f'"{MARKER}"'), log(2, 2), log(None, 3))).result()
        store.settle()
    return path


def marked(folder: Path) -> list[str]:
    """The files that hold the marker."""
    return [file.name for file in folder.rglob("*") if file.is_file() and MARKER.encode() in file.read_bytes()]


def counts(path: Path) -> tuple[int, int, int]:
    """Spans, logs and runs."""
    with LocalStore(path) as store:
        row = store.sql(
            "SELECT (SELECT count(*) FROM spans) AS s, (SELECT count(*) FROM logs) AS l, (SELECT count(*) FROM runs) AS r"
        ).to_pylist()[0]
    return (row["s"], row["l"], row["r"])


def test_nothing_is_lost_where_nothing_is_doomed(tmp_path: Path):
    """Every row of every table that people read is there again, and the ledger goes on."""
    path = made(tmp_path / "t.duckdb")
    with LocalStore(path) as store:
        before = contents(store)
    rewrite(path, Doomed(), (), MEMORY)
    with LocalStore(path) as store:
        assert contents(store) == before
    with LocalStore(path) as store:
        assert store.ingest(spans(span(2, 3, name="kept"))).result().duplicates == 1
        last = store.writer.seq
        assert last >= 3
        assert store.ingest(spans(span(3, 1))).result().seq == last + 1


def test_what_is_doomed_is_erased(tmp_path: Path):
    """Before, the bytes are in the file; afterwards in no file at all (X-32)."""
    path = made(tmp_path / "t.duckdb")
    assert marked(tmp_path) == ["t.duckdb"]
    with LocalStore(path) as store:
        store.maintain({"do": "delete", "trace": GONE})
    assert marked(tmp_path) == []
    assert counts(path)[:2] == (20, 2)


def test_a_draft_that_was_left_is_swept(tmp_path: Path):
    """What a killed rewrite left goes when the store is opened."""
    path = made(tmp_path / "t.duckdb")
    for name in ("t.duckdb.rewrite", "t.duckdb.rewrite.wal", "t.duckdb.rewrite.tmp/x", "t.duckdb.tmp/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(MARKER)
    LocalStore(path).close()
    assert marked(tmp_path) == ["t.duckdb"]


def test_rows_of_other_tables_go_with_their_trace(tmp_path: Path):
    """Whatever else the store keeps by trace and commit is taken out by trace."""
    path = made(tmp_path / "t.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE evidence.aside (commit_seq UBIGINT, trace_id VARCHAR, said VARCHAR)")
        connection.executemany(
            "INSERT INTO evidence.aside VALUES (1, ?, ?)", [(GONE, MARKER), (KEPT, "x"), (None, "y")]
        )
    rewrite(path, Doomed(traces=frozenset({GONE})), (), MEMORY)
    with duckdb.connect(str(path)) as connection:
        assert connection.execute("SELECT said FROM evidence.aside ORDER BY ALL").fetchall() == [("x",), ("y",)]


def test_without_room_the_old_file_stays(tmp_path: Path):
    """Where the new file cannot be written it is told as a reason to try again, and nothing is lost."""
    path = made(tmp_path / "t.duckdb")
    (tmp_path / "t.duckdb.rewrite").mkdir()
    with pytest.raises(OSError, match="rewrite"):
        sweep(path)
    (tmp_path / "t.duckdb.rewrite").rmdir()
    (tmp_path / "t.duckdb.wal").write_bytes(b"not empty")
    with pytest.raises(Unavailable, match="log"):
        rewrite(path, Doomed(), (), MEMORY)
    (tmp_path / "t.duckdb.wal").unlink()
    assert counts(path)[0] == 21


def dies(path: Path, step: int) -> str:
    """Delete the first trace in a process that dies at this step; what it printed."""
    command = [sys.executable, "-m", "tests.store.killed_rewriting", str(path), GONE, str(step)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False).stdout.strip()


def test_killed_at_any_step_the_store_is_whole(tmp_path: Path):
    """Old or new, never less: the other trace is always whole, and after one more deletion nothing of the first is left."""
    steps = range(1, int(dies(made(tmp_path / "all.duckdb"), 0)) + 1) if EVERY_STEP else (BEFORE_RENAME, AFTER_RENAME)
    assert BEFORE_RENAME in steps
    seen = set()
    for step in (-1, *steps):
        folder = tmp_path / str(step)
        folder.mkdir()
        path = made(folder / "t.duckdb")
        assert dies(path, step) == ""
        with LocalStore(path) as store:
            held = {row["trace_id"] for row in store.sql("SELECT DISTINCT trace_id FROM spans").to_pylist()}
            assert store.sql("SELECT count(*) AS n FROM spans WHERE name = 'kept'").to_pylist() == [{"n": 20}]
            assert held in ({KEPT}, {GONE, KEPT})
            if GONE in held:
                store.maintain({"do": "delete", "trace": GONE})
            assert store.ingest(spans(span(1, 9))).result().stored == 0
        seen.add(len(held))
        assert marked(folder) == []
    assert seen == {1, 2}


def test_rows_that_last_for_some_days_go_after_them(tmp_path: Path):
    """The audit table is written anew without what is older than it is kept for, and with all else (X-34)."""
    path, day = tmp_path / "t.duckdb", 86_400 * 10**9
    now = time.time_ns()
    with LocalStore(path) as store:
        ages = {"old": KEPT_DAYS + 1, "kept": KEPT_DAYS - 1, "new": 0}
        deeds = [Deed(who=who, what="sql", at=now - days * day) for who, days in ages.items()]
        store.writer.append(rows(deeds), None).result()
    rewrite(path, Doomed(), (ACCESS,), MEMORY)
    with LocalStore(path) as store:
        assert store.query("audit", most=10)["who"].to_pylist() == ["kept", "new"]
