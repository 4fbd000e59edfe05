"""gRPC on HTTP/2: the five bytes before a message, and how an answer looks on the wire."""

import base64
import struct
from collections.abc import Iterable
from urllib.parse import quote

from collector.receive import reply
from collector.receive.reply import Answer
from collector.web.http2.blocks import encoded
from collector.web.http2.calls import Reply

PREFIX = struct.Struct(">BI")
"""Whether the message is compressed, and its length."""

ENCODINGS = "identity,gzip"
CONTENT_TYPE = "application/grpc"

_STATUS = [(":status", "200"), ("content-type", CONTENT_TYPE)]
_HEAD = encoded([*_STATUS, ("grpc-accept-encoding", ENCODINGS)])
_OK = encoded([("grpc-status", "0")])
_PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")
"""What stands as it is in `grpc-message`."""


def success(message: bytes) -> Reply:
    """A message, and OK in the trailers."""
    return Reply(_HEAD, PREFIX.pack(0, len(message)) + message, _OK)


def is_grpc(content_type: str) -> bool:
    """Whether a request is one of gRPC, whatever its messages are written in."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind in (CONTENT_TYPE, f"{CONTENT_TYPE}+proto")


def refusal(answer: Answer) -> Reply:
    """An answer without a message (trailers only), with details in the two places where clients look (G-04, G-06)."""
    trailers = [("grpc-status-details-bin", _binary(reply.status(answer).SerializeToString()))]
    if answer.outcome.retryable:  # the Python exporter reads this one alone (G-06)
        trailers.append(("google.rpc.retryinfo-bin", _binary(reply.retry_info(answer).SerializeToString())))
    return plain_refusal(int(answer.outcome.grpc), answer.message, trailers)


def plain_refusal(code: int, message: str, more: Iterable[tuple[str, str]] = ()) -> Reply:
    """An answer without a message, by its code."""
    said = ("grpc-status", str(code)), ("grpc-message", quote(message, safe=_PLAIN))
    return Reply(encoded([*_STATUS, *said, *more]))


def not_grpc(status: int, text: str) -> Reply:
    """The answer to a request that is none of gRPC, in HTTP's own words."""
    kind = ("content-type", "text/plain; charset=utf-8")
    return Reply(encoded([(":status", str(status)), kind]), f"{text}\n".encode())


def _binary(value: bytes) -> str:
    return base64.b64encode(value).decode().rstrip("=")
