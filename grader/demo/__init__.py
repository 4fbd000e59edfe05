"""`tracegrade demo`: the whole job on this machine, from an agent's spans to the gate, with nothing left behind."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import NoReturn

HERE = Path(__file__).parent
SUITE = HERE / "refunds.yaml"
PYTHON = (sys.executable, "-P")  # -P: a folder called `grader` where the user stands is not ours
TRACEGRADE = (*PYTHON, "-m", "grader.cli")
QUERY = """
SELECT agent, name AS tool, state, count(*) AS calls, any_value(error) AS error
FROM tool_calls GROUP BY ALL ORDER BY agent DESC, tool, state
"""


def demo() -> None:
    """Run a collector, an example agent, a query and a graded suite, and explain what happens."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        with tempfile.TemporaryDirectory(prefix="tracegrade-demo-") as folder:
            _show(Path(folder) / "demo.duckdb")
    except KeyboardInterrupt:
        _say("\nStopped; nothing is left running.")
        raise SystemExit(130) from None


def _show(store: Path) -> None:
    with _collector(store) as (endpoint, ready):
        _title("A collector is listening")
        _say(f"  {ready}")
        _title("An agent runs in a process of its own and exports its spans (OTLP/gRPC)")
        _run([*PYTHON, "-m", "grader.demo.agent"], {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint})
        _title("What it did: every run, and one run as a tree")
        _tracegrade(store, "runs")
        _tracegrade(store, "show", _first_run(store))
        _title("Any question in SQL: which tools were called, and how did the calls end?")
        _tracegrade(store, "sql", " ".join(QUERY.split()))
        _title("The gate: does every case of the suite pass?")
        gate = _tracegrade(store, "grade", "--include-open", str(SUITE))
        _say(f"\n  `grade` exits {gate}, so a pipeline would stop here: one agent paid before it looked.")
    _title("Where to go from here")
    _say(
        "  tracegrade serve                                   keep a collector running\n"
        "  OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4317  point your agent's exporter at it\n"
        f"  {SUITE}\n"
        "                                                     a first suite to copy\n"
        "  README.md                                          the switch that makes your framework record content"
    )


@contextlib.contextmanager
def _collector(store: Path) -> Generator[tuple[str, str]]:
    """A collector on free ports: the address of its gRPC port and its ready line. It is gone when the block ends."""
    command = [*TRACEGRADE, "serve", "--store", str(store), "--grpc-port", "0", "--http-port", "0"]
    # A session of its own: Ctrl-C in the terminal reaches this process alone, which then stops the collector in order.
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
    try:
        ready = process.stdout.readline().strip() if process.stdout else ""
        if not (port := re.search(r"gRPC \S*?:(\d+)", ready)):
            raise SystemExit("The collector did not start; its message stands above.")
        yield f"http://127.0.0.1:{port[1]}", ready
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=15)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # a worker of it that was just starting, too
        process.communicate()


def _first_run(store: Path) -> str:
    """The run that has something of everything: a failed call, and a child job."""
    query = "SELECT run_id FROM runs ORDER BY jobs DESC, started LIMIT 1"
    command = [*TRACEGRADE, "sql", "--store", str(store), "--format", "csv", query]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[1]  # noqa: S603


def _tracegrade(store: Path, command: str, *arguments: str) -> int:
    shown = [f'"{a}"' if " " in a else a for a in arguments]
    _say(f"\n  $ tracegrade {command} {' '.join(shown)}\n")
    return _run([*TRACEGRADE, command, *arguments, "--store", str(store)])


def _run(command: list[str], extra: dict[str, str] | None = None) -> int:
    """Run to the end, the output going where ours goes; Ctrl-C ends it from here, without a word of its own."""
    environment = os.environ | (extra or {})
    return subprocess.run(command, check=False, env=environment, start_new_session=True).returncode  # noqa: S603


def _title(text: str) -> None:
    _say(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n{text}")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 (the demo speaks)


def _stop(signum: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 (the signature of a handler)
    raise KeyboardInterrupt
