"""An answer as both transports give it, and what it must be."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from tests.conformance.item import Failed, Way, need

TYPES: dict[Way, str] = {"http": "application/x-protobuf", "json": "application/json"}
RETRYABLE_HTTP = {429, 502, 503, 504}
RETRYABLE_GRPC = {"CANCELLED", "DEADLINE_EXCEEDED", "ABORTED", "OUT_OF_RANGE", "UNAVAILABLE", "DATA_LOSS"}


@dataclass(frozen=True)
class Answer:
    """`code` is an HTTP status, or the name of a gRPC code. Header names are lower-case."""

    way: Way
    code: int | str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    trailing: Mapping[str, bytes] = field(default_factory=dict)
    details: str = ""

    @property
    def said(self) -> str:
        """The code, and the message where there is one."""
        return f"{self.code} {self.message}".strip()[:160]

    @property
    def status(self) -> dict[str, Any] | None:
        """The google.rpc.Status of an error, as its JSON has it; None where there is none or it cannot be read."""
        if self.way == "json" or (self.way == "http" and self.headers.get("content-type") == TYPES["json"]):
            try:
                found = json.loads(self.body)
            except ValueError:
                return None
            return found if isinstance(found, dict) and isinstance(found.get("message", ""), str) else None
        raw = self.body if self.way == "http" else self.trailing.get("grpc-status-details-bin", b"")
        try:
            read = Status.FromString(raw)
        except DecodeError:
            return None
        details = [{"@type": detail.type_url} for detail in read.details]
        return {"code": read.code, "message": read.message, "details": details}

    @property
    def message(self) -> str:
        """The message of an error."""
        return self.details if self.way == "grpc" else str((self.status or {}).get("message", ""))

    def has_detail(self, name: str) -> bool:
        """Whether the Status has this detail."""
        return any(str(d.get("@type", "")).endswith(name) for d in (self.status or {}).get("details", []))

    @property
    def retryable(self) -> bool:
        """Whether a client sends again."""
        if self.way != "grpc":
            return self.code in RETRYABLE_HTTP
        return self.code in RETRYABLE_GRPC or (self.code == "RESOURCE_EXHAUSTED" and self.has_detail("RetryInfo"))

    @property
    def partial(self) -> tuple[int, str] | None:
        """`partial_success` of a success: what was refused, and the message; None where it is not set."""
        if self.way == "json":
            found = json.loads(self.body).get("partialSuccess")
            return None if found is None else (int(found.get("rejectedSpans", 0)), found.get("errorMessage", ""))
        read = ExportTraceServiceResponse.FromString(self.body)
        if not read.HasField("partial_success"):
            return None
        return read.partial_success.rejected_spans, read.partial_success.error_message


def success(answer: Answer) -> None:
    """200 or OK, and a body that parses."""
    need(answer.code in {200, "OK"}, f"answered {answer.said}")
    if answer.way != "grpc":
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        need(kind == TYPES[answer.way], f"the answer's type is {kind or 'missing'}")
    try:
        _ = answer.partial
    except (ValueError, AttributeError, DecodeError):
        raise Failed("the answer to a success cannot be read") from None


def full(answer: Answer) -> None:
    """Full success: `partial_success` unset."""
    success(answer)
    need(answer.partial is None, f"partial_success is set: {answer.partial}")


def partial(answer: Answer, rejected: int) -> str:
    """Partial success with this count, or (0) a warning; the message."""
    success(answer)
    found = answer.partial
    need(found is not None, "partial_success is not set")
    count, message = found or (0, "")
    need(count == rejected, f"rejected_spans is {count}, not {rejected}")
    need(message, "error_message is empty")
    return message


def refused(answer: Answer, http: int = 400, grpc: str = "INVALID_ARGUMENT") -> None:
    """A lasting refusal in OTLP's form: these codes, a Status with a message, and nothing that says: send again."""
    expected = grpc if answer.way == "grpc" else http
    need(answer.code == expected, f"answered {answer.said}, not {expected}")
    if answer.way != "grpc":
        need(answer.status is not None, "the body is no google.rpc.Status")
        need("retry-after" not in answer.headers, "Retry-After on a lasting refusal")
    need(answer.message, "without a message")
    need(not answer.retryable, "the client would send it again")


def put_off(answer: Answer) -> None:
    """A passing refusal: the client sends again."""
    need(answer.retryable, f"answered {answer.said}: the client drops its data")
