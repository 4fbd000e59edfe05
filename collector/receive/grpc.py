"""OTLP/gRPC: unary calls upon our own HTTP/2 server."""

import logging
from copy import copy

from google.rpc.code_pb2 import Code

from collector.access.guard import Guard
from collector.measure.tally import Tally
from collector.receive import reply
from collector.receive.admission import PortionedBudget
from collector.receive.export import Exporter
from collector.receive.grpc_access import GrpcDoor
from collector.receive.grpc_call import Method, UnaryCall
from collector.receive.grpc_health import SERVICE, HealthCheck
from collector.receive.grpc_message import ENCODINGS, is_grpc, not_grpc, plain_refusal, refusal, success
from collector.receive.readiness import Readiness
from collector.receive.reply import Answer, Signal
from collector.web.http2.calls import Call, Fault, Reply
from collector.web.http2.server import Http2Server
from collector.web.messages import Head, Held, Limits
from collector.web.tls import Certificates

_log = logging.getLogger(__name__)

_SERVICES: dict[Signal, str] = {
    "traces": "opentelemetry.proto.collector.trace.v1.TraceService",
    "logs": "opentelemetry.proto.collector.logs.v1.LogsService",
    "metrics": "opentelemetry.proto.collector.metrics.v1.MetricsService",
}
_UNKNOWN = plain_refusal(
    int(Code.UNIMPLEMENTED), "no such method; TraceService, LogsService and MetricsService have Export"
)
_ENCODING = plain_refusal(
    int(Code.UNIMPLEMENTED), "grpc-encoding must be gzip or absent", [("grpc-accept-encoding", ENCODINGS)]
)
_NO_GRPC = not_grpc(415, "content-type must be application/grpc")
_NO_POST = not_grpc(405, "calls are made with POST")
_ELSEWHERE = "This port speaks OTLP/gRPC (HTTP/2). OTLP/HTTP is usually sent to port 4318.\n"


class GrpcServer:
    """Serves TraceService, LogsService, MetricsService and the health check (G-01, G-12, H-18).

    `guard` stands before the services (None: anybody may send); health is told to anybody.
    """

    def __init__(
        self, exporter: Exporter, readiness: Readiness, guard: Guard | None = None, limits: Limits | None = None
    ) -> None:
        self.answers = Tally()
        """Answers by signal and the name of their code; signal `none`: the call was refused before it was known."""
        services = {signal: service for signal, service in _SERVICES.items() if signal in exporter.signals}
        self._door = GrpcDoor(guard, exporter.budget)
        self._exports = {
            f"/{service}/Export": _Export(signal, exporter, self._door, self.answers)
            for signal, service in services.items()
        }
        self._check = HealthCheck(readiness, set(services.values()))
        self._server = Http2Server(self, limits, elsewhere=_ELSEWHERE)

    async def start(self, host: str, port: int, tls: Certificates | None = None) -> int:
        """Listen, with TLS where there are certificates; returns the bound port. Raises OSError."""
        return await self._server.start(host, port, tls)

    async def stop(self, grace: float = 5) -> None:
        """Take no more connections, answer the calls in work within `grace` seconds (G-12)."""
        await self._server.stop(grace)

    # what the HTTP/2 server asks

    def open(self, head: Head) -> Call | Reply:
        """A call's head came: what can be said before its message."""
        if not is_grpc(head.headers.get("content-type", "")):
            return _NO_GRPC
        if head.method != "POST":
            return _NO_POST
        export = self._exports.get(head.path)
        method: Method
        if export is not None:
            admitted = self._door.admit(head)
            if isinstance(admitted, Answer):
                return export.answer(admitted)
            method, held = export, Held(admitted)
        elif head.path == f"/{SERVICE}/Check":
            method, held = self._check, Held(None)
        else:
            return _UNKNOWN
        encoding = head.headers.get("grpc-encoding", "identity")
        if encoding not in ("identity", "gzip"):
            return _ENCODING
        return UnaryCall(method, held, gzip=encoding == "gzip")

    def refuse(self, fault: Fault) -> Reply:
        """The words for an answer of the server itself."""
        if fault == "head_too_large":
            answer = Answer(reply.HEAD_TOO_LARGE, "the metadata is too large")
        elif fault == "slow":
            answer = reply.retry(reply.UNAVAILABLE, "the message came too slowly; send again later")
        else:
            answer = reply.retry(reply.UNAVAILABLE, "the collector could not take the request; send again later")
        self.answers.add("none", Code.Name(answer.outcome.grpc))
        return refusal(answer)


class _Export:
    """The method Export of one service."""

    def __init__(self, signal: Signal, exporter: Exporter, door: GrpcDoor, answers: Tally) -> None:
        self._signal, self._exporter, self._door, self._answers = signal, exporter, door, answers
        self.largest = exporter.largest

    def objection(self, size: int, held: Held) -> Answer | None:
        """Whether it would find no room, or be answered too late (G-03)."""
        if self._signal != "metrics" and self._exporter.pace.late(size):
            return reply.retry(reply.BUSY, "the collector is busy; send again later")
        return self._door.objection(held.budget, size)

    def no_room(self, held: Held) -> Answer:
        """There is no memory for what came."""
        return self._door.no_room(held.budget)

    def answer(self, answer: Answer) -> Reply:
        """A refusal, counted."""
        self._answers.add(self._signal, Code.Name(answer.outcome.grpc))
        return refusal(answer)

    async def call(self, message: bytes, held: Held, *, gzipped: bool) -> Reply:
        """One export, answered."""
        exporter = self._exporter
        if isinstance(held.budget, PortionedBudget):
            exporter = copy(exporter)
            exporter.budget = held.budget  # what is inflated is taken of it, too
        try:
            answer = await exporter.export(self._signal, "protobuf", message, gzipped=gzipped)
        except Exception:  # noqa: BLE001 -- the client keeps its data and sends again (G-05)
            _log.exception("a call failed")
            answer = reply.retry(reply.UNAVAILABLE, "the collector could not take the request; send again later")
        finally:
            held.release()
        if answer.outcome is not reply.ACCEPTED:
            return self.answer(answer)
        self._answers.add(self._signal, "OK")
        return success(reply.success_body(answer, self._signal, "protobuf")) if answer.message else _SUCCESS


_SUCCESS = success(b"")
