"""The store out into Parquet files."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from collector.answer.local import LocalStore
from collector.store.care.exported import is_export, read
from collector.store.errors import StoreError
from tests.store.rows import log, logs, span, spans

AGENT = '{"gen_ai.operation.name":"invoke_agent","gen_ai.agent.name":"a"}'


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a run and two log records."""
    with LocalStore(tmp_path / "t.duckdb") as opened:
        opened.ingest(spans(span(1, 1, name="agent", attributes=AGENT), span(1, 2))).result()
        opened.ingest(logs(log(1, 1), log(None, 2))).result()
        opened.settle()
    return tmp_path / "t.duckdb"


def test_files_lie_by_arrival_day(store: Path, tmp_path: Path):
    """Spans, logs and runs in a folder a day, which other programs read as they are; files are for their owner alone."""
    with LocalStore(store) as opened:
        opened.care.export(str(tmp_path / "out"))
        day = str(opened.sql("SELECT strftime(now()::TIMESTAMP, '%Y-%m-%d') AS d").to_pylist()[0]["d"])
    manifest = read(tmp_path / "out")
    assert manifest.rows("evidence.spans") == 2
    with duckdb.connect() as reader:
        for table, rows in (("spans", 2), ("logs", 2), ("runs", 1), ("jobs", 1)):
            files = f"read_parquet('{tmp_path}/out/{table}/*/*.parquet', hive_partitioning=true)"
            found = reader.execute(f"SELECT day::VARCHAR, count(*) FROM {files} GROUP BY ALL").fetchall()
            assert found == [(day, rows)]
    assert all(p.stat().st_mode & 0o077 == 0 for p in (tmp_path / "out").rglob("*"))


def test_a_folder_with_something_in_it_is_left_alone(store: Path, tmp_path: Path):
    """Neither the folder nor what stands where it would be written is overwritten."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine").touch()
    (tmp_path / "out.partial").mkdir()
    (tmp_path / "out.partial/mine").touch()
    with LocalStore(store) as opened:
        for name in ("full", "out"):
            with pytest.raises(StoreError, match=r"not empty|in the way"):
                opened.care.export(str(tmp_path / name))
    assert (tmp_path / "full/mine").exists()
    assert (tmp_path / "out.partial/mine").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from collector.answer.local import LocalStore
from collector.store.care import exporting
if sys.argv[3] == "files":
    real, written = exporting._file, []
    def file(*arguments):
        yield from real(*arguments)
        written.append(1)
        if len(written) == 3:
            os.kill(os.getpid(), signal.SIGKILL)
    exporting._file = file
else:
    exporting._durable = lambda folder: os.kill(os.getpid(), signal.SIGKILL)
with LocalStore(sys.argv[1]) as store:
    store.care.export(sys.argv[2])
"""


@pytest.mark.parametrize("moment", ["files", "end"])
def test_a_killed_export_does_not_look_whole(store: Path, tmp_path: Path, moment: str):
    """Nothing stands under the name, and the next export goes through in its place."""
    out = tmp_path / "out"
    done = subprocess.run([sys.executable, "-c", KILLED, store, out, moment], check=False, timeout=100)
    assert done.returncode == -signal.SIGKILL
    assert not out.exists()
    with LocalStore(store) as opened:
        if moment == "files":
            opened.care.export(str(out))
            assert is_export(out)
            assert not (tmp_path / "out.partial").exists()


def test_what_cannot_be_written_is_said(store: Path, tmp_path: Path):
    """A folder that cannot be made."""
    (tmp_path / "file").touch()
    with LocalStore(store) as opened, pytest.raises(StoreError, match="failed"):
        opened.care.export(os.fspath(tmp_path / "file/out"))
