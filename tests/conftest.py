"""Fixtures that several areas share: the data, the `tracegrade` command, and a running collector."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")  # a loaded machine of two cores is no fault of the code

Command = Callable[..., subprocess.CompletedProcess[str]]
TRACEGRADE = (str(Path(sys.executable).with_name("tracegrade")),)


def clean_environment() -> dict[str, str]:
    """The environment without what would change our commands' settings or an exporter's."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("TRACEGRADE_", "OTEL_", "COLUMNS"))}


@dataclass(frozen=True)
class Collector:
    """A collector in a process of its own."""

    store: Path
    grpc: int
    http: int
    process: subprocess.Popen[str]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder tests/data."""
    return Path(__file__).parent / "data"


@pytest.fixture
def tracegrade(tmp_path: Path) -> Command:
    """Runs the real command in the test's folder and waits for its end: `tracegrade("runs", "--json")`."""

    def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [*TRACEGRADE, *map(str, arguments)]
        env = clean_environment() | environment
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)

    return run


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[Collector]:
    """A running collector on free ports with a store of its own; it must end cleanly."""
    store = tmp_path / "tracegrade.duckdb"
    command = [*TRACEGRADE, "serve", "--store", str(store), "--grpc-port", "0", "--http-port", "0"]
    with subprocess.Popen(command, env=clean_environment(), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        ports = re.search(r"gRPC [^ ]*:(\d+), OTLP/HTTP http://[^ ]*:(\d+)", ready)
        assert ports, f"not ready: {ready}"
        yield Collector(store, int(ports[1]), int(ports[2]), process)
        process.terminate()
        assert process.wait(120) == 0
