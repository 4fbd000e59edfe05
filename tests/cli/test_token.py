"""`tracegrade token`, with and without a running collector."""

import http.client
import json
import os
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grader.cli import app
from tests.certificates import Authority
from tests.conftest import TRACEGRADE, Command, clean_environment
from tests.decode.samples import request, span
from tests.receive.served import Served, served

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, which starts no interpreter, with the test's folder as the current one."""
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith("TRACEGRADE_")]:
        monkeypatch.delenv(variable)
    return lambda *arguments, **environment: CliRunner().invoke(app, list(map(str, arguments)), env=environment)


def post(there: Served, token: str | None) -> int:
    """The status of one export."""
    connection = http.client.HTTPConnection("127.0.0.1", there.http, timeout=30)
    headers = {"Content-Type": "application/x-protobuf"} | ({"Authorization": f"Bearer {token}"} if token else {})
    connection.request("POST", "/v1/traces", request(span()).SerializeToString(), headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_token_is_shown_once(run: Run, tmp_path: Path) -> None:
    """Create prints the secret alone on standard output; neither the list nor the store has it."""
    made = run("token", "create", "--scope", "ingest", "--name", "laptop", "--expires", "30d")
    secret = made.stdout.strip()
    assert re.fullmatch(r"tgi_\S{43}", secret)
    assert "shown once" in made.stderr
    assert secret not in made.stderr
    (listed,) = [json.loads(line) for line in run("token", "list", "--json").stdout.splitlines()]
    assert (listed["name"], listed["scope"], listed["state"]) == ("laptop", "ingest", "live")
    assert listed["expires"] > listed["created"]
    assert "laptop" in run("token", "list").stdout
    assert secret.encode() not in (tmp_path / "tracegrade.duckdb").read_bytes()


def test_names_are_no_orders_to_the_terminal(run: Run) -> None:
    """A name with control characters is shown escaped (X-09)."""
    run("token", "create", "--scope", "read", "--name", "a\x1b[31mb")
    for done in (run("token", "list"), run("token", "revoke", "\x1b[31m")):
        assert "\x1b" not in done.stdout + done.stderr
        assert r"\x1b[31m" in done.stdout + done.stderr


def test_mistakes_are_told(run: Run) -> None:
    """A wrong scope, a length that is none, an unknown and an ambiguous name end with a sentence and exit code 2."""
    assert "--scope ingest or --scope read" in run("token", "create", "--scope", "owner").stderr
    assert "30d" in run("token", "create", "--scope", "read", "--expires", "soon").stderr
    assert "no time" in run("token", "create", "--scope", "read", "--expires", "9999999999w").stderr
    for _ in range(2):
        run("token", "create", "--scope", "read", "--name", "two")
    done = run("token", "revoke", "two")
    assert done.exit_code == 2
    assert "2 tokens are called two" in done.stderr
    assert "There is no token none" in run("token", "revoke", "none").stderr


def test_made_and_revoked_while_a_collector_runs(run: Run, tmp_path: Path) -> None:
    """On loopback a token is asked for once there is one; each change counts from the next request on, after a restart too."""
    store = tmp_path / "tracegrade.duckdb"
    with served(store) as there:
        assert post(there, None) == 200
        first, second = (run("token", "create", "--scope", "ingest").stdout.strip() for _ in range(2))
        reader = run("token", "create", "--scope", "read", "--name", "reader").stdout.strip()
        assert [post(there, shown) for shown in (None, first, second, reader)] == [401, 200, 200, 403]
        listed = [json.loads(line) for line in run("token", "list", "--json").stdout.splitlines()]
        assert run("token", "revoke", listed[0]["id"]).exit_code == 0
        assert [post(there, shown) for shown in (first, second)] == [401, 200]
        assert first not in there.log.read_text()
    with served(store) as there:
        assert [post(there, shown) for shown in (None, first, second)] == [401, 401, 200]
        assert {stat.S_IMODE(p.stat().st_mode) for p in tmp_path.glob("tracegrade.duckdb*")} == {0o600}


def test_limits_are_made_changed_and_kept_to(run: Run, tmp_path: Path) -> None:
    """A limit counts from the next request on, also with a running collector, and the list shows it (X-06)."""
    with served(tmp_path / "tracegrade.duckdb") as there:
        limits = ("--max-bytes-per-second", "10", "--max-in-flight-bytes", "1MB")
        first = run("token", "create", "--scope", "ingest", "--name", "one", *limits).stdout.strip()
        other = run("token", "create", "--scope", "ingest").stdout.strip()
        assert [post(there, shown) for shown in (first, first, other)] == [200, 429, 200]
        (listed, _) = [json.loads(line) for line in run("token", "list", "--json").stdout.splitlines()]
        assert (listed["bytes_per_second"], listed["in_flight_bytes"]) == (10, 1_000_000)
        assert "1000000" in run("token", "list").stdout
        assert run("token", "limit", "one", "--max-bytes-per-second", "0").exit_code == 0
        assert [post(there, shown) for shown in (first, first, other)] == [200, 200, 200]
        (listed, _) = [json.loads(line) for line in run("token", "list", "--json").stdout.splitlines()]
        assert (listed["bytes_per_second"], listed["in_flight_bytes"]) == (0, 1_000_000)


def test_limits_that_are_none_are_told(run: Run) -> None:
    """A size that is none, a read token and no limit at all end with a sentence and exit code 2."""
    assert "'fast' is no size" in run("token", "create", "--scope", "ingest", "--max-bytes-per-second", "fast").stderr
    assert "ingest tokens" in run("token", "create", "--scope", "read", "--max-bytes-per-second", "1MB").stderr
    run("token", "create", "--scope", "read", "--name", "reader")
    assert "for reading" in run("token", "limit", "reader", "--max-in-flight-bytes", "1MB").stderr
    done = run("token", "limit", "reader")
    assert (done.exit_code, "Say what to limit" in done.stderr) == (2, True)


def test_an_open_port_needs_one(tracegrade: Command) -> None:
    """Serve refuses an address that others reach, says what to do, and does it with a token or with --insecure (X-01)."""
    ports = ("--grpc-port", "0", "--http-port", "0")
    done = tracegrade("serve", "--host", "0.0.0.0", *ports)
    assert (done.returncode, done.stdout) == (2, "")
    assert "tracegrade token create --scope ingest" in done.stderr
    assert "Traceback" not in done.stderr


def test_insecure_says_so(tmp_path: Path) -> None:
    """With --insecure anybody may write, and the log says that."""
    with served(tmp_path / "a.duckdb", "--host", "0.0.0.0", "--insecure") as there:
        assert post(there, None) == 200
        assert "anybody" in there.log.read_text()


def test_files_are_loaded_into_a_guarded_collector(run: Run, data: Path, tmp_path: Path) -> None:
    """Load needs no token where it finds the collector by its store's path: the store's owner runs both."""
    run("token", "create", "--scope", "ingest")
    with served(tmp_path / "tracegrade.duckdb"):
        done = run("load", data / "captures" / "pydantic-ai-v5__native__refund")
    assert (done.exit_code, done.stdout.startswith("Sent to the collector")) == (0, True)


def test_readers_on_other_machines(run: Run, data: Path, tmp_path: Path) -> None:
    """At read_host a read token reads and grades over TLS and writes nothing; others, and the owner's secret, are refused."""
    authority = Authority(tmp_path)
    pair = authority.issue("server")
    store = tmp_path / "tracegrade.duckdb"
    read = run("token", "create", "--scope", "read").stdout.strip()
    write = run("token", "create", "--scope", "ingest").stdout.strip()
    suite = data / "hostile" / "suite.yaml"
    options = ("--read-host", "0.0.0.0", "--tls-cert", pair.cert, "--tls-key", pair.key)
    with served(store, *options) as there:
        url = f"https://localhost:{there.reads}"
        owner = json.loads((tmp_path / "tracegrade.duckdb.serve.json").read_text())["token"]

        def by_url(token: str, *command: str | Path, ca: str = str(authority.cert)) -> Result:
            return run(*command, "--store", url, TRACEGRADE_READ_TOKEN=token, SSL_CERT_FILE=ca)

        assert by_url(read, "sql", "SELECT count(*) AS n FROM spans").stdout == "n\n0\n"
        assert "may only read" in by_url(read, "token", "create", "--scope", "read").stderr
        assert "may only read" in by_url(read, "token", "list").stderr
        graded = by_url(read, "grade", suite)
        assert "not recorded" in graded.stderr
        assert "gate not gateable" in graded.stdout
        assert "another scope" in by_url(write, "runs").stderr
        assert "another scope" in by_url(owner, "runs").stderr
        assert "does not know this reader" in by_url("", "runs").stderr
        assert "is not trusted" in by_url(read, "runs", ca=os.devnull).stderr


def test_several_processes_make_tokens_at_once(tmp_path: Path) -> None:
    """One writer for all: four commands at the same time, with a collector running, and each token is there and good."""
    store = tmp_path / "tracegrade.duckdb"
    command = [*TRACEGRADE, "token", "create", "--scope", "ingest", "--store", str(store)]
    with served(store) as there:
        made = [
            subprocess.Popen(
                command, env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(4)
        ]
        told = [process.communicate(timeout=120) for process in made]
        assert [process.returncode for process in made] == [0] * 4, told
        assert [post(there, out.strip()) for out, _ in told] == [200] * 4
