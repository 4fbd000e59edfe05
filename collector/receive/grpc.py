"""OTLP/gRPC on grpc.aio, with raw bytes: a typed handler would answer INTERNAL to what it cannot parse (G-04)."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from collector.access.guard import Guard
from collector.measure.tally import Tally
from collector.receive import reply
from collector.receive.export import Exporter
from collector.receive.grpc_access import Abort, GuardedMethods, credentials
from collector.receive.readiness import Readiness
from collector.receive.reply import Answer, Signal
from collector.web.tls import Certificates

_log = logging.getLogger(__name__)

_SERVICES: dict[Signal, str] = {
    "traces": "opentelemetry.proto.collector.trace.v1.TraceService",
    "logs": "opentelemetry.proto.collector.logs.v1.LogsService",
    "metrics": "opentelemetry.proto.collector.metrics.v1.MetricsService",
}
_HEALTH = "grpc.health.v1.Health"
_SERVING, _NOT_SERVING = b"\x08\x01", b"\x08\x02"
_CODES = {code.value[0]: code for code in grpc.StatusCode}

_OPTIONS = [  # G-10
    ("grpc.max_metadata_size", 16 << 10),
    ("grpc.max_concurrent_streams", 100),
    ("grpc.so_reuseport", 0),  # a second collector on the port must fail, not share it
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    ("grpc.max_connection_age_ms", 30 * 60_000),
    ("grpc.max_connection_age_grace_ms", 60_000),
]

Context = grpc.aio.ServicerContext
Method = Callable[[bytes, Context], Awaitable[bytes]]


class GrpcServer:
    """Serves TraceService, LogsService, MetricsService and the health check (G-01, G-12, H-18).

    `guard` stands before the services (None: anybody may send); health is told to anybody. Over `connections` open ones
    a further one is closed at once; gRPC has no such limit by address.
    """

    def __init__(
        self, exporter: Exporter, readiness: Readiness, guard: Guard | None = None, connections: int = 512
    ) -> None:
        self._exporter = exporter
        self._readiness = readiness
        self._services = {signal: service for signal, service in _SERVICES.items() if signal in exporter.signals}
        self._guard = guard
        self._connections = connections
        self._server: Any = None
        self.answers = Tally()
        """Answers by signal and the name of their code. What grpcio refuses by itself (over-large messages) is not seen."""

    async def start(self, host: str, port: int, tls: Certificates | None = None) -> int:
        """Listen, with TLS where there are certificates; returns the bound port. Raises OSError."""
        bounds = [
            ("grpc.max_receive_message_length", self._exporter.largest),  # of the inflated size as well (G-07)
            ("grpc.max_allowed_incoming_connections", self._connections),
        ]
        self._server = grpc.aio.server(options=[*_OPTIONS, *bounds])
        for signal, service in self._services.items():
            methods = _one_method(service, "Export", self._exporting(signal))
            if self._guard is not None:
                methods = GuardedMethods(methods, self._guard, self._aborting(signal))
            self._server.add_generic_rpc_handlers((methods,))
        self._server.add_generic_rpc_handlers((_one_method(_HEALTH, "Check", self._check),))
        try:
            place = f"{f'[{host}]' if ':' in host else host}:{port}"
            if tls is None:
                bound = self._server.add_insecure_port(place)
            else:
                bound = self._server.add_secure_port(place, credentials(tls))
        except RuntimeError as problem:
            raise OSError(str(problem)) from None
        await self._server.start()
        return bound

    async def stop(self, grace: float = 5) -> None:
        """Take no more calls, answer those in work within `grace` seconds (G-12)."""
        if self._server is not None:
            await self._server.stop(grace)

    def _exporting(self, signal: Signal) -> Method:
        abort = self._aborting(signal)

        async def export(body: bytes, context: Context) -> bytes:
            answer = await self._admitted(signal, body)
            if answer.outcome is not reply.ACCEPTED:
                await abort(answer, context)
            self.answers.add(signal, "OK")
            return reply.success_body(answer, signal, "protobuf")

        return export

    def _aborting(self, signal: Signal) -> Abort:
        async def abort(answer: Answer, context: Context) -> None:
            self.answers.add(signal, _CODES[int(answer.outcome.grpc)].name)
            await _abort(answer, context)

        return abort

    async def _admitted(self, signal: Signal, body: bytes) -> Answer:
        budget = self._exporter.budget
        if not budget.take(len(body)):
            return reply.retry(reply.BUSY, "the collector is busy; send again later")
        try:
            return await self._exporter.export(signal, "protobuf", body)
        except Exception:  # noqa: BLE001 -- grpcio would answer UNKNOWN with the exception's text (G-05)
            _log.exception("a call failed")
            return reply.retry(reply.UNAVAILABLE, "the collector could not take the request; send again later")
        finally:
            budget.give(len(body))

    async def _check(self, body: bytes, context: Context) -> bytes:
        """HealthCheckRequest has one field, the service; empty means the whole server."""
        service = body[2:].decode("utf-8", "replace")
        if service and service not in self._services.values():
            await context.abort(grpc.StatusCode.NOT_FOUND, "unknown service")
        return _SERVING if self._readiness.trouble() is None else _NOT_SERVING


def _one_method(service: str, name: str, method: Method) -> grpc.GenericRpcHandler:
    handler = grpc.unary_unary_rpc_method_handler(method, request_deserializer=None, response_serializer=None)
    return grpc.method_handlers_generic_handler(service, {name: handler})


async def _abort(answer: Answer, context: Context) -> None:
    """Ends the call: `context.abort` raises."""
    metadata = [("grpc-status-details-bin", reply.status(answer).SerializeToString())]
    if answer.outcome.retryable:  # the Python exporter reads this one alone (G-06)
        metadata.append(("google.rpc.retryinfo-bin", reply.retry_info(answer).SerializeToString()))
    await context.abort(_CODES[int(answer.outcome.grpc)], answer.message, tuple(metadata))
