"""Requests for the items: each with a trace of its own, so that an endpoint in use can be asked, too."""

import os
import zlib
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.decode.samples import request, span

MIB = 1 << 20


def trace() -> bytes:
    """A new trace id."""
    return os.urandom(16)


def spans(of: bytes, count: int = 1, **fields: Any) -> list[Span]:
    """Good spans of a trace."""
    return [span(trace_id=of, span_id=number.to_bytes(8, "big"), **fields) for number in range(1, count + 1)]


def good(of: bytes, count: int = 1, **fields: Any) -> ExportTraceServiceRequest:
    """A good request."""
    return request(*spans(of, count, **fields))


def with_one_bad(of: bytes, count: int = 9, **fields: Any) -> ExportTraceServiceRequest:
    """Good spans, and in their middle one without a span id, or bad as the fields say."""
    bad = span(**{"trace_id": of, "span_id": b""} | fields)
    whole = spans(of, count)
    return request(*whole[: count // 2], bad, *whole[count // 2 :])


def bomb(size: int) -> bytes:
    """Gzip of so many zeros, to the next MiB; made of one piece, so that it costs nothing (its checksum is wrong)."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + piece * -(-size // MIB) + packer.flush() + bytes(8)


def nested(depth: int) -> bytes:
    """An AnyValue of arrays in arrays, so deep, around the text "x"."""
    value = b"\x0a\x01x"
    for _ in range(depth):
        inner = field(1, value)
        value = field(5, inner)
    return value


def field(number: int, value: bytes) -> bytes:
    """A length-delimited protobuf field."""
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def with_attribute(of: bytes, pair: bytes) -> bytes:
    """A request of two spans, the second of which has this KeyValue, whatever it is."""
    first, second = (one.SerializeToString() for one in spans(of, 2))
    both = field(2, first) + field(2, second + field(9, pair))
    return field(1, field(2, both))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
