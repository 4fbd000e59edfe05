"""HTTP requests spoilt above their bodies: request lines, headers, chunks; sent over a socket as they are."""

import re
from random import Random

from tests.fuzz.raw import answer, changed

LINES = (
    *(b"POST /v1/traces HTTP/1.1", b"GET /readyz HTTP/1.1", b"POST /v1/logs/ HTTP/1.1", b"OPTIONS * HTTP/1.1"),
    *(b"POST http://x/v1/traces HTTP/1.0", b"POST /v1/traces\xff HTTP/1.1", b"PRI * HTTP/2.0", b"\x16\x03\x01"),
)
HEADERS = (
    *(b"Content-Type: application/json", b"Content-Type: application/x-protobuf; a=\xff", b"Content-Type:"),
    *(b"Content-Length: 2", b"Content-Length: 18446744073709551616", b"Content-Length: -1", b"Content-Length: 2, 2"),
    *(b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip", b"Transfer-Encoding: chunked, chunked"),
    *(b"Expect: 100-continue", b"Expect: x", b"Connection: close", b"Connection: Upgrade", b"Upgrade: h2c"),
    *(
        b"Content-Encoding: gzip",
        b"Content-Encoding: br",
        b"X: " + b"y" * 40_000,
        b"Host: a\r\nHost: b",
        b": x",
        b"no colon",
    ),
)
BODIES = (
    b"{}",
    b"2\r\n{}\r\n0\r\n\r\n",
    b"2\r\n{}\r\n0\r\nT: x\r\n\r\n",
    b"zz\r\n",
    b"ffffffffffffffff\r\n",
    b"",
    b"\0" * 9,
)
_ALLOWED = {100, 200, 400, 404, 405, 413, 415, 431, 503}


def spoilt(random: Random) -> bytes:
    """One to three requests in a row, of parts that do not belong together, with a few bytes changed."""
    sent = b""
    for _ in range(random.choice((1, 1, 2, 3))):
        headers = random.sample(HEADERS, random.randrange(5))
        sent += b"\r\n".join((random.choice(LINES), *headers, b"", random.choice(BODIES)))
    return changed(random, sent)


def objection(port: int, sent: bytes, seconds: float = 20) -> str | None:
    """Send it and the end of the stream; what is wrong with what comes back, or None.

    The collector may answer, or close without an answer, but it must close: nothing more can come.
    """
    try:
        found = answer(port, sent, seconds)
    except TimeoutError as error:
        return str(error)
    odd = {int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3}) ", found)} - _ALLOWED
    return f"answered {sorted(odd)}" if odd else None
