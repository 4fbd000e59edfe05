"""An OTLP endpoint: how it is talked to, and what can be seen of it beyond its answers."""

import http.client
import socket
import ssl
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import grpc as grpclib
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.conformance.answer import TYPES, Answer
from tests.conformance.item import Unseen, Way, need
from tests.decode.samples import json_of

TRACES = "opentelemetry.proto.collector.trace.v1.TraceService"
LOGS = "opentelemetry.proto.collector.logs.v1.LogsService"
METRICS = "opentelemetry.proto.collector.metrics.v1.MetricsService"


class Inside(Protocol):
    """What only an endpoint of our own shows."""

    @property
    def rss(self) -> int:
        """MiB of resident memory."""
        ...

    def rows(self, trace_id: bytes, view: str = "spans") -> list[dict[str, Any]]:
        """What is stored of a trace."""
        ...

    def stop(self) -> None:
        """Ask it to end, as its operator would."""
        ...


@dataclass
class Target:
    """An endpoint. `url` is OTLP/HTTP's, `grpc` is host:port; `inside` and `another` are there for our own alone."""

    url: str
    grpc: str | None = None
    token: str | None = None
    inside: Inside | None = None
    another: Callable[..., AbstractContextManager["Target"]] | None = None
    """Starts one more endpoint with these settings."""
    tokens: Path | None = None
    """A file with a token, for an endpoint to be started with it."""
    seconds: float = 20
    """For an answer."""
    _channel: Any = field(default=None, repr=False)

    # OTLP/HTTP

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        parts = urlsplit(self.url)
        return parts.hostname or "127.0.0.1", parts.port or (443 if parts.scheme == "https" else 80)

    def post(
        self,
        body: bytes | Iterable[bytes] = b"",
        headers: Mapping[str, str] | None = None,
        *,
        way: Way = "http",
        path: str = "/v1/traces",
        method: str = "POST",
        token: bool = True,
    ) -> Answer:
        """One request on a connection of its own. Headers of the way are set unless given; an iterable is sent in chunks."""
        sent = {"Content-Type": TYPES[way]} | (self._authorization if token else {}) | dict(headers or {})
        connection = self.connection()
        try:
            with suppress(ConnectionError):  # an early answer: it lies there to be read, although not all could be sent
                connection.request(
                    method,
                    self.path(path),
                    body,
                    {name: value for name, value in sent.items() if value},
                    encode_chunked=not isinstance(body, bytes),
                )
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(way, answer.status, answer.read(), found)
        finally:
            connection.close()

    def connection(self) -> http.client.HTTPConnection:
        """A new connection, with TLS where the URL says so."""
        kind = http.client.HTTPSConnection if self.url.startswith("https") else http.client.HTTPConnection
        return kind(*self.place, timeout=self.seconds)

    def path(self, path: str = "/v1/traces") -> str:
        """A path below the URL's own."""
        return urlsplit(self.url).path.rstrip("/") + path

    @property
    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    @contextmanager
    def raw(self, *, grpc: bool = False) -> Generator[socket.socket]:
        """A bare connection."""
        place = self.place
        if grpc:
            host, _, port = (self.grpc or "").rpartition(":")
            place = host.strip("[]"), int(port)
        with socket.create_connection(place, timeout=self.seconds) as plain:
            if self.url.startswith("https") and not grpc:
                with ssl.create_default_context().wrap_socket(plain, server_hostname=place[0]) as safe:
                    yield safe
            else:
                yield plain

    def head(self, *headers: str, path: str = "/v1/traces", way: Way = "http") -> bytes:
        """The head of a POST, to be sent over `raw`."""
        own = [f"{name}: {value}" for name, value in self._authorization.items()]
        kind = [] if any(h.lower().startswith("content-type") for h in headers) else [f"Content-Type: {TYPES[way]}"]
        lines = [f"POST {self.path(path)} HTTP/1.1", "Host: localhost", *kind, *own, *headers, "", ""]
        return "\r\n".join(lines).encode("latin-1")

    # OTLP/gRPC

    @property
    def channel(self) -> Any:
        """The channel of all calls."""
        if self._channel is None:
            limits = [("grpc.max_send_message_length", -1), ("grpc.max_metadata_size", 1 << 20)]
            self._channel = grpclib.insecure_channel(self.grpc or "", options=limits)
        return self._channel

    def call(
        self,
        body: bytes,
        service: str = TRACES,
        method: str = "Export",
        *,
        seconds: float | None = None,
        token: bool = True,
        metadata: Iterable[tuple[str, str]] = (),
        compression: grpclib.Compression | None = None,
    ) -> Answer:
        """One unary call."""
        own = [(name.lower(), value) for name, value in self._authorization.items()] if token else []
        asked = self.channel.unary_unary(f"/{service}/{method}")
        try:
            found = asked(body, timeout=seconds or self.seconds, metadata=[*own, *metadata], compression=compression)
        except grpclib.RpcError as raised:
            error: Any = raised
            binary = {key: value for key, value in error.trailing_metadata() or () if isinstance(value, bytes)}
            return Answer("grpc", error.code().name, trailing=binary, details=error.details() or "")
        return Answer("grpc", "OK", found)

    # any

    def body(self, way: Way, sent: ExportTraceServiceRequest) -> bytes:
        """The request as this way has it."""
        return json_of(sent) if way == "json" else sent.SerializeToString()

    def send(self, way: Way, sent: ExportTraceServiceRequest | bytes) -> Answer:
        """Send a request."""
        body = sent if isinstance(sent, bytes) else self.body(way, sent)
        return self.call(body) if way == "grpc" else self.post(body, way=way)

    # inside

    def rows(self, trace_id: bytes, view: str = "spans") -> list[dict[str, Any]]:
        """What is stored of a trace. Raises Unseen where nobody tells."""
        if self.inside is None:
            raise Unseen("what is stored cannot be seen")
        return self.inside.rows(trace_id, view)

    def holds(self, trace_id: bytes, spans: int) -> None:
        """So many spans of the trace are stored, where that can be seen."""
        if self.inside is not None:
            found = len(self.inside.rows(trace_id))
            need(found == spans, f"{found} spans are stored, not {spans}")

    def one_more(self, **settings: object) -> AbstractContextManager["Target"]:
        """One more endpoint with other settings. Raises Unseen where that cannot be had."""
        if self.another is None:
            raise Unseen("needs an endpoint with other limits")
        return self.another(**settings)

    @contextmanager
    def guarded(self) -> Generator["Target"]:
        """An endpoint that asks for a token, with one. Raises Unseen where there is none."""
        if self.token:
            yield self
        elif self.tokens is None:
            raise Unseen("the endpoint asks for no token")
        else:
            with self.one_more(ingest_token_file=self.tokens) as asked:
                yield replace(asked, token=self.tokens.read_text().strip())

    def alive(self) -> None:
        """A good request is still taken on both transports."""
        for way in ("http", "grpc") if self.grpc else ("http",):
            answer = self.send(way, ExportTraceServiceRequest())
            need(answer.code in {200, "OK"}, f"afterwards {way} answers {answer.said}")

    def close(self) -> None:
        """Give the channel back."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
