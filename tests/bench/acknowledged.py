"""What the clients of the benches agree on: what counts as acknowledged, and when a refused request is sent again."""

from http import HTTPStatus

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

Address = tuple[str, int]
REFUSED = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
AGAIN = 0.05
"""Seconds until what was refused is sent again."""


def must_be_whole(answer: bytes) -> None:
    """Raise RuntimeError where an answer of success says that spans were rejected."""
    if answer and ExportTraceServiceResponse.FromString(answer).partial_success.rejected_spans:
        raise RuntimeError("the collector rejected spans")
