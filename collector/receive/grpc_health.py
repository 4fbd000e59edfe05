"""The standard health check of gRPC (grpc.health.v1, G-12). It is told to anybody, and needs no room."""

from collections.abc import Container

from collector.receive.encoding import EncodingError, NoRoom, TooLarge, gunzip
from collector.receive.grpc_message import plain_refusal, refusal, success
from collector.receive.readiness import Readiness
from collector.receive.reply import Answer
from collector.web.http2.calls import Reply
from collector.web.messages import Held

SERVICE = "grpc.health.v1.Health"
_SERVING, _NOT_SERVING = success(b"\x08\x01"), success(b"\x08\x02")
_NOT_FOUND = plain_refusal(5, "unknown service")
_UNREADABLE = plain_refusal(3, "the message cannot be read")
_LARGEST = 4096


class HealthCheck:
    """The method Check. `services` are those that exist; of the empty name the whole server is told."""

    largest = _LARGEST

    def __init__(self, readiness: Readiness, services: Container[str]) -> None:
        self._readiness, self._services = readiness, services

    def objection(self, _size: int, _held: Held) -> Answer | None:
        """None: it is small."""
        return None

    def no_room(self, _held: Held) -> Answer:
        """Never asked: nothing is taken."""
        raise NotImplementedError

    def answer(self, answer: Answer) -> Reply:
        """A refusal."""
        return refusal(answer)

    def call(self, message: bytes, _held: Held, *, gzipped: bool) -> Reply:
        """HealthCheckRequest has one field, the service."""
        if gzipped:
            try:
                message = gunzip(message, lambda _size: True, _LARGEST)
            except (EncodingError, TooLarge, NoRoom):
                return _UNREADABLE
        service = message[2:].decode("utf-8", "replace")
        if service and service not in self._services:
            return _NOT_FOUND
        return _SERVING if self._readiness.trouble() is None else _NOT_SERVING
