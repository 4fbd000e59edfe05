"""The promise of an acknowledgement, kept when the collector is killed."""

import re
import subprocess
import sys
from collections import deque
from pathlib import Path

import duckdb
import pytest

from collector.answer import notice
from tests.crash.load import Load, bodies, spooled

REQUESTS, SPANS = 400, 500
"""200,000 spans."""

KILLS = (60, 160, 260)
"""How many requests are acknowledged when the collector is killed."""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_after_three_kills_every_acknowledged_span_is_there_once(tmp_path: Path):
    """SIGKILL three times during a load of 200,000 spans from 8 connections loses no acknowledged span and doubles none."""
    store = tmp_path / "a.duckdb"
    load = Load(deque(bodies(REQUESTS, SPANS)))
    for kill_at in KILLS:
        collector, port = start(store)
        senders = load.send(port)
        load.wait(kill_at, senders)
        collector.kill()
        collector.wait()
        for sender in senders:
            sender.join()
        assert notice.find(store) is None
        assert_kept(store, load)
    unacknowledged = len(load.waiting)
    assert unacknowledged == REQUESTS - len(load.acknowledged) > 0
    collector, port = start(store)
    for sender in load.send(port):
        sender.join()
    collector.terminate()
    assert collector.wait(300) == 0
    assert len(load.acknowledged) == REQUESTS
    assert_kept(store, load)
    assert sum(traces(store).values()) == REQUESTS * SPANS


def start(store: Path) -> tuple[subprocess.Popen[str], int]:
    """A collector in a process of its own, and its HTTP port."""
    command = [
        sys.executable,
        "-m",
        "grader.cli",
        "serve",
        "--store",
        str(store),
        "--grpc-port",
        "0",
        "--http-port",
        "0",
    ]
    collector = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert collector.stdout is not None
    with collector.stdout:
        found = re.search(r"OTLP/HTTP http://127\.0\.0\.1:(\d+)", collector.stdout.readline())
    assert found, "the collector did not get ready"
    return collector, int(found[1])


def assert_kept(store: Path, load: Load) -> None:
    """Each acknowledged request is there in full, no request in part, and no span twice."""
    stored = traces(store)
    assert load.acknowledged <= stored.keys() | spooled(store)
    assert set(stored.values()) == {SPANS}
    assert load.refused == []


def traces(store: Path) -> dict[str, int]:
    """How many spans of each trace are stored; fails when one is stored twice."""
    with duckdb.connect(str(store)) as connection:
        counts = connection.execute(
            "SELECT trace_id, count(*), count(DISTINCT span_id) FROM evidence.spans GROUP BY trace_id"
        ).fetchall()
    assert all(spans == different for _, spans, different in counts)
    return {trace: spans for trace, spans, _ in counts}
