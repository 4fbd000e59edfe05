"""What gRPC's answers look like, read by another library."""

import base64
from urllib.parse import unquote

import pytest
from google.rpc.status_pb2 import Status
from hpack import Decoder

from collector.receive import reply
from collector.receive.grpc_message import is_grpc, not_grpc, plain_refusal, refusal, success
from collector.receive.reply import Answer


def pairs(block: bytes) -> dict[str, str]:
    """The headers of a block."""
    return {name.decode(): value.decode() for name, value in Decoder().decode(block, raw=True)}


def test_a_success() -> None:
    """The head says how messages may be compressed, the message has its length before it, the trailers have the status."""
    made = success(b"abc")
    said = {":status": "200", "content-type": "application/grpc", "grpc-accept-encoding": "identity,gzip"}
    assert pairs(made.head) == said
    assert (made.body, pairs(made.trailers)) == (b"\0\0\0\0\x03abc", {"grpc-status": "0"})


def test_a_refusal_has_details() -> None:
    """One block is the whole answer; both places of RetryInfo are base64 without padding (G-06)."""
    made = refusal(reply.retry(reply.BUSY, "later"))
    said = pairs(made.head)
    assert (made.body, made.trailers, said["grpc-status"], said["grpc-message"]) == (b"", b"", "14", "later")
    assert "=" not in said["grpc-status-details-bin"] + said["google.rpc.retryinfo-bin"]
    status = Status.FromString(base64.b64decode(said["grpc-status-details-bin"] + "=="))
    assert (status.code, status.message, len(status.details)) == (14, "later", 1)
    assert "google.rpc.retryinfo-bin" not in pairs(refusal(Answer(reply.TOO_LARGE, "no")).head)


def test_a_message_is_percent_encoded() -> None:
    """All but printable ASCII, and the percent sign, so that any text can be told."""
    said = pairs(plain_refusal(3, 'a "b" 100%\n… ~').head)["grpc-message"]
    assert said == 'a "b" 100%25%0A%E2%80%A6 ~'
    assert unquote(said) == 'a "b" 100%\n… ~'


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        ("application/grpc", True),
        ("application/grpc+proto", True),
        ("Application/gRPC; charset=utf-8", True),
        ("application/grpc+json", False),
        ("application/grpc-web", False),
        ("application/x-protobuf", False),
        ("", False),
    ],
)
def test_content_types(kind: str, known: bool) -> None:
    """Messages of protobuf, whatever the case and the parameters."""
    assert is_grpc(kind) == known


def test_who_does_not_speak_grpc_is_told_in_http() -> None:
    """By a status of HTTP and a text."""
    made = not_grpc(415, "no")
    assert (pairs(made.head)[":status"], made.body) == ("415", b"no\n")
