"""A collector to be maltreated, and what must be true of its store afterwards."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from collector.store.care.checkup import check
from collector.store.file.database import CLOSED
from collector.store.file.opening import connect
from tests.crash.load import Load, spooled

SPANS = 40
"""Spans of each body."""

RUNNING: "set[subprocess.Popen[str]]" = set()
"""Collectors that nobody has ended yet."""


@dataclass
class Collector:
    """A running collector."""

    process: subprocess.Popen[str]
    port: int
    log: Path

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        RUNNING.discard(self.process)

    def stop(self) -> None:
        """End it in order."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(120) == 0, self.log.read_text()[-2000:]
        RUNNING.discard(self.process)


def start(store: Path, log: Path | None = None, **settings: int) -> Collector:
    """A collector in a process of its own; it does no more than receive, unless the settings say so."""
    quiet = {"settle_quiet_seconds": 10**9, "settle_longest_seconds": 10**9, "free_disk_bytes": 0}
    environment = {f"TRACEGRADE_{name.upper()}": str(value) for name, value in (quiet | settings).items()}
    log = log or store.with_name("log.txt")
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
    with log.open("a") as errors:
        process = subprocess.Popen(
            command, env=os.environ | environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    RUNNING.add(process)
    assert process.stdout is not None
    with process.stdout:
        found = re.search(r"OTLP/HTTP http://127\.0\.0\.1:(\d+)", process.stdout.readline())
    assert found, f"the collector did not get ready: {log.read_text()[-2000:]}"
    return Collector(process, int(found[1]), log)


def end_all() -> None:
    """End whatever a round left running when it failed."""
    while RUNNING:
        process = RUNNING.pop()
        process.kill()
        process.wait()


def traces(store: Path) -> dict[str, int]:
    """Spans by trace in a store that nobody has open, which is left as it is; none may be there twice."""
    connection = connect(str(store), CLOSED)
    try:
        counts = connection.execute(
            "SELECT trace_id, count(*), count(DISTINCT span_id) FROM evidence.spans GROUP BY trace_id"
        ).fetchall()
    finally:
        connection.close()
    twice = [trace for trace, spans, different in counts if spans != different]
    assert not twice, f"spans of {len(twice)} traces are stored twice"
    return {trace: spans for trace, spans, _ in counts}


def assert_kept(store: Path, load: Load, spans: int = SPANS) -> dict[str, int]:
    """All that was acknowledged is there or in the spool, nothing in part, nothing twice, and the store is whole."""
    stored = traces(store)
    lost = load.acknowledged - stored.keys() - spooled(store)
    assert not lost, f"{len(lost)} of {len(load.acknowledged)} acknowledged requests are lost"
    assert set(stored.values()) <= {spans}, "a request was stored in part"
    assert not load.refused, f"answers that are not retryable: {set(load.refused)}"
    wrong = [finding for finding in check(str(store)) if finding.state == "wrong"]
    assert not wrong, wrong
    return stored


def join(threads: Iterable[threading.Thread]) -> None:
    """Wait for senders."""
    for thread in threads:
        thread.join()
