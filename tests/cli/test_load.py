"""`tracegrade load` with real files."""

import gzip
import json
import shutil
from pathlib import Path

from tests.conftest import Collector, Command

CAPTURE = "pydantic-ai-v5__native__refund"


def count(tracegrade: Command, table: str = "spans") -> int:
    """How many rows the store in the test's folder holds."""
    answer = tracegrade("sql", f"SELECT count(*) AS n FROM {table}", "--format", "jsonl")
    return json.loads(answer.stdout)["n"]


def test_folder_is_loaded_and_the_rest_is_passed_over(tracegrade: Command, data: Path) -> None:
    """Spans of a folder are stored and made into runs, and a file that is no OTLP is named."""
    done = tracegrade("load", data / "captures" / CAPTURE)
    assert done.returncode == 0, done.stderr
    assert "Loaded 6 spans and 0 log records" in done.stdout
    assert "meta.json: passed over, not OTLP" in done.stderr
    assert count(tracegrade, "runs") == 1


def test_loading_twice_changes_nothing(tracegrade: Command, data: Path) -> None:
    """A second load finds every span there already."""
    tracegrade("load", data / "captures" / CAPTURE)
    before = count(tracegrade)
    assert f"{before} were there already" in tracegrade("load", data / "captures" / CAPTURE).stdout
    assert count(tracegrade) == before


def test_corrupt_file_is_named_and_the_others_are_loaded(tracegrade: Command, data: Path, tmp_path: Path) -> None:
    """A damaged file costs exit code 2 and nothing else."""
    shutil.copy(data / "captures" / CAPTURE / "000.pb", tmp_path / "good.pb")
    (tmp_path / "bad.pb").write_bytes(b"\xff\xff\xff\xff")
    done = tracegrade("load", ".")
    assert done.returncode == 2
    assert "bad.pb" in done.stderr
    assert "1 file could not be read" in done.stdout
    assert "Traceback" not in done.stderr
    assert count(tracegrade) == 6


def test_compressed_and_json_files(tracegrade: Command, data: Path, tmp_path: Path) -> None:
    """Compressed protobuf, and JSON lines as the Collector's file exporter writes them, hold the same as the bodies."""
    body = (data / "captures" / CAPTURE / "000.pb").read_bytes()
    (tmp_path / "a.pb.gz").write_bytes(gzip.compress(body))
    text = (data / "captures" / "openai-agents-json__openinference__handoff" / "000.json").read_bytes()
    (tmp_path / "b.jsonl").write_bytes(json.dumps(json.loads(text)).encode() + b"\n")
    assert tracegrade("load", "a.pb.gz", "b.jsonl").returncode == 0
    assert count(tracegrade, "runs") == 2


def test_a_path_that_does_not_exist(tracegrade: Command) -> None:
    """A misspelt path is said, with exit code 2."""
    done = tracegrade("load", "nowhere.pb")
    assert (done.returncode, "nowhere.pb: no such file" in done.stderr) == (2, True)


def test_a_served_store_is_loaded_through_its_collector(
    tracegrade: Command, collector: Collector, data: Path, tmp_path: Path
) -> None:
    """While a collector has the store, its files go there; what cannot be read is named all the same."""
    (tmp_path / "bad.pb").write_bytes(b"\xff\xff\xff\xff")
    for _ in range(2):  # loading twice changes nothing here either
        done = tracegrade("load", data / "captures" / CAPTURE)
        assert done.returncode == 0, done.stderr
        assert "Sent to the collector that has the store open: 6 spans and 0 log records." in done.stdout
    assert (count(tracegrade), count(tracegrade, "runs")) == (6, 1)
    done = tracegrade("load", "bad.pb")
    assert (done.returncode, "bad.pb" in done.stderr) == (2, True)


def test_a_readers_address_takes_no_files(tracegrade: Command, collector: Collector, data: Path) -> None:
    """With the address of the read server alone it says what to name instead."""
    note = json.loads(collector.store.with_name("tracegrade.duckdb.serve.json").read_text())
    done = tracegrade("load", data / "captures" / CAPTURE, "--store", note["read"], TRACEGRADE_READ_TOKEN=note["token"])
    assert done.returncode == 2
    assert "name the store's path" in done.stderr
