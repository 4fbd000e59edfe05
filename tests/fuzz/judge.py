"""What an answer may be, whatever was sent; and the two clients that send."""

import http.client
import json
from typing import Self

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from tests.conformance.own import Own
from tests.fuzz.mutate import Body, Form

SECONDS = 30
_RESPONSES = {"traces": ExportTraceServiceResponse, "logs": ExportLogsServiceResponse}
_SERVICES = {"traces": "trace.v1.TraceService", "logs": "logs.v1.LogsService"}
_TYPES: dict[Form, str] = {"protobuf": "application/x-protobuf", "json": "application/json"}
_RETRYABLE, _FINAL = {429, 502, 503, 504}, {400, 404, 405, 413, 415, 431}
_POISON = "could not store"
"""In the text of an answer to a body that failed for a reason nobody foresaw: it would be sent again for ever."""


def objection_to_http(body: Body, status: int, kind: str, retry_after: str | None, answer: bytes) -> str | None:
    """What is wrong with an answer over HTTP (H-03, H-05, H-08, H-09), or None."""
    if kind != _TYPES[body.form]:
        return f"answered {kind} to {_TYPES[body.form]}"
    try:
        if status == 200:
            json.loads(answer) if body.form == "json" else _RESPONSES[body.signal].FromString(answer)
            return None
        message = json.loads(answer)["message"] if body.form == "json" else Status.FromString(answer).message
    except (ValueError, KeyError, DecodeError):
        return f"{status} with a body that cannot be read"
    if status in _RETRYABLE and (retry_after is None or not retry_after.isdecimal()):
        return f"{status} without Retry-After"
    if status not in _RETRYABLE | _FINAL:
        return f"{status} makes a client drop its data"
    return f"{status}: {message}" if _POISON in message or not message else None


def objection_to_grpc(code: grpc.StatusCode, details: str, trailing: dict[str, bytes]) -> str | None:
    """What is wrong with an error over gRPC (G-02 to G-07), or None."""
    if code in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED}:
        return None
    if code is grpc.StatusCode.UNAVAILABLE and _POISON not in details:
        info = trailing.get("google.rpc.retryinfo-bin")
        return None if info and RetryInfo.FromString(info).HasField("retry_delay") else "UNAVAILABLE without RetryInfo"
    return f"{code.name}: {details}"


class Sender:
    """Sends bodies to a collector, one after the other, on one connection of each kind."""

    def __init__(self, to: Own) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", to.http, timeout=SECONDS)
        self._channel = grpc.insecure_channel(f"127.0.0.1:{to.grpc}")
        self._methods = {
            signal: self._channel.unary_unary(f"/opentelemetry.proto.collector.{service}/Export")
            for signal, service in _SERVICES.items()
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()
        self._channel.close()

    def over_http(self, body: Body) -> str | None:
        """Send it; what is wrong with the answer. No answer in time is wrong, too."""
        headers = {"Content-Type": _TYPES[body.form]} | ({"Content-Encoding": "gzip"} if body.gzipped else {})
        try:
            self._http.request("POST", f"/v1/{body.signal}", body.raw, headers)
            answer = self._http.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as problem:
            self._http.close()
            return f"no answer: {type(problem).__name__}"
        kind, retry_after = answer.headers["Content-Type"], answer.headers["Retry-After"]
        return objection_to_http(body, answer.status, kind, retry_after, said)

    def over_grpc(self, body: Body) -> str | None:
        """As `over_http`; gRPC has no JSON and does its own gzip, so that the bytes go as they are."""
        try:
            _RESPONSES[body.signal].FromString(self._methods[body.signal](body.raw, timeout=SECONDS))
        except grpc.RpcError as error:
            trailing = {name: value for name, value in error.trailing_metadata() or () if isinstance(value, bytes)}  # ty: ignore[missing-attribute]
            return objection_to_grpc(error.code(), error.details() or "", trailing)  # ty: ignore[missing-attribute]
        return None
