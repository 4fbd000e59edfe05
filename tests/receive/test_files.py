"""OTLP files."""

import gzip
from pathlib import Path

import orjson
import pytest

from collector.receive.files import Batch, Outcome, PassedOver, Unreadable, find, read
from tests.decode.samples import json_of, request, span

TRACES = request(span(), span(span_id=b"neighbor"))
LINE = json_of(TRACES) + b"\n"
LOGS = b'{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hi"}}]}]}]}\n'
METRICS = b'{"resourceMetrics":[]}\n'


def outcomes(*paths: Path) -> list[Outcome]:
    """What these paths hold."""
    return [outcome for found in find(paths) for outcome in read(found)]


def write(path: Path, body: bytes) -> Path:
    """Write a file, compressed where its name says so."""
    path.write_bytes(gzip.compress(body) if path.suffix == ".gz" else body)
    return path


@pytest.mark.parametrize("end", ["", ".gz"])
@pytest.mark.parametrize(
    ("name", "body", "rows"),
    [
        ("000.pb", TRACES.SerializeToString(), [("spans", 2)]),
        ("000.traces.pb", TRACES.SerializeToString(), [("spans", 2)]),
        ("000.logs.pb", b"", [("logs", 0)]),
        ("body.json", json_of(TRACES), [("spans", 2)]),
        ("pretty.json", orjson.dumps(orjson.loads(json_of(TRACES)), option=orjson.OPT_INDENT_2), [("spans", 2)]),
        ("lines.json", LINE + b"\n" + LOGS + LINE, [("spans", 2), ("logs", 1), ("spans", 2)]),
        ("lines.jsonl", LINE * 2, [("spans", 2), ("spans", 2)]),
    ],
)
def test_each_form_is_read(tmp_path: Path, name: str, body: bytes, rows: list[tuple[str, int]], end: str):
    """Protobuf by name, JSON and JSON lines by content, each also compressed."""
    found = outcomes(write(tmp_path / (name + end), body))
    assert [(batch.decoded.kind, batch.decoded.rows) for batch in found if isinstance(batch, Batch)] == rows
    assert all(isinstance(outcome, Batch) for outcome in found)


def test_metrics_are_passed_over(tmp_path: Path):
    """Metrics are counted and not kept, in every form."""
    paths = [
        write(tmp_path / "a.metrics.pb", b"\x0a\x00"),
        write(tmp_path / "b.json", METRICS),
        write(tmp_path / "c.jsonl", METRICS * 2 + LINE),
        write(tmp_path / "d.json", b'{\n"resourceMetrics": []}'),
    ]
    found = [outcome for outcome in outcomes(*paths) if isinstance(outcome, PassedOver)]
    assert [outcome.path for outcome in found] == paths
    assert found[2].note == "metrics are not kept (2 of 3 requests)"


def test_a_folder_is_walked_in_order(tmp_path: Path):
    """Files of folders come in sorted order, and what is no OTLP is passed over with a note."""
    (tmp_path / "b").mkdir()
    write(tmp_path / "b" / "002.pb", TRACES.SerializeToString())
    write(tmp_path / "b" / "001.json", LINE)
    write(tmp_path / "meta.json", b'{"expected": {"reply": "x"}}')
    write(tmp_path / "list.json", b"[1, 2]")
    write(tmp_path / "notes.txt", b"hello")
    found = outcomes(tmp_path)
    assert [outcome.path.name for outcome in found] == ["list.json", "meta.json", "notes.txt", "001.json", "002.pb"]
    assert [type(outcome) for outcome in found] == [PassedOver, PassedOver, PassedOver, Batch, Batch]


@pytest.mark.parametrize(
    ("name", "body"), [("meta.json", b'{"a": 1}'), ("list.json", b"[1]"), ("notes.txt", b"x"), ("plain", LINE)]
)
def test_a_named_file_must_be_otlp(tmp_path: Path, name: str, body: bytes):
    """What a folder may hold is an error when it is named by itself."""
    (found,) = outcomes(write(tmp_path / name, body))
    assert isinstance(found, Unreadable)
    assert str(found).startswith(f"{tmp_path / name}: ")


def test_a_missing_file_is_named(tmp_path: Path):
    """Whatever its name would be."""
    for name in ("none.pb", "none.txt", "none"):
        (found,) = outcomes(tmp_path / name)
        assert isinstance(found, Unreadable)
        assert "no such file" in str(found)


@pytest.mark.parametrize(
    ("name", "body", "place"),
    [
        ("a.pb", b"\xff" * 10, ""),
        ("a.logs.pb", b"\xff" * 10, ""),
        ("a.json", b'{"resourceSpans": [', ""),
        ("a.jsonl", LINE + b'{"resourceSpans":[', "line 2"),
        ("a.jsonl", LINE + b'{"other": 1}', "line 2"),
        ("a.jsonl", LINE + b'{"resourceSpans": 5}', "line 2"),
    ],
)
def test_a_corrupt_file_is_named_with_the_place(tmp_path: Path, name: str, body: bytes, place: str):
    """The fault says where; batches before it are good, and other files are read."""
    found = outcomes(write(tmp_path / name, body), write(tmp_path / "good.pb", b""))
    faults = [outcome for outcome in found if isinstance(outcome, Unreadable)]
    assert [(fault.path.name, fault.place) for fault in faults] == [(name, place)]
    assert sum(isinstance(outcome, Batch) for outcome in found) == (2 if place else 1)


@pytest.mark.parametrize("cut", [5, 40])
def test_damaged_gzip_is_named(tmp_path: Path, cut: int):
    """A file that ends too early, or is no gzip at all."""
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINE * 50)[:-cut])
    assert isinstance(outcomes(path)[-1], Unreadable)
    path.write_bytes(LINE)
    assert isinstance(outcomes(path)[-1], Unreadable)
