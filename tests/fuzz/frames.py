"""HTTP/2 spoilt above the messages: frames that do not belong together, on wrong streams, cut and changed; over a socket."""

from random import Random

from collector.web.http2 import frames as http2
from collector.web.http2.blocks import encoded
from tests.fuzz.raw import answer, changed

METHOD = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
_PAIRS = [
    (":method", "POST"),
    (":scheme", "http"),
    (":path", METHOD),
    (":authority", "x"),
    ("content-type", "application/grpc"),
    ("te", "trailers"),
]
BLOCKS = (
    encoded(_PAIRS),
    encoded([*_PAIRS, ("grpc-encoding", "gzip")]),
    encoded([*_PAIRS, ("grpc-encoding", "br"), ("grpc-timeout", "1n")]),
    encoded([*_PAIRS[:2], (":path", "/grpc.health.v1.Health/Check"), *_PAIRS[3:]]),
    encoded([*_PAIRS, ("x", "y" * 20_000)]),
    encoded(reversed(_PAIRS)),
    encoded([("trailer", "x")]),
    encoded([*_PAIRS, ("content-length", "-1"), ("authorization", "Bearer \xff")]),
    b"\x40" + encoded([("x", "y" * 3000)])[1:] + b"\xbe" * 99,
    b"\x3f\xe1\x1f\x82\x86",
    b"\xff" * 20,
    b"",
)
MESSAGES = (
    b"\0\0\0\0\0",
    b"\0\0\0\0\x02\x0a\0",
    b"\1\0\0\0\x02\x1f\x8b",
    b"\0\xff\xff\xff\xff",
    b"\2\0\0\0\0",
    b"\0\0",
    b"",
)


def spoilt(random: Random) -> bytes:
    """A preface and up to twelve frames, with a few bytes changed."""
    sent = http2.PREFACE + (http2.settings({random.randrange(8): random.choice((0, 1, 100, 2**31))}))
    sent += b"".join(_frame(random) for _ in range(random.randrange(12)))
    return changed(random, sent)


def _frame(random: Random) -> bytes:
    stream = random.choice((1, 1, 1, 3, 3, 5, 2, 0, 2**31 - 1))
    flags = random.choice((0, 1, 4, 5, 5, 5, 8, 0x2D, 0xFF))
    match random.randrange(8):
        case 0 | 1 | 2:
            return http2.frame(http2.HEADERS, flags, stream, random.choice(BLOCKS))
        case 3 | 4:
            return http2.frame(http2.DATA, flags, stream, random.choice(MESSAGES))
        case 5:
            return http2.frame(http2.CONTINUATION, flags, stream, random.choice(BLOCKS))
        case 6:
            number = random.choice((0, 1, 2**31 - 1)).to_bytes(4, "big")
            return http2.frame(random.choice((http2.WINDOW_UPDATE, http2.RST_STREAM)), flags, stream, number)
        case _:
            return http2.frame(
                random.randrange(12), flags, random.choice((0, stream)), random.randbytes(random.randrange(10))
            )


def objection(port: int, sent: bytes, seconds: float = 20) -> str | None:
    """Send it and the end of the stream; what is wrong with what comes back, or None.

    The collector must close, since nothing more can come; and never say that the fault is its own.
    """
    try:
        found = answer(port, sent, seconds)
    except TimeoutError as error:
        return str(error)
    return _own_fault(found)


def _own_fault(answer: bytes) -> str | None:
    at = 0
    while len(answer) - at >= http2.HEADER_SIZE:
        high, low, kind, _, _ = http2.HEADER.unpack_from(answer, at)
        size = high << 16 | low
        payload = answer[at + http2.HEADER_SIZE : at + http2.HEADER_SIZE + size]
        if kind == http2.GOAWAY and payload[4:8] == http2.Code.INTERNAL_ERROR.to_bytes(4, "big"):
            return "GOAWAY with INTERNAL_ERROR"
        if kind == http2.HEADERS and any(b"grpc-status" + code in payload for code in (b"\x012", b"\x0213")):
            return "UNKNOWN or INTERNAL"
        at += http2.HEADER_SIZE + size
    return None
