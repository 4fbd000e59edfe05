"""G: OTLP/gRPC."""

import socket
import struct
import time
from contextlib import suppress

import grpc
from google.rpc.error_details_pb2 import RetryInfo

from tests.conformance.answer import full, put_off, refused
from tests.conformance.bodies import MIB, good, trace
from tests.conformance.item import GRPC, Way, item, need
from tests.conformance.pressure import crowded
from tests.conformance.target import LOGS, TRACES, Target
from tests.decode.samples import request, span

SETTINGS, STREAMS, HEADER_LIST = 4, 3, 6
"""HTTP/2: the frame's type, and two of its parameters (RFC 9113, 6.5.2)."""
HEALTH = "grpc.health.v1.Health"


@item("G-01", "MUST", GRPC)
def unary_export(at: Target, _way: Way) -> None:
    """TraceService/Export takes a request and answers with a message."""
    of = trace()
    full(at.call(good(of).SerializeToString()))
    at.holds(of, 1)


@item("G-02", "MUST", GRPC)
def codes_tell_whether_to_come_again(at: Target, _way: Way) -> None:
    """Lasting faults have codes that clients do not send again, and passing ones have codes that they do."""
    for body in (b"\xff" * 10, request(span(span_id=b"")).SerializeToString()):
        need(not at.call(body).retryable, "a lasting fault would be sent again")
    with crowded(at) as (busy, _):
        put_off(busy.call(good(trace()).SerializeToString()))


@item("G-03", "SHOULD", GRPC)
def pressure_is_unavailable(at: Target, _way: Way) -> None:
    """While there is no room, UNAVAILABLE; with room again, success."""
    with crowded(at) as (busy, leave):
        sent = good(trace()).SerializeToString()
        answer = busy.call(sent)
        need(answer.code == "UNAVAILABLE", f"answered {answer.said}")
        leave()
        deadline = time.monotonic() + 10
        while (answer := busy.call(sent)).retryable and time.monotonic() < deadline:
            time.sleep(0.05)
        full(answer)


@item("G-04", "SHOULD", GRPC)
def what_cannot_be_read(at: Target, _way: Way) -> None:
    """Truncated, random and foreign bodies are INVALID_ARGUMENT, with BadRequest."""
    whole = good(trace()).SerializeToString()
    for body in (b"\xff" * 10, b"<html></html>", whole[:-2], b"\x1f\x8b" + whole, b'{"resourceSpans":[]}'):
        answer = at.call(body)
        refused(answer)
        need(answer.has_detail("BadRequest"), "without BadRequest")


@item("G-05", "J", GRPC)
def never_unknown(at: Target, _way: Way) -> None:
    """No body makes the code UNKNOWN or INTERNAL, which would drop the data and may tell of an exception."""
    for body in (b"\x0a\x80", b"\x0a\x02\x12\xff", b"\0" * 100, b"\x0a" * 1000, b"\x0f\xff\xff\xff\xff\x7f"):
        answer = at.call(body)
        need(answer.code in {"OK", "INVALID_ARGUMENT"}, f"answered {answer.said}")
        need("exception" not in answer.details.lower(), f"it tells of an exception: {answer.details[:80]}")


@item("G-06", "J", GRPC)
def retry_info_in_both_places(at: Target, _way: Way) -> None:
    """RetryInfo of 1 to 3 seconds stands in grpc-status-details-bin and in google.rpc.retryinfo-bin."""
    with crowded(at) as (busy, _):
        answer = busy.call(good(trace()).SerializeToString())
    need(answer.has_detail("RetryInfo"), "none in grpc-status-details-bin")
    raw = answer.trailing.get("google.rpc.retryinfo-bin")
    need(raw, "none in google.rpc.retryinfo-bin")
    seconds = RetryInfo.FromString(raw or b"").retry_delay.ToMilliseconds() / 1000
    need(1 <= seconds <= 3, f"the delay is {seconds} s; clients give up after 10 in all")


