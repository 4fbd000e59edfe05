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

from google.protobuf.internal import api_implementation

from collector import amounts, arrow_memory, log
from collector.access import table
from collector.access.guard import Guard
from collector.answer import notice
from collector.answer.local import LocalStore
from collector.answer.read import HOST, ReadEndpoint
from collector.config import Settings
from collector.entry import Entry, entry
from collector.errors import UserError
from collector.measure import rates
from collector.measure.tally import Tally
from collector.observation import Observation
from collector.private_files import keep_private, require_own
from collector.receive import ports
from collector.receive.access import HttpDoor
from collector.receive.admission import ByteBudget
from collector.receive.export import Exporter
from collector.receive.flow import Flow
from collector.receive.grpc import GrpcServer
from collector.receive.http import OtlpHttp
from collector.receive.measured_door import MeasuredDoor
from collector.receive.readiness import Readiness
from collector.redact.setting import redactor
from collector.store.care.upkeep import Upkeep
from collector.store.extension import Extension
from collector.store.file.database import MEMORY
from collector.store.trees.builder import Worker
from collector.store.trees.settle import SettleTimes
from collector.store.writing.limits import WriterLimits
from collector.web.server import HttpServer, Limits
from collector.web.tls import Certificates

_log = logging.getLogger(__name__)
_Bound = TypeVar("_Bound")

SWITCH_SECONDS = 0.0005
"""After which a thread lets the next one run (Python: 5 ms). The writer comes back from the database ten times a commit, and
each time waits for whoever decodes meanwhile."""

BURST_REQUESTS = 30
"""Requests a second from which a collector answers from the spool and commits what 0.8 seconds bring, or at once where somebody
reads: at 5,000 spans/s in 50 requests/s an answer took 24 to 31 ms (p99 57 to 189) with a commit for each, on a slow machine
with two cores, and so 6 ms (30), with a third less load of the machine. Who uses a store without a server waits for commits."""

SETTLE_AT_MOST = 200
"""Traces whose trees are still built at the end. With more the next start builds them: nothing is lost by it."""


def serve(settings: Settings, extensions: Sequence[Extension] = ()) -> None:
    """Serve until SIGTERM or SIGINT. Raises UserError and StoreError, whose texts are for people."""
    log.start()
    arrow_memory.keep()
    sys.setswitchinterval(SWITCH_SECONDS)
    os.umask(0o077)  # whatever file is made from here on is its owner's alone
    asyncio.run(run(settings, extensions))


async def run(settings: Settings, extensions: Sequence[Extension] = ()) -> None:
    """Open the store, listen, say so in one line on standard output, and end cleanly when told to."""
    _require_upb()
    stop = _stop_on_signals()
    ports.require(settings.host, settings.grpc_port, "--grpc-port")
    ports.require(settings.host, settings.http_port, "--http-port")
    ports.require(settings.read_host, settings.read_port, "--read-port")
    store = await asyncio.to_thread(_open, settings, extensions)
    try:
        doors = await asyncio.to_thread(_entry, settings, store)
        async with AsyncExitStack() as servers:
            gc.collect()
            gc.freeze()  # what lives from now to the end need not be looked through again and again
            print(await _listen(settings, store, doors, stop, servers), flush=True)  # noqa: T201 -- the one line of output
            upkeep = _upkeep(settings, store)
            await stop.wait()
            await asyncio.to_thread(upkeep.close)
        if len(store.settler.pending) <= SETTLE_AT_MOST:
            await asyncio.to_thread(store.settle)
    finally:
        await asyncio.to_thread(store.close)
        if store.path != MEMORY:
            notice.take_away(store.path)


def _require_upb() -> None:
    """Protobuf's slow twin, which is used where its compiled part is missing, follows nested messages to a crash (X-07)."""
    if api_implementation.Type() != "upb":
        raise UserError(
            "protobuf runs without its compiled part here. Install it anew (pip install --force-reinstall protobuf), and unset "
            "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION."
        )


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
    if settings.store != MEMORY:
        require_own(settings.store)
    return LocalStore(
        settings.store,
        extensions=extensions,
        limits=WriterLimits(
            seconds=settings.group_seconds,
            rows=settings.group_rows,
            bytes=settings.group_bytes,
            burst_requests=BURST_REQUESTS,
            queue_bytes=settings.in_flight_bytes,
            log_bytes=settings.log_bytes,
            free_bytes=settings.free_disk_bytes,
        ),
        times=SettleTimes(quiet=settings.settle_quiet_seconds, longest=settings.settle_longest_seconds),
        builder=Worker(),
        background=True,
        memory_limit=settings.memory_bytes or None,
        sql_memory=settings.sql_memory_bytes,
        redact=redactor(settings),
    )


def _upkeep(settings: Settings, store: LocalStore) -> Upkeep:
    keep = amounts.seconds(settings.keep) if settings.keep else None
    most = amounts.size(settings.keep_bytes) if settings.keep_bytes else None
    upkeep = Upkeep(store.care, keep, most, told=store.pruned)
    if (settings.keep or settings.keep_bytes) and store.path != MEMORY:
        upkeep.start()
    return upkeep


