"""Our own collector in a process of its own, for suites that talk to it from outside: where it listens, what it stored."""

import json
import re
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa

from collector import Store, connect
from tests.conftest import TRACEGRADE, clean_environment

MIB = 1 << 20


@dataclass
class Own:
    """A running collector. `store` reads what it holds."""

    process: subprocess.Popen[str]
    http: int
    grpc: int
    store: Store
    folder: Path
    stopped: bool = False

    @property
    def url(self) -> str:
        """Of OTLP/HTTP."""
        return f"http://127.0.0.1:{self.http}"

    @property
    def rss(self) -> int:
        """MiB of resident memory, the worker that builds trees not counted."""
        return psutil.Process(self.process.pid).memory_info().rss // MIB

    @property
    def log(self) -> str:
        """What it wrote to standard error so far."""
        return (self.folder / "log").read_text()

    def stop(self) -> None:
        """Ask it to end. Once: the second signal ends it at once, whatever it does."""
        if not self.stopped:
            self.stopped = True
            self.process.terminate()

    def rows(self, trace_id: bytes, view: str = "spans") -> list[dict[str, Any]]:
        """What is stored of a trace, as dictionaries in the order of span ids: JSON parsed, of times the raw numbers."""
        found = self.store.sql(f"SELECT * FROM {view} WHERE trace_id = '{trace_id.hex()}'")
        kept = found.select([field.name for field in found.schema if not pa.types.is_timestamp(field.type)])
        rows = [{name: _parsed(name, value) for name, value in row.items()} for row in kept.to_pylist()]
        return sorted(rows, key=lambda row: row.get("span_id") or "")


_JSON = {"attributes", "events", "links", "resource", "resource_entity_refs", "scope_attributes", "beside", "body"}


def _parsed(name: str, value: Any) -> Any:
    return json.loads(value) if name in _JSON and value is not None else value


@contextmanager
def own(folder: Path, **settings: object) -> Generator[Own]:
    """A collector over a new store in `folder`, with these settings; it must end cleanly."""
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / "tracegrade.duckdb"
    env = clean_environment() | {f"TRACEGRADE_{name.upper()}": str(value) for name, value in settings.items()}
    command = [*TRACEGRADE, "serve", "--store", str(store), "--grpc-port", "0", "--http-port", "0"]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        made: Own | None = None
        try:
            ready = process.stdout.readline() if process.stdout else ""
            ports = re.search(r"gRPC [^ ]*:(\d+), OTLP/HTTP http://[^ ]*:(\d+)", ready)
            assert ports, f"the collector did not start: {(folder / 'log').read_text()}"
            with connect(store) as reading:
                made = Own(process, int(ports[2]), int(ports[1]), reading, folder)
                yield made
        finally:
            if made is None:
                process.terminate()
            else:
                made.stop()
            ended = process.wait(120)
        assert ended == 0, f"the collector ended with {ended}"
