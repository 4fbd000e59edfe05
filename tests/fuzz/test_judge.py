"""The judge objects to what would lose a client's data."""

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from tests.fuzz.judge import objection_to_grpc, objection_to_http
from tests.fuzz.mutate import Body

BODY = Body("traces", "protobuf", b"")
PROTOBUF = "application/x-protobuf"
STATUS = Status(code=3, message="no").SerializeToString()


@pytest.mark.parametrize(
    ("status", "kind", "retry_after", "answer"),
    [
        (500, PROTOBUF, None, STATUS),
        (302, PROTOBUF, None, STATUS),
        (503, PROTOBUF, None, STATUS),
        (400, "text/plain", None, STATUS),
        (400, PROTOBUF, None, b"\xff<html>"),
        (400, PROTOBUF, None, b""),
        (200, PROTOBUF, None, b"\xffok"),
        (503, PROTOBUF, "1", Status(message="the collector could not store the request").SerializeToString()),
    ],
)
def test_wrong_answers_over_http(status: int, kind: str, retry_after: str | None, answer: bytes) -> None:
    """A 500, a redirect, a refusal without Retry-After or words, a wrong type, and a body that fails for ever."""
    assert objection_to_http(BODY, status, kind, retry_after, answer) is not None


def test_right_answers_over_http() -> None:
    """Success, a lasting and a passing refusal in OTLP's own form."""
    assert objection_to_http(BODY, 200, PROTOBUF, None, b"") is None
    assert objection_to_http(BODY, 400, PROTOBUF, None, STATUS) is None
    assert objection_to_http(BODY, 503, PROTOBUF, "2", STATUS) is None


def test_answers_over_grpc() -> None:
    """UNKNOWN, INTERNAL and UNAVAILABLE without RetryInfo are wrong; lasting refusals, and UNAVAILABLE with it, are not."""
    info = RetryInfo()
    info.retry_delay.FromSeconds(1)
    code = grpc.StatusCode
    told = {"google.rpc.retryinfo-bin": info.SerializeToString()}
    assert all(objection_to_grpc(wrong, "no", {}) for wrong in (code.UNKNOWN, code.INTERNAL, code.UNAVAILABLE))
    assert objection_to_grpc(code.UNAVAILABLE, "could not store", told)
    assert objection_to_grpc(code.INVALID_ARGUMENT, "no", {}) is objection_to_grpc(code.UNAVAILABLE, "", told) is None
