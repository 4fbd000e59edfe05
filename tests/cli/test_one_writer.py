"""One writer for all: while a collector serves a store, everything that writes goes through it, from however many processes."""

import contextlib
import http.client
import json
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from collector import connect
from tests.conftest import TRACEGRADE, Collector, clean_environment

SUITE = """
tracegrade: 1
suite: calls
cases:
  - name: any
    expect:
      - captured: [tools]
"""
GONE = range(1, 3)
"""Traces that are deleted, one after the other: each deletion writes the file anew."""


def agent(trace: int) -> bytes:
    """A request with one agent's span."""
    facts = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support"}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in facts.items()]
    span = {"traceId": f"{trace:032x}", "spanId": f"{trace:016x}", "name": "invoke_agent", "attributes": attributes}
    span |= {"startTimeUnixNano": "1790000000000000000", "endTimeUnixNano": "1790000001000000000"}
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode()


class Sender(threading.Thread):
    """Sends a trace after the other, each again until it is taken, and remembers which ones were acknowledged."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.acknowledged: list[int] = []
        self.refused = 0
        self.others: list[int] = []
        self.enough = threading.Event()
        self._port = port

    def run(self) -> None:
        """Until it is enough."""
        trace = 0
        while not self.enough.is_set():
            trace += 1
            while (status := self._send(agent(trace))) in (429, 503):
                self.refused += 1
                time.sleep(0.05)
            (self.acknowledged if status == 200 else self.others).append(trace if status == 200 else status)
            self.enough.wait(0.1)  # the commands are what is tested, not how much there is to settle

    def _send(self, body: bytes) -> int:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)) as connection:
            connection.request("POST", "/v1/traces", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status


def run(folder: Path, *commands: tuple[str, ...]) -> list[subprocess.CompletedProcess[str]]:
    """One process after the other."""
    return [
        subprocess.run(
            [*TRACEGRADE, *command],
            cwd=folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        for command in commands
    ]


@pytest.mark.slow
def test_four_processes_write_and_nothing_is_lost(collector: Collector, tmp_path: Path):
    """Grading, rebuilding, pruning, exporting and deleting at once, while spans arrive.

    No lock is in the way, every acknowledged span is there unless it was deleted, and every grading is on record.
    """
    (tmp_path / "suite.yaml").write_text(SUITE)
    sender = Sender(collector.http)
    sender.start()
    while len(sender.acknowledged) < len(GONE):
        time.sleep(0.01)
    grade = ("grade", "suite.yaml", "--include-open", "--store", str(collector.store))
    lines = (
        [grade] * 2,
        [("normalize", "--all", "--store", str(collector.store))],
        [
            ("prune", "--keep", "1h", "--store", str(collector.store)),
            ("export", "out", "--store", str(collector.store)),
        ],
        [("delete", "--trace", f"{trace:032x}", "--store", str(collector.store)) for trace in GONE],
    )
    with ThreadPoolExecutor(len(lines)) as processes:
        done = [result for line in processes.map(lambda commands: run(tmp_path, *commands), lines) for result in line]
    sender.enough.set()
    sender.join()
    assert [(d.args[1:], d.returncode, d.stderr) for d in done if d.returncode not in (0, 1) or d.stderr] == []
    assert sender.others == []
    with connect(collector.store) as store:
        stored = {
            int(row["trace_id"], 16) for row in store.sql("SELECT trace_id FROM spans", max_rows=10**6).to_pylist()
        }
        gradings = store.sql("SELECT count(*) AS n FROM gradings").to_pylist()
    assert stored == set(sender.acknowledged) - set(GONE)
    assert gradings == [{"n": 2}]