def _entry(settings: Settings, store: LocalStore) -> Entry:
    keep_private(store.path)
    return entry(settings, lambda: table.read(store.query(table.TOKENS)), store=store.path)


async def _listen(
    settings: Settings, store: LocalStore, doors: Entry, stop: asyncio.Event, servers: AsyncExitStack
) -> str:
    """Start all servers; the ready line. They end in reverse order: the exporters' first, the readers' last."""
    budget, flow = ByteBudget(settings.in_flight_bytes), Flow(store.intake)
    exporter = Exporter(flow, budget, settings.request_bytes, store.intake.redact, metrics=settings.metrics)
    readiness = Readiness(lambda: "stopping" if stop.is_set() else None, store.writer.trouble, exporter.trouble)
    limits = Limits(
        header_seconds=settings.header_seconds,
        body_bytes=settings.request_bytes,
        body_idle_seconds=settings.body_idle_seconds,
        idle_seconds=settings.idle_seconds,
        connections=settings.connections,
        peer_connections=settings.peer_connections,
    )
    grpc = GrpcServer(exporter, readiness, doors.ingest, limits)
    observation = Observation(
        store=store,
        flow=flow,
        budget=budget,
        limit_bytes=settings.in_flight_bytes,
        http=Tally(),
        grpc=grpc.answers,
        failures=doors.failures,
        trouble=readiness.trouble,
    )
    read_url, elsewhere = await _listen_for_readers(settings, store, doors, servers, observation)

    def otlp_server(guard: Guard, *, own: bool = False) -> HttpServer:
        origins, own_names = (frozenset[str](), False) if own else (doors.origins, doors.near)
        plain = HttpDoor(OtlpHttp(exporter, readiness), guard, origins=origins, own_names=own_names)
        door = MeasuredDoor(plain, guard, observation.page, observation.http)
        return HttpServer(door.handle, limits, door.admit, refuse=door.refuse, share=door.share)

    local, http = otlp_server(doors.local, own=True), otlp_server(doors.ingest)
    servers.push_async_callback(_together, local, http, grpc, settings.drain_seconds)
    host, tls = settings.host, doors.certificates
    local_port = await _start(local.start(HOST, 0), HOST, 0, "--http-port")
    http_port = await _start(http.start(host, settings.http_port, tls), host, settings.http_port, "--http-port")
    grpc_port = await _start(grpc.start(host, settings.grpc_port, tls), host, settings.grpc_port, "--grpc-port")
    if store.path != MEMORY:
        notice.leave(store.path, notice.Notice(os.getpid(), read_url, doors.owner, f"http://{HOST}:{local_port}"))
    _warn(doors)
    shown, scheme = f"[{host}]" if ":" in host else host, "http" if tls is None else "https"
    listens = {
        "grpc": f"{shown}:{grpc_port}",
        "http": f"{scheme}://{shown}:{http_port}",
        "reads": elsewhere or read_url,
    }
    observation.listens = listens
    noting = asyncio.create_task(_note(observation))
    servers.callback(noting.cancel)
    return (
        f"tracegrade is ready: OTLP/gRPC {listens['grpc']}, OTLP/HTTP {listens['http']}, "
        f"{f'reads {elsewhere}, ' if elsewhere else ''}store {store.path}"
    )


async def _listen_for_readers(
    settings: Settings, store: LocalStore, doors: Entry, servers: AsyncExitStack, observation: Observation
) -> tuple[str, str]:
    """The URL for commands on this machine, and the one for readers on others (empty: there is none)."""

    async def start(guard: Guard, host: str, port: int, tls: Certificates | None) -> str:
        endpoint = ReadEndpoint(store, guard, doors.book.reload, observation)
        servers.push_async_callback(endpoint.stop, settings.drain_seconds)
        return await _start(endpoint.start(port, host, tls), host, port, "--read-port")

    host, port = settings.read_host, settings.read_port
    if doors.reads_near:
        return await start(doors.reads, host, port, None), ""
    near = await start(doors.reads, HOST, 0, None)
    return near, await start(doors.remote_reads, host, port, doors.read_certificates)


async def _note(observation: Observation) -> None:
    while True:
        observation.note()
        await asyncio.sleep(rates.EVERY)


def _warn(doors: Entry) -> None:
    """Say what a person should know who opens a port to others."""
    if not doors.near and not doors.ingest.asks and not (doors.certificates and doors.certificates.asks):
        _log.warning("Spans are taken from anybody who reaches this machine (--insecure).")
    if (not doors.near and doors.certificates is None) or (not doors.reads_near and doors.read_certificates is None):
        _log.warning(
            "Tokens and spans travel without encryption: set tls_cert and tls_key, or put a TLS proxy before it."
        )


async def _together(local: HttpServer, http: HttpServer, grpc: GrpcServer, grace: float) -> None:
    await asyncio.gather(local.stop(grace), http.stop(grace), grpc.stop(grace))


async def _start(starting: Awaitable[_Bound], host: str, port: int, option: str) -> _Bound:
    try:
        return await starting
    except OSError as problem:
        raise ports.explain(problem, host, port, option) from None
