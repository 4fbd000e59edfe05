"""`tracegrade serve` as a process, with other commands beside it."""

import json
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Collector, Command, clean_environment
from tests.receive.served import served


def test_commands_read_a_store_that_is_being_served(
    tracegrade: Command, collector: Collector, data: Path, tmp_path: Path
) -> None:
    """runs, show, sql and grade work by the store's path while a collector has it open, and see what just arrived."""
    env = clean_environment() | {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.grpc}"}
    subprocess.run([sys.executable, "-m", "grader.demo.agent"], env=env, check=True, capture_output=True, timeout=60)
    runs = [json.loads(line) for line in tracegrade("runs", "--json").stdout.splitlines()]
    assert len(runs) == 3
    assert "policy_agent" in tracegrade("show", next(r["run_id"] for r in runs if r["jobs"] == 2)).stdout
    assert tracegrade("sql", "SELECT count(*) AS n FROM runs").stdout == "n\n3\n"
    suite = Path("grader/demo/refunds.yaml").resolve()
    assert tracegrade("grade", suite, "--include-open").returncode == 1


@pytest.mark.parametrize("option", ["--grpc-port", "--http-port"])
def test_a_port_in_use_is_said(tracegrade: Command, option: str) -> None:
    """A port that another program has ends with a message that names it and the option, and with exit code 2."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        free = {"--grpc-port", "--http-port"} - {option}
        done = tracegrade("serve", option, port, free.pop(), "0")
    assert done.returncode == 2
    assert port in done.stderr
    assert option in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bad_setting_is_said(tracegrade: Command) -> None:
    """A variable that cannot be used ends with a message and exit code 2."""
    done = tracegrade("serve", TRACEGRADE_HTTP_PORT="70000")
    assert (done.returncode, "TRACEGRADE_HTTP_PORT" in done.stderr) == (2, True)


def test_a_store_that_others_may_change_is_not_served(tracegrade: Command, data: Path, tmp_path: Path) -> None:
    """Serve says which file it is and what to do, with exit code 2; set right, it and what is exported is private (X-33)."""
    store = tmp_path / "tracegrade.duckdb"
    assert tracegrade("load", data / "captures" / "pydantic-ai-v5__native__refund").returncode == 0
    store.chmod(0o666)
    done = tracegrade("serve", "--grpc-port", "0", "--http-port", "0")
    assert (done.returncode, f"chmod go-w {store.name}" in done.stderr) == (2, True)
    assert "Traceback" not in done.stderr
    store.chmod(0o644)
    with served(store) as there:
        assert "could be read by other users" in there.log.read_text()
        assert tracegrade("export", "out").returncode == 0
        assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("tracegrade.duckdb*")} == {0o600}
    made = [tmp_path / "out", *(tmp_path / "out").rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_dir()} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_file()} == {0o600}
