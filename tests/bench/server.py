"""A real collector process to measure: its ports, and its memory when it ends."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

NEVER = "1000000000"
MIB = 1 << 20


@dataclass
class Server:
    """Where a collector listens. `peak_mib` is known when it has ended: the server, and the worker that builds trees."""

    grpc: tuple[str, int]
    http: tuple[str, int]
    store: Path
    pid: int
    peak_mib: dict[str, float] = field(default_factory=dict)

    def processor_seconds(self) -> float:
        """What the server has taken of the processors so far, without its children (Linux counts in steps of 10 ms)."""
        times = psutil.Process(self.pid).cpu_times()
        return times.user + times.system

    def resident_mib(self) -> dict[str, float]:
        """The resident memory now: of the server, and of the largest process below it, as a rule the one that builds trees."""
        process = psutil.Process(self.pid)
        workers = [_resident(child) for child in process.children(recursive=True)]
        return {"server": _resident(process), "worker": max(workers, default=0.0)}


@contextmanager
def serving(store: Path | None = None, *, trees: bool = True) -> Generator[Server]:
    """A collector on free ports with this store, or with one in a temporary folder.

    Without `trees` nothing is normalized meanwhile, but what an earlier collector left over.
    """
    waits = {} if trees else {"TRACEGRADE_SETTLE_QUIET_SECONDS": NEVER, "TRACEGRADE_SETTLE_LONGEST_SECONDS": NEVER}
    tracegrade = str(Path(sys.executable).with_name("tracegrade"))
    with tempfile.TemporaryDirectory() as folder:
        store = store or Path(folder) / "bench.duckdb"
        command = [tracegrade, "serve", "--store", str(store), "--grpc-port", "0", "--http-port", "0"]
        process = subprocess.Popen(command, env=os.environ | waits, stdout=subprocess.PIPE, text=True)
        try:
            ready = process.stdout.readline() if process.stdout else ""
            grpc, http = (("127.0.0.1", int(port)) for port in re.findall(r"127\.0\.0\.1:(\d+)", ready)[:2])
            server = Server(grpc, http, store, process.pid)
            yield server
            server.peak_mib = _peaks(process.pid)
        finally:
            process.terminate()
            process.communicate()


def _resident(process: psutil.Process) -> float:
    try:
        return process.memory_info().rss / MIB
    except psutil.NoSuchProcess:
        return 0.0  # it has ended meanwhile


def _peaks(pid: int) -> dict[str, float]:
    """The highest resident memory of the process and of those below it, in MiB (Linux)."""
    process = psutil.Process(pid)
    peaks = {"server": _peak(pid)}
    workers = [_peak(child.pid) for child in process.children(recursive=True)]
    return peaks | {"worker": max(workers, default=0.0)}


def _peak(pid: int) -> float:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0  # it has ended meanwhile
    return max((int(found) for found in re.findall(r"VmHWM:\s+(\d+) kB", status)), default=0) * 1024 / MIB
