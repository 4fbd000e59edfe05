"""Collectors for tests: in this process on free ports, or as a process of its own."""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from collector.answer.local import LocalStore
from collector.receive.admission import ByteBudget
from collector.receive.export import Exporter
from collector.receive.grpc import GrpcServer
from collector.receive.http import OtlpHttp
from collector.receive.readiness import Readiness
from collector.web.server import HttpServer, Limits

Made = TypeVar("Made")


@dataclass
class Here:
    """Receivers in this process."""

    store: LocalStore
    exporter: Exporter
    http: int
    grpc: int


@asynccontextmanager
async def receiving(
    *, budget: ByteBudget | None = None, limits: Limits | None = None, metrics: Literal["drop", "refuse"] = "drop"
) -> AsyncGenerator[Here]:
    """Both receivers over a store in memory."""
    with LocalStore(":memory:") as store:
        exporter = Exporter(store.writer, budget, metrics=metrics)
        readiness = Readiness(store.writer.trouble, exporter.trouble)
        otlp = OtlpHttp(exporter, readiness)
        http = HttpServer(otlp.handle, limits, otlp.admit, refuse=otlp.refuse, budget=exporter.budget)
        grpc = GrpcServer(exporter, readiness)
        try:
            yield Here(store, exporter, await http.start("127.0.0.1", 0), await grpc.start("127.0.0.1", 0))
        finally:
            await http.stop(1)
            await grpc.stop(1)


@contextmanager
def elsewhere(made: AbstractAsyncContextManager[Made]) -> Generator[Made]:
    """What is made, living in the loop of a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(made.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(made.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


SERVE = """
import sys
from collector.config import Settings
from collector.errors import UserError
from collector.service import serve
store, host, grpc_port, http_port = sys.argv[1:]
try:
    serve(Settings(store=store, host=host, grpc_port=int(grpc_port), http_port=int(http_port)))
except UserError as error:
    sys.exit(f"tracegrade: {error}")
"""


@dataclass
class There:
    """A collector in a process of its own."""

    process: subprocess.Popen[str]
    path: Path
    line: str

    @property
    def http(self) -> int:
        """The port of OTLP/HTTP."""
        return int(self.line.split("http://127.0.0.1:")[1].split(",")[0])

    @property
    def grpc(self) -> int:
        """The port of OTLP/gRPC."""
        return int(self.line.split("gRPC 127.0.0.1:")[1].split(",")[0])

    @property
    def notice(self) -> dict[str, str]:
        """What the collector wrote beside its store."""
        return json.loads(self.path.with_name(self.path.name + ".serve.json").read_text())


def start(path: Path, http_port: int = 0, grpc_port: int = 0) -> subprocess.Popen[str]:
    """Start a collector."""
    command = [sys.executable, "-c", SERVE, str(path), "127.0.0.1", str(grpc_port), str(http_port)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def collecting(path: Path) -> Generator[There]:
    """A collector that is ready; it is ended with SIGTERM."""
    with start(path) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            yield There(process, path, line.strip())
        finally:
            process.terminate()
            process.wait(120)
