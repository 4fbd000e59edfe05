"""`tracegrade status` as people and machines use it."""

import json
from pathlib import Path

from tests.conftest import Collector, Command
from tests.docs.answers import demo_store
from tests.receive.served import served


def test_a_running_collector_is_described(collector: Collector, tracegrade: Command) -> None:
    """Its process, ports and what it holds; --json has the same, and --quiet answers with its code alone."""
    done = tracegrade("status")
    assert done.returncode == 0
    assert f"process {collector.process.pid}" in done.stdout
    assert "takes data" in done.stdout
    assert f"OTLP/gRPC 127.0.0.1:{collector.grpc}, OTLP/HTTP http://127.0.0.1:{collector.http}" in done.stdout
    assert "0 spans, 0 logs, 0 traces, 0 runs" in done.stdout
    found = json.loads(tracegrade("status", "--json").stdout)
    assert found["running"]
    assert found["collector"]["listens"]["grpc"].endswith(f":{collector.grpc}")
    assert found["store"]["spans"] == 0
    for place in (collector.store, f"http://127.0.0.1:{collector.http}"):
        quiet = tracegrade("status", "--quiet", "--store", place)
        assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


def test_a_file_that_nobody_serves_is_described(tmp_path: Path, tracegrade: Command) -> None:
    """What it holds is told, and that no collector runs; --quiet says so with code 1."""
    demo_store(tmp_path)
    done = tracegrade("status")
    assert done.returncode == 0
    assert "none runs for this store" in done.stdout
    assert "24 spans" in done.stdout
    found = json.loads(tracegrade("status", "--json").stdout)
    assert (found["running"], found["collector"]) == (False, None)
    assert found["store"]["file_bytes"]["store"] > 0
    assert tracegrade("status", "--quiet").returncode == 1


def test_what_is_not_there_is_said(tracegrade: Command) -> None:
    """No store and no collector end with a sentence and code 2, with --quiet without a word and code 1."""
    done = tracegrade("status", "--store", "none.duckdb")
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is no store at none.duckdb" in done.stderr
    quiet = tracegrade("status", "--quiet", "--store", "none.duckdb")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (1, "", "")


def test_a_reader_elsewhere_is_told(tmp_path: Path, tracegrade: Command) -> None:
    """With a read token the facts come over the network; without one they do not."""
    tokens = tmp_path / "tokens"
    tokens.write_text("a-long-read-token-for-tests-0123456789\n")
    tokens.chmod(0o600)
    with served(tmp_path / "s.duckdb", "--read-host", "0.0.0.0", "--read-token-file", tokens) as there:
        url = f"http://127.0.0.1:{there.reads}"
        known = {"TRACEGRADE_READ_TOKEN": tokens.read_text().strip()}
        assert "takes data" in tracegrade("status", "--store", url, **known).stdout
        assert tracegrade("status", "--quiet", "--store", url, **known).returncode == 0
        assert tracegrade("status", "--store", url).returncode == 2
        assert tracegrade("status", "--quiet", "--store", url).returncode == 1
