"""A load of prepared bodies from several connections, that survives the death of the collector it talks to."""

import http.client
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from collector.store.writing import spool

CONNECTIONS = 8

BACKOFF = 0.05
"""Seconds before a connection that was refused sends again: an exporter waits for one or more."""


@dataclass(frozen=True)
class Body:
    """One request: all its spans are of one trace, so that the trace tells what became of the request."""

    trace_id: str
    data: bytes


def bodies(requests: int, spans: int) -> list[Body]:
    """Requests with random ids."""
    made = []
    for _ in range(requests):
        trace = secrets.token_bytes(16)
        request = ExportTraceServiceRequest()
        scope = request.resource_spans.add().scope_spans.add()
        ids = secrets.token_bytes(8 * spans)
        for number in range(spans):
            start = 1_790_000_000_000_000_000 + number
            scope.spans.add(
                trace_id=trace,
                span_id=ids[8 * number : 8 * number + 8],
                name="step",
                start_time_unix_nano=start,
                end_time_unix_nano=start + 1_000,
            )
        made.append(Body(trace.hex(), request.SerializeToString()))
    return made


@dataclass
class Load:
    """Bodies on their way: each is acknowledged, or goes back to the others when its connection breaks."""

    waiting: deque[Body]
    acknowledged: set[str] = field(default_factory=set)
    refused: list[int] = field(default_factory=list)
    """Statuses that are neither success nor a request to come again: there must be none."""
    busy: int = 0
    """How often a body was to be sent again."""
    stopped: bool = False
    """Set to end the senders although bodies wait."""
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def send(self, port: int, connections: int = CONNECTIONS) -> "list[threading.Thread]":
        """Start sending until all is acknowledged or the collector is gone."""
        threads = [threading.Thread(target=self._connection, args=(port,)) for _ in range(connections)]
        for thread in threads:
            thread.start()
        return threads

    def wait(self, acknowledged: int, senders: "Sequence[threading.Thread]") -> None:
        """Return when this many bodies are acknowledged, or nobody sends any more."""
        self.wait_until(lambda: len(self.acknowledged) >= acknowledged, senders)

    def wait_until(self, true: Callable[[], bool], senders: "Sequence[threading.Thread]") -> None:
        """Return when the condition holds, or nobody sends any more."""
        with self._changed:
            while not true() and any(sender.is_alive() for sender in senders):
                self._changed.wait(0.2)

    def _connection(self, port: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        try:
            while not self.stopped and (body := self._next()):
                if not self._deliver(connection, body):
                    return
        finally:
            connection.close()

    def _deliver(self, connection: http.client.HTTPConnection, body: Body) -> bool:
        try:
            connection.request("POST", "/v1/traces", body.data, {"Content-Type": "application/x-protobuf"})
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException):
            self.waiting.append(body)
            return False
        with self._changed:
            if response.status == http.client.OK:
                self.acknowledged.add(body.trace_id)
            else:
                self.waiting.append(body)
                self.busy += 1
                if response.status != http.client.SERVICE_UNAVAILABLE:
                    self.refused.append(response.status)
            self._changed.notify_all()
        if response.status != http.client.OK:
            time.sleep(BACKOFF)
        return True

    def _next(self) -> Body | None:
        try:
            return self.waiting.popleft()
        except IndexError:
            return None


def spooled(store: Path) -> set[str]:
    """Traces whose spans were answered and are to be committed by the next start."""
    return {trace for kind, rows in spool.read(store).records for trace in rows["trace_id"].to_pylist()}


def spool_bytes(store: Path) -> int:
    """Bytes of records that wait there, about."""
    sizes = [path.stat().st_size for path in spool.paths(store) if path.exists()]
    return sum(size for size in sizes if size > 1000)
