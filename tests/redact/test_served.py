"""Redaction by a running collector, over real sockets, and what a suite says of it then."""

import contextlib
import http.client
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector import connect
from tests.conftest import TRACEGRADE, Command, clean_environment

MARKER = "ann@example.com"
SUITE = f"""
tracegrade: 1
suite: mails
cases:
  - name: to whom
    expect:
      - called: send
        with: {{ to: {MARKER} }}
  - name: not to whom
    expect:
      - reply: {{ excludes: [{MARKER}] }}
  - name: what is still known
    expect:
      - called: send
        with: {{ copies: 1 }}
"""


@pytest.fixture
def port(tmp_path: Path, data: Path) -> Iterator[int]:
    """A collector with the rules of the test's file, in the test's folder."""
    env = clean_environment() | {"TRACEGRADE_REDACT": str(data / "redact/rules.toml")}
    command = [*TRACEGRADE, "serve", "--grpc-port", "0", "--http-port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(re.findall(r"http://[^ ]*:(\d+)", process.stdout.readline())[0])
        process.terminate()
        assert process.wait(120) == 0


def body() -> bytes:
    """An agent that sends a mail, and says so."""

    def span(number: int, parent: int | None, **facts: str) -> dict[str, object]:
        attributes = [{"key": key.replace("__", "."), "value": {"stringValue": value}} for key, value in facts.items()]
        found: dict[str, object] = {
            "traceId": f"{1:032x}",
            "spanId": f"{number:016x}",
            "name": "x",
            "attributes": attributes,
        }
        return found | ({"parentSpanId": f"{parent:016x}"} if parent else {})

    said = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": f"I wrote to {MARKER}."}]}])
    agent = span(
        1, None, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="a", gen_ai__output__messages=said
    )
    arguments = json.dumps({"to": MARKER, "copies": 1})
    tool = span(
        2, 1, gen_ai__operation__name="execute_tool", gen_ai__tool__name="send", gen_ai__tool__call__arguments=arguments
    )
    for one in (agent, tool):
        one |= {"startTimeUnixNano": "1790000000000000000", "endTimeUnixNano": "1790000001000000000"}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [agent, tool]}]}]}).encode()


def test_what_is_masked_is_nowhere_and_undecided(port: int, tmp_path: Path, tracegrade: Command):
    """No file holds it; checks that rest on it are neither passed nor failed, others are decided as before (X-30)."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", "/v1/traces", body(), {"content-type": "application/json"})
        assert connection.getresponse().status == 200
    stored = [file for file in tmp_path.iterdir() if "duckdb" in file.name]
    assert stored
    assert not any(MARKER.encode() in file.read_bytes() for file in stored)
    (tmp_path / "suite.yaml").write_text(SUITE)
    assert tracegrade("grade", "suite.yaml", "--include-open").returncode in (1, 2)
    with connect(tmp_path / "tracegrade.duckdb") as store:
        told = store.sql("SELECT case_name, outcome FROM case_results").to_pylist()
    outcomes = {row["case_name"]: row["outcome"] for row in told}
    assert outcomes == {"to whom": "indeterminate", "not to whom": "indeterminate", "what is still known": "pass"}


def test_bad_rules_stop_the_start(tracegrade: Command, data: Path):
    """A collector does not start with rules that it cannot keep, and says all that is wrong with them."""
    done = tracegrade(
        "serve", "--grpc-port", "0", "--http-port", "0", TRACEGRADE_REDACT=str(data / "redact/wrong.toml")
    )
    assert done.returncode == 2
    assert done.stderr.count("rule ") > 8