@item("G-07", "MUST", GRPC)
def too_large(at: Target, _way: Way) -> None:
    """Over-size, as sent or inflated, is RESOURCE_EXHAUSTED without RetryInfo."""
    for compression in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        answer = at.call(bytes(65 * MIB), compression=compression)
        need(answer.code == "RESOURCE_EXHAUSTED", f"answered {answer.said} to 65 MiB")
        need(not answer.retryable, "with RetryInfo")


@item("G-08", "MUST", GRPC)
def unknown_methods(at: Target, _way: Way) -> None:
    """An unknown service or method is UNIMPLEMENTED; traces and logs are served."""
    for service, method in (("x.Y", "Export"), (TRACES, "Import")):
        answer = at.call(b"", service, method)
        need(answer.code == "UNIMPLEMENTED", f"answered {answer.said} to {service}/{method}")
    full(at.call(b"", TRACES))
    full(at.call(b"", LOGS))


@item("G-09", "SHOULD", GRPC)
def who_may_send(at: Target, _way: Way) -> None:
    """Without the token UNAUTHENTICATED, whatever the body; with it success."""
    with at.guarded() as asked:
        answer = asked.call(b"\xff" * 10, token=False)
        need(answer.code == "UNAUTHENTICATED", f"answered {answer.said}")
        full(asked.call(b""))


@item("G-10", "J", GRPC)
def limits_are_announced(at: Target, _way: Way) -> None:
    """Streams of a connection and the size of metadata are limited, and the limits announced (HTTP/2 SETTINGS)."""
    with at.raw(grpc=True) as raw:
        raw.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + bytes([SETTINGS, 0, 0, 0, 0, 0]))
        length, kind = int.from_bytes(_exactly(raw, 3)), _exactly(raw, 1)[0]
        _exactly(raw, 5)
        need(kind == SETTINGS, f"the first frame is of type {kind}")
        body = _exactly(raw, length)
    told = dict(struct.unpack_from(">HI", body, place) for place in range(0, length - 5, 6))
    need(told.get(STREAMS, 2**32) <= 1000, f"streams: {told.get(STREAMS, 'no limit')}")
    need(told.get(HEADER_LIST, 2**32) <= 65536, f"metadata: {told.get(HEADER_LIST, 'no limit')}")
    answer = at.call(b"", metadata=[("x", "y" * 100_000)])
    need(answer.code in {"RESOURCE_EXHAUSTED", "UNAVAILABLE", "INTERNAL"}, f"100 kB of metadata: {answer.said}")


@item("G-11", "J", GRPC)
def the_client_goes_away(at: Target, _way: Way) -> None:
    """A call whose deadline passes during the commit is committed or not, and repeating it leaves each span once."""
    for seconds in (0.002, 0.005, 0.01, 0.02):
        of = trace()
        sent = good(of, 200).SerializeToString()
        answer = at.call(sent, seconds=seconds)
        need(answer.code in {"OK", "DEADLINE_EXCEEDED"}, f"answered {answer.said}")
        full(at.call(sent))
        at.holds(of, 200)


@item("G-12", "J", GRPC)
def health_and_a_graceful_end(at: Target, _way: Way) -> None:
    """grpc.health.v1 says SERVING; told to stop, the server answers what it has taken, and stores it."""
    need(at.call(b"", HEALTH, "Check").body == b"\x08\x01", "the health check does not say SERVING")
    with at.one_more(group_seconds=0.5) as other:  # a commit that takes its time, to be stopped in
        of = trace()
        pending = other.channel.unary_unary(f"/{TRACES}/Export").future(good(of, 3).SerializeToString(), timeout=20)
        until = time.monotonic() + 0.2
        while time.monotonic() < until and not pending.done():
            time.sleep(0.01)
        if other.inside:
            other.inside.stop()
        need(pending.result() == b"", "what was taken was not answered")


@item("G-13", "J", GRPC)
def noise_harms_nobody(at: Target, _way: Way) -> None:
    """HTTP/1.1, TLS and garbage on the port end their own connection alone."""
    noises = (
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 99,
    )
    for noise in noises:
        with at.raw(grpc=True) as raw:
            raw.sendall(noise)
            raw.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while raw.recv(65536):
                    pass
    at.alive()


def _exactly(raw: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size and (piece := raw.recv(size - len(found))):
        found += piece
    return found
