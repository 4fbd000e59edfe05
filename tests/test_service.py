"""The running collector, as a process of its own."""

import http.client
import re
import signal
import stat
import subprocess
import time
from pathlib import Path

from collector import connect
from tests.decode.samples import request, span
from tests.receive.collecting import There, collecting, start


def post(there: There, body: bytes) -> int:
    """Send one request; the status."""
    connection = http.client.HTTPConnection("127.0.0.1", there.http, timeout=30)
    try:
        connection.request("POST", "/v1/traces", body, {"Content-Type": "application/x-protobuf"})
        return connection.getresponse().status
    finally:
        connection.close()


def end(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str, str]:
    """End a process; its exit code and what is left of its output."""
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def test_it_says_where_it_listens(tmp_path: Path):
    """One line with both addresses and the store."""
    with collecting(tmp_path / "store.duckdb") as there:
        pattern = (
            r"tracegrade is ready: OTLP/gRPC 127\.0\.0\.1:\d+, OTLP/HTTP http://127\.0\.0\.1:\d+, store .*store\.duckdb"
        )
        assert re.fullmatch(pattern, there.line)


def test_it_ends_cleanly(tmp_path: Path):
    """SIGTERM and SIGINT commit, remove the note and exit with 0; nothing else was printed."""
    for number in (signal.SIGTERM, signal.SIGINT):
        path = tmp_path / f"{number.name}.duckdb"
        with collecting(path) as there:
            assert post(there, request(span()).SerializeToString()) == 200
            assert end(there.process, number) == (0, "", "")
        assert not path.with_name(path.name + ".serve.json").exists()
        with connect(path) as store:
            assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [1]


def test_readers_find_it_by_the_path(tmp_path: Path):
    """While it runs its store is read through it, and only its owner can read the token."""
    path = tmp_path / "store.duckdb"
    with collecting(path) as there:
        post(there, request(span()).SerializeToString())
        with connect(path) as store:
            assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [1]
        note = path.with_name(path.name + ".serve.json")
        assert stat.S_IMODE(note.stat().st_mode) == 0o600
        assert there.notice["read"].startswith("http://127.0.0.1:")


def test_a_taken_port_is_explained(tmp_path: Path):
    """A second collector on the port says who holds it, exits with an error and leaves the first alone."""
    with collecting(tmp_path / "one.duckdb") as there:
        for ports in ({"http_port": there.http}, {"grpc_port": there.grpc}):
            with start(tmp_path / "two.duckdb", **ports) as second:
                out, err = second.communicate(timeout=120)
            assert second.returncode != 0
            assert out == ""
            assert f"is in use by process {there.process.pid}" in err
            assert "Traceback" not in err
        assert post(there, b"") == 200


def test_health(tmp_path: Path):
    """/healthz and /readyz are answered on the OTLP port (H-19)."""
    with collecting(tmp_path / "store.duckdb") as there:
        for path in ("/healthz", "/readyz"):
            connection = http.client.HTTPConnection("127.0.0.1", there.http, timeout=30)
            connection.request("GET", path)
            assert connection.getresponse().status == 200
            connection.close()


def test_what_is_in_work_is_answered_at_the_end(tmp_path: Path):
    """Requests under way when SIGTERM comes are committed, and answered with success (G-12)."""
    path = tmp_path / "store.duckdb"
    spans = [span(span_id=number.to_bytes(8, "big")) for number in range(1, 5001)]
    body = request(*spans).SerializeToString()
    with collecting(path) as there:
        connection = http.client.HTTPConnection("127.0.0.1", there.http, timeout=30)
        connection.request("POST", "/v1/traces", body, {"Content-Type": "application/x-protobuf"})
        time.sleep(0.05)
        there.process.send_signal(signal.SIGTERM)
        assert connection.getresponse().status == 200
        connection.close()
        assert there.process.wait(120) == 0
    with connect(path) as store:
        assert store.sql("SELECT count(*) AS n FROM spans")["n"].to_pylist() == [5000]
