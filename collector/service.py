"""The running collector: the store, the receivers and the read endpoint put together, from start to a clean end."""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Sequence
from contextlib import AsyncExitStack
from typing import TypeVar

from collector.answer import notice
from collector.answer.local import LocalStore
from collector.answer.read import HOST, ReadEndpoint
from collector.config import Settings
from collector.errors import UserError
from collector.receive import ports
from collector.receive.admission import ByteBudget
from collector.receive.export import Exporter
from collector.receive.grpc import GrpcServer
from collector.receive.http import OtlpHttp
from collector.store.builder import Worker
from collector.store.database import MEMORY
from collector.store.extension import Extension
from collector.store.limits import WriterLimits
from collector.store.settle import SettleTimes
from collector.web.server import HttpServer, Limits

_log = logging.getLogger(__name__)
_Bound = TypeVar("_Bound")

SETTLE_AT_MOST = 200
"""Traces whose trees are still built at the end. With more the next start builds them: nothing is lost by it."""


def serve(settings: Settings, extensions: Sequence[Extension] = ()) -> None:
    """Serve until SIGTERM or SIGINT. Raises UserError and StoreError, whose texts are for people."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(run(settings, extensions))


async def run(settings: Settings, extensions: Sequence[Extension] = ()) -> None:
    """Open the store, listen, say so in one line on standard output, and end cleanly when told to."""
    stop = _stop_on_signals()
    ports.require(settings.host, settings.grpc_port, "--grpc-port")
    ports.require(settings.host, settings.http_port, "--http-port")
    ports.require(HOST, settings.read_port, "--read-port")
    store = await asyncio.to_thread(_open, settings, extensions)
    try:
        async with AsyncExitStack() as servers:
            gc.collect()
            gc.freeze()  # what lives from now to the end need not be looked through again and again
            print(await _listen(settings, store, stop, servers), flush=True)  # noqa: T201 -- the one line of output
            await stop.wait()
        if len(store.settler.pending) <= SETTLE_AT_MOST:
            await asyncio.to_thread(store.settle)
    finally:
        await asyncio.to_thread(store.close)
        if store.path != MEMORY:
            notice.take_away(store.path)


def _stop_on_signals() -> asyncio.Event:
    """Set by the first SIGTERM or SIGINT; a second one ends the process at once (what is committed is safe)."""
    loop, stop, numbers = asyncio.get_running_loop(), asyncio.Event(), (signal.SIGTERM, signal.SIGINT)

    def told() -> None:
        stop.set()
        for number in numbers:
            loop.remove_signal_handler(number)

    for number in numbers:
        loop.add_signal_handler(number, told)
    return stop


def _open(settings: Settings, extensions: Sequence[Extension]) -> LocalStore:
    if settings.store.startswith(("http://", "https://")):
        raise UserError(f"serve needs a file for its store, not an address: {settings.store}")
    return LocalStore(
        settings.store,
        extensions=extensions,
        limits=WriterLimits(
            seconds=settings.group_seconds,
            rows=settings.group_rows,
            bytes=settings.group_bytes,
            queue_bytes=settings.in_flight_bytes,
            log_bytes=settings.log_bytes,
            free_bytes=settings.free_disk_bytes,
        ),
        times=SettleTimes(quiet=settings.settle_quiet_seconds, longest=settings.settle_longest_seconds),
        builder=Worker(),
        background=True,
        memory_limit=settings.memory_bytes or None,
    )


async def _listen(settings: Settings, store: LocalStore, stop: asyncio.Event, servers: AsyncExitStack) -> str:
    """Start all servers; the ready line. They end in reverse order: the exporters' first, the readers' last."""
    exporter = Exporter(store.writer, ByteBudget(settings.in_flight_bytes), settings.request_bytes)
    token = notice.new_token()
    read = ReadEndpoint(store, token)
    servers.push_async_callback(read.stop, settings.drain_seconds)
    read_url = await _start(read.start(settings.read_port), HOST, settings.read_port, "--read-port")

    def ready() -> bool:
        return not stop.is_set() and exporter.budget.fits(1)

    otlp = OtlpHttp(exporter, ready)
    limits = Limits(body_bytes=settings.request_bytes, connections=settings.connections)
    http = HttpServer(otlp.handle, limits, otlp.admit, refuse=otlp.refuse, budget=exporter.budget)
    grpc = GrpcServer(exporter, ready)
    servers.push_async_callback(_together, http, grpc, settings.drain_seconds)
    host = settings.host
    http_port = await _start(http.start(host, settings.http_port), host, settings.http_port, "--http-port")
    grpc_port = await _start(grpc.start(host, settings.grpc_port), host, settings.grpc_port, "--grpc-port")
    if store.path != MEMORY:
        notice.leave(store.path, notice.Notice(os.getpid(), read_url, token, _reachable(host, http_port)))
    if host not in {"127.0.0.1", "localhost", "::1"}:
        _log.warning("Listening on %s without authentication: whoever reaches it can write to the store.", host)
    shown = f"[{host}]" if ":" in host else host
    return (
        f"tracegrade is ready: OTLP/gRPC {shown}:{grpc_port}, OTLP/HTTP http://{shown}:{http_port}, store {store.path}"
    )


def _reachable(host: str, port: int) -> str:
    """The address at which this machine finds what listens there."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 -- compared, not bound
    return f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"


async def _together(http: HttpServer, grpc: GrpcServer, grace: float) -> None:
    await asyncio.gather(http.stop(grace), grpc.stop(grace))


async def _start(starting: Awaitable[_Bound], host: str, port: int, option: str) -> _Bound:
    try:
        return await starting
    except OSError as problem:
        raise ports.explain(problem, host, port, option) from None
