"""`tracegrade sql` over a store of a capture."""

import io
import json
import re
import subprocess
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.conftest import TRACEGRADE, Command, clean_environment
from tests.terminal import on_terminal

QUERY = "SELECT name, state FROM tool_calls WHERE agent = 'support_agent' AND state = 'succeeded' ORDER BY run_id, seq LIMIT 2"


@pytest.fixture
def sql(tracegrade: Command, store: Path) -> Command:
    """`tracegrade sql` over the loaded store."""
    return partial(tracegrade, "sql", "--store", store)


def test_a_pipe_gets_csv(sql: Command) -> None:
    """Without a terminal the answer is CSV."""
    assert sql(QUERY).stdout == "name,state\nlookup_order,succeeded\nissue_refund,succeeded\n"


def test_each_format(sql: Command) -> None:
    """--format chooses among table, JSON and JSON lines."""
    rows = [{"name": "lookup_order", "state": "succeeded"}, {"name": "issue_refund", "state": "succeeded"}]
    assert json.loads(sql(QUERY, "--format", "json").stdout) == rows
    assert [json.loads(li) for li in sql(QUERY, "--format", "jsonl").stdout.splitlines()] == rows
    assert sql(QUERY, "--format", "table").stdout.split()[:2] == ["name", "state"]


def test_parquet_goes_into_a_pipe_or_a_file(sql: Command, store: Path, tmp_path: Path) -> None:
    """Parquet is written as bytes to a pipe, and to the file that --output names."""
    sql(QUERY, "--format", "parquet", "--output", "answer.parquet")
    assert pq.read_table(tmp_path / "answer.parquet").num_rows == 2
    command = [*TRACEGRADE, "sql", "--store", str(store), QUERY, "--format", "parquet"]
    piped = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, check=True)
    assert pq.read_table(io.BytesIO(piped.stdout)).column_names == ["name", "state"]


def test_arrow_goes_into_a_pipe_or_a_file(sql: Command, store: Path, tmp_path: Path) -> None:
    """An Arrow stream is written as bytes to a pipe, and to the file that --output names."""
    sql(QUERY, "--format", "arrow", "--output", "answer.arrow")
    assert pa.ipc.open_stream((tmp_path / "answer.arrow").read_bytes()).read_all().num_rows == 2
    command = [*TRACEGRADE, "sql", "--store", str(store), QUERY, "--format", "arrow"]
    piped = subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, check=True)
    assert pa.ipc.open_stream(piped.stdout).schema.names == ["name", "state"]


def test_csv_obeys_nobody(sql: Command) -> None:
    """What a trace says is no formula to a spreadsheet and no command to a terminal (X-09)."""
    done = sql("SELECT '=1+1' AS a, chr(27) || '[2J' AS b, -1 AS c")
    assert done.stderr == ""
    assert done.stdout == "a,b,c\n'=1+1,\\x1b[2J,-1\n"


def test_row_limit_is_said(sql: Command) -> None:
    """Where rows are left out, a note says so and how to get them."""
    done = sql(QUERY, "--limit", "1")
    assert done.stdout.splitlines() == ["name,state", "lookup_order,succeeded"]
    assert "--limit" in done.stderr


@pytest.mark.parametrize("query", ["DROP TABLE runs", "SELECT * FROM nowhere", "SELEC 1", "COPY runs TO 'x.csv'"])
def test_what_is_refused_has_a_reason_and_no_traceback(sql: Command, query: str, tmp_path: Path) -> None:
    """A statement that is not allowed or does not run ends with a message and exit code 2."""
    done = sql(query)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tracegrade: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.csv").exists()


def test_a_terminal_gets_a_table_that_fits(store: Path, tmp_path: Path) -> None:
    """On a terminal the default is a table, no line is wider than it, and what a trace says does not steer it (X-09)."""
    query = "SELECT name, arguments, result, chr(27) || '[2J' AS hostile FROM tool_calls"
    command = [*TRACEGRADE, "sql", "--store", str(store), query]
    env = clean_environment() | {"TERM": "xterm"}
    code, shown = on_terminal(command, tmp_path, env, width=70)
    assert code == 0
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()
    assert lines[0].split() == ["name", "arguments", "result", "hostile"]
    assert all(len(line) <= 70 for line in lines)
    assert "\x1b[2J" not in shown


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_bytes_are_not_for_terminals(form: str, store: Path, tmp_path: Path) -> None:
    """Bytes are not sent to a terminal; the message says what to do."""
    command = [*TRACEGRADE, "sql", "--store", str(store), "--format", form, "SELECT 1"]
    code, shown = on_terminal(command, tmp_path, clean_environment())
    assert (code, "--output" in shown) == (2, True)
