"""The formats of `tracegrade sql`, read back with independent readers."""

import csv
import io
import json
from collections.abc import Callable

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from collector.answer import formats


def table(columns: str) -> pa.Table:
    """The one row that DuckDB answers for these columns."""
    with duckdb.connect() as database:
        rows = database.sql(f"SELECT {columns}")
        assert rows is not None
        return rows.to_arrow_table()


ROW = "1 AS n, 'a\n,\"é' AS t, NULL AS nothing, ['x', 'y'] AS list, {'k': 1.5} AS record, true AS yes"


def written(write: Callable[..., None], data: pa.Table) -> bytes:
    """What a writer puts into a stream."""
    out = io.BytesIO()
    write(data.schema, data.to_batches(), out)
    return out.getvalue()


def test_csv_reads_back() -> None:
    """A CSV reader gets each cell back; lists and records are JSON, null is empty."""
    header, row = csv.reader(io.StringIO(written(formats.write_csv, table(ROW)).decode(), newline=""))
    assert header == ["n", "t", "nothing", "list", "record", "yes"]
    assert row == ["1", 'a\n,"é', "", '["x","y"]', '{"k":1.5}', "true"]


HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\x1b[2J", "\x9b2J", "\u202eabc", "a\x00b"]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_csv_obeys_nobody(text: str) -> None:
    """A cell of CSV is neither a formula nor a command to a terminal, and its column's name is none (X-09)."""
    shown = written(formats.write_csv, pa.table({text: [text]})).decode()
    for cell in (line[0] for line in csv.reader(io.StringIO(shown, newline=""))):
        assert not cell.startswith(("=", "+", "-", "@", "\t"))
        assert cell.replace("\t", "").isprintable()


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("write", [formats.write_json, formats.write_jsonl])
def test_json_prints_and_means_the_same(text: str, write: Callable[..., None]) -> None:
    """JSON escapes what does not print; a reader gets each character back (X-09)."""
    shown = written(write, pa.table({"t": [text]})).decode()
    assert shown.replace("\n", "").isprintable()
    found = json.loads(shown if write is formats.write_jsonl else shown.strip()[1:-1])
    assert found == {"t": text}


def test_numbers_are_no_formulas() -> None:
    """A negative number stays as it is."""
    assert written(formats.write_csv, pa.table({"n": [-1]})) == b"n\r\n-1\r\n"


def test_arrow_reads_back() -> None:
    """An Arrow stream keeps the table with its types."""
    data = table(ROW)
    assert pa.ipc.open_stream(written(formats.write_arrow, data)).read_all().equals(data)


@pytest.mark.parametrize("lines", [True, False])
def test_json_reads_back(lines: bool) -> None:
    """JSON and JSON lines hold the same objects with their types."""
    text = written(formats.write_jsonl if lines else formats.write_json, table(ROW))
    row = json.loads(text) if lines else json.loads(text)[0]
    assert row == {"n": 1, "t": 'a\n,"é', "nothing": None, "list": ["x", "y"], "record": {"k": 1.5}, "yes": True}


def test_times_keep_their_nanoseconds() -> None:
    """Times are text to the nanosecond, also inside of lists and records."""
    time = "TIMESTAMP_NS '2026-01-02 03:04:05.123456789'"
    row = json.loads(written(formats.write_jsonl, table(f"{time} AS t, [{time}] AS l, {{'t': {time}}} AS r")))
    text = "2026-01-02 03:04:05.123456789"
    assert row == {"t": text, "l": [text], "r": {"t": text}}


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("SELECT sum(x) FROM range(5) t(x)", 10),
        ("170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727"),
        ("1.50::DECIMAL(9,2)", 1.5),
        ("'\\xAB'::BLOB", "ab"),
        ("INTERVAL 3 DAY", [0, 3, 0]),
        ("'{\"a\": 1}'::JSON", '{"a": 1}'),
        ("'NaN'::DOUBLE", None),
    ],
)
def test_each_type_has_a_json_form(sql: str, value: object) -> None:
    """What DuckDB answers with any type is valid JSON."""
    assert json.loads(written(formats.write_jsonl, table(f"({sql}) AS v"))) == {"v": value}


def test_parquet_reads_back() -> None:
    """Parquet keeps the table with its types."""
    data = table("1 AS n, TIMESTAMP_NS '2026-01-02 03:04:05.123456789' AS t")
    assert pq.read_table(io.BytesIO(written(formats.write_parquet, data))).equals(data)


def test_no_rows() -> None:
    """An answer without rows is a header, an empty list, or no line at all."""
    data = table("1 AS n").slice(1)
    assert written(formats.write_csv, data) == b"n\r\n"
    assert json.loads(written(formats.write_json, data)) == []
    assert written(formats.write_jsonl, data) == b""
