"""`tracegrade serve` as a process, with any options, and what it says."""

import re
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import TRACEGRADE, clean_environment


@dataclass
class Served:
    """A collector that is ready."""

    process: subprocess.Popen[str]
    store: Path
    line: str
    log: Path

    @property
    def grpc(self) -> int:
        """The port of OTLP/gRPC."""
        return self._port(r"OTLP/gRPC \S*:(\d+)")

    @property
    def http(self) -> int:
        """The port of OTLP/HTTP."""
        return self._port(r"OTLP/HTTP \S*:(\d+)")

    @property
    def reads(self) -> int:
        """The port for readers on other machines."""
        return self._port(r"reads \S*:(\d+)")

    def _port(self, pattern: str) -> int:
        found = re.search(pattern, self.line)
        assert found, self.line
        return int(found[1])


@contextmanager
def served(store: Path, *options: str | Path) -> Generator[Served]:
    """A collector on free ports while the block runs; it must end cleanly."""
    command = [*TRACEGRADE, "serve", "--store", str(store), "--grpc-port", "0", "--http-port", "0", *map(str, options)]
    log = store.with_suffix(".log")
    with (
        log.open("w") as errors,
        subprocess.Popen(command, env=clean_environment(), stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, log.read_text()
            yield Served(process, store, line, log)
        finally:
            process.terminate()
            ended = process.wait(120)
        assert ended == 0
