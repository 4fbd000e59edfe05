"""What became of a request, and how each wire says it. One table for both; the texts hold no data of the request.

Retryable on gRPC are UNAVAILABLE, and RESOURCE_EXHAUSTED only with RetryInfo (G-02); on HTTP 429, 502, 503 and 504 alone
(H-08). All else makes the client drop its data, so that a transient fault must never fall there.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

import orjson
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from collector.decode import REASONS, WARNINGS

Signal = Literal["traces", "logs", "metrics"]
Form = Literal["protobuf", "json"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One row of the table."""

    grpc: Code.ValueType
    http: HTTPStatus
    retryable: bool
    clause: str


ACCEPTED = Outcome(Code.OK, HTTPStatus.OK, retryable=False, clause="C-03, C-04, H-04")
MALFORMED = Outcome(Code.INVALID_ARGUMENT, HTTPStatus.BAD_REQUEST, retryable=False, clause="G-04, H-06")
ALL_REJECTED = Outcome(Code.INVALID_ARGUMENT, HTTPStatus.BAD_REQUEST, retryable=False, clause="C-06")
TOO_LARGE = Outcome(Code.RESOURCE_EXHAUSTED, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, retryable=False, clause="G-07, H-07")
BUSY = Outcome(Code.UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE, retryable=True, clause="G-03, G-06, H-08, H-09")
UNAVAILABLE = Outcome(Code.UNAVAILABLE, HTTPStatus.SERVICE_UNAVAILABLE, retryable=True, clause="G-03, G-05, H-08")
NOT_FOUND = Outcome(Code.UNIMPLEMENTED, HTTPStatus.NOT_FOUND, retryable=False, clause="G-08, H-10")
WRONG_METHOD = Outcome(Code.UNIMPLEMENTED, HTTPStatus.METHOD_NOT_ALLOWED, retryable=False, clause="H-10")
UNSUPPORTED = Outcome(Code.INVALID_ARGUMENT, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, retryable=False, clause="H-11, H-12")
UNAUTHENTICATED = Outcome(Code.UNAUTHENTICATED, HTTPStatus.UNAUTHORIZED, retryable=False, clause="G-09, X-05")
FORBIDDEN = Outcome(Code.PERMISSION_DENIED, HTTPStatus.FORBIDDEN, retryable=False, clause="G-09, X-05")
LIMITED = Outcome(
    Code.RESOURCE_EXHAUSTED, HTTPStatus.TOO_MANY_REQUESTS, retryable=True, clause="G-02, H-08, X-05, X-06"
)
HEAD_TOO_LARGE = Outcome(
    Code.RESOURCE_EXHAUSTED, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, retryable=False, clause="H-16"
)

LATER = 2.0
"""Seconds until the next attempt where a short wait would not do."""

_LONGEST = 1000
"""Characters of a message; with it an answer stays below 1 KiB or so (C-08, C-10)."""

_COUNTED = "rejected_spans", "rejected_log_records", "rejected_data_points"
_RESPONSES = {
    "traces": (ExportTraceServiceResponse, *_COUNTED[:1]),
    "logs": (ExportLogsServiceResponse, _COUNTED[1]),
    "metrics": (ExportMetricsServiceResponse, _COUNTED[2]),
}
_NOUNS = {"traces": "spans", "logs": "log records", "metrics": "data points"}


@dataclass(frozen=True, slots=True)
class Answer:
    """An outcome with its particulars. `retry_after` is in seconds."""

    outcome: Outcome
    message: str = ""
    rejected: int = 0
    retry_after: float = 0
    headers: Mapping[str, str] = field(default_factory=dict)


def stored(signal: Signal, delivered: int, rejected: Mapping[str, int], warnings: Mapping[str, int]) -> Answer:
    """The answer after the commit: full success, partial success, or a refusal where nothing was fit to be stored."""
    refused = sum(rejected.values())
    message = explain(signal, delivered, rejected, warnings)
    if refused and refused == delivered:
        return Answer(ALL_REJECTED, message, refused)
    return Answer(ACCEPTED, message, refused)


def explain(signal: Signal, delivered: int, rejected: Mapping[str, int], warnings: Mapping[str, int]) -> str:
    """Reasons with their counts, and what to do about them (C-04, C-05, C-08)."""
    parts = []
    if rejected:
        counts = " ".join(f"{code}={number}" for code, number in sorted(rejected.items()))
        parts.append(f"{sum(rejected.values())} of {delivered} {_NOUNS[signal]} rejected: {counts}")
        parts += [REASONS.get(code, "the store cannot hold it") for code in sorted(rejected)]
    parts += [f"{WARNINGS[code]} ({number})" for code, number in sorted(warnings.items()) if code in WARNINGS]
    if rejected.get("trace_id_length", 0) == delivered > 0 and signal == "traces":
        parts.append("no span has an id: is this a logs request? Logs belong to /v1/logs")
    return "; ".join(parts)[:_LONGEST]


def retry(outcome: Outcome, message: str, seconds: float = 1.0) -> Answer:
    """A retryable refusal, 1 to 3 seconds from now with jitter: SDKs give up after 10 (G-06, H-09)."""
    return Answer(outcome, message, retry_after=min(max(seconds, 1.0), 2.0) + random.random())  # noqa: S311


def success_body(answer: Answer, signal: Signal, form: Form) -> bytes:
    """The response message: empty for full success, else with partial_success (C-03, C-05)."""
    kind, counted = _RESPONSES[signal]
    if form == "protobuf":
        if not answer.message:
            return b""
        response = kind()
        response.partial_success.error_message = answer.message
        setattr(response.partial_success, counted, answer.rejected)
        return response.SerializeToString()
    if not answer.message:
        return b"{}"
    name = "".join(part.title() if place else part for place, part in enumerate(counted.split("_")))
    numbers = {name: str(answer.rejected)} if answer.rejected else {}
    return orjson.dumps({"partialSuccess": {**numbers, "errorMessage": answer.message}})


def status(answer: Answer) -> Status:
    """A google.rpc.Status with BadRequest or RetryInfo (G-04, G-06, H-05, H-06)."""
    found = Status(code=answer.outcome.grpc, message=answer.message)
    if answer.outcome.retryable:
        found.details.add().Pack(retry_info(answer))
    elif answer.outcome.grpc == Code.INVALID_ARGUMENT:
        violation = BadRequest.FieldViolation(field="body", description=answer.message)
        found.details.add().Pack(BadRequest(field_violations=[violation]))
    return found


def status_json(answer: Answer) -> bytes:
    """The same as JSON."""
    details = []
    if answer.outcome.retryable:
        details.append(
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{answer.retry_after:.3f}s"}
        )
    elif answer.outcome.grpc == Code.INVALID_ARGUMENT:
        violations = [{"field": "body", "description": answer.message}]
        details.append({"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations})
    found = {"code": int(answer.outcome.grpc), "message": answer.message}
    return orjson.dumps({**found, "details": details} if details else found)


def retry_info(answer: Answer) -> RetryInfo:
    """When to come back."""
    info = RetryInfo()
    info.retry_delay.FromMilliseconds(round(answer.retry_after * 1000))
    return info
