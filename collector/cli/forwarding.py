"""How requests from files reach a store: into the open file, or to the OTLP/HTTP port of the collector that has it open."""

import contextlib
import http.client
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from http import HTTPStatus
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import orjson
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.receive.files import Batch
from collector.store.errors import StoreError, Unavailable
from collector.store.writing.group import Receipt

Deliver = Callable[[Batch], "Future[Receipt]"]

CONNECTIONS = 4
PATIENCE = 120.0
"""Seconds for which a collector that is busy is asked again."""

_AGAIN = {429, 502, 503, 504}  # the statuses after which a client may send again (H-08)
_TYPES = {"protobuf": "application/x-protobuf", "json": "application/json"}


class Refused(StoreError):  # noqa: N818 -- named like the other errors of the store
    """The collector will not take this request, today or tomorrow."""


def delivery(store: LocalStore | RemoteStore) -> AbstractContextManager[Deliver]:
    """The way to a store. Raises StoreError for a collector of which only the address for reading is known."""
    if isinstance(store, LocalStore):
        return contextlib.nullcontext(lambda batch: store.ingest(batch.decoded))
    if not store.otlp:
        raise StoreError(f"The collector at {store.url} is known for reading only: name the store's path with --store.")
    return Forwarding(store.otlp, store.token)


class Forwarding:
    """Posts requests over a few connections; a future resolves when the collector has committed its request."""

    def __init__(self, otlp: str, token: str, patience: float = PATIENCE) -> None:
        parts = urlsplit(otlp)
        self._authorization = {"authorization": f"Bearer {token}"}
        self._url, self._host, self._port = otlp, parts.hostname or "", parts.port
        self._patience = patience
        self._threads = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="tracegrade-forward")
        self._own = threading.local()
        self._opened: list[http.client.HTTPConnection] = []
        self._room = threading.BoundedSemaphore(2 * CONNECTIONS)  # bodies may be large: few of them wait in memory

    def __call__(self, batch: Batch) -> "Future[Receipt]":
        """Send one request, once there is room. The future may hold Refused, or Unavailable where nobody answers."""
        self._room.acquire()
        future = self._threads.submit(self._send, batch)
        future.add_done_callback(lambda _done: self._room.release())
        return future

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
        for connection in self._opened:
            connection.close()

    def _send(self, batch: Batch) -> Receipt:
        rows, known = batch.decoded.rows, sum(batch.decoded.rejected.values())
        if not rows:
            return Receipt(0, 0, 0)
        given_up = time.monotonic() + self._patience
        while True:
            response, answer = self._post(batch)
            if response.status == HTTPStatus.OK:
                more = max(0, _rejected(batch, answer) - known)
                return Receipt(0, rows - more, 0, {"refused": more} if more else {})
            if response.status not in _AGAIN or time.monotonic() > given_up:
                raise Refused(f"the collector refused it ({response.status}): {_message(batch, answer)}")
            time.sleep(float(response.headers.get("retry-after", 1)))

    def _post(self, batch: Batch) -> tuple[http.client.HTTPResponse, bytes]:
        """Post over this thread's connection; once more where that was closed meanwhile."""
        connection = getattr(self._own, "connection", None)
        if connection is None:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE)
            self._own.connection = connection
            self._opened.append(connection)
        for _attempt in range(2):
            try:
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may answer before it has read all
                    headers = {"content-type": _TYPES[batch.form], **self._authorization}
                    connection.request("POST", _path(batch), batch.body, headers)
                response = connection.getresponse()
                return response, response.read()
            except (OSError, http.client.HTTPException):
                connection.close()
        raise Unavailable(f"No collector answers at {self._url}; is it running?")


def _path(batch: Batch) -> str:
    return "/v1/logs" if batch.decoded.kind == "logs" else "/v1/traces"


def _rejected(batch: Batch, answer: bytes) -> int:
    """How many rows the answer counts as refused."""
    if batch.form == "json":
        partial = orjson.loads(answer or b"{}").get("partialSuccess") or {}
        return int(partial.get("rejectedSpans") or partial.get("rejectedLogRecords") or 0)
    if batch.decoded.kind == "logs":
        return ExportLogsServiceResponse.FromString(answer).partial_success.rejected_log_records
    return ExportTraceServiceResponse.FromString(answer).partial_success.rejected_spans


def _message(batch: Batch, answer: bytes) -> str:
    """What the collector says about it."""
    try:
        return str(orjson.loads(answer)["message"]) if batch.form == "json" else Status.FromString(answer).message
    except (ValueError, KeyError, TypeError):
        return "no reason given"
