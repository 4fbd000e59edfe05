"""H-14 and H-16: bodies as they come over the wire, and peers that are slow, many or long-winded."""

import http.client
import socket
import time
from contextlib import ExitStack, suppress

from tests.conformance.answer import full
from tests.conformance.bodies import good, trace
from tests.conformance.item import HTTP, ONE_HTTP, Failed, Way, item, need
from tests.conformance.target import Target

PATIENCE = 75
"""Seconds for an endpoint whose limits are its own affair."""


@item("H-14", "MUST", HTTP)
def lengths_chunks_and_leave(at: Target, way: Way) -> None:
    """Content-Length, chunks and Expect: 100-continue are taken; what could be read in two ways is 400."""
    body = at.body(way, good(trace()))
    full(at.post(iter([body[:5], body[5:]]), way=way))
    with at.raw() as raw:
        raw.sendall(at.head(f"Content-Length: {len(body)}", "Expect: 100-continue", "Connection: close", way=way))
        need(b" 100 " in raw.recv(64), "Expect: 100-continue, and no leave to go on")
        raw.sendall(body)
        need(b" 200 " in _all(raw), "not taken after 100-continue")
    both = at.head("Content-Length: 5", "Transfer-Encoding: chunked", way=way) + b"0\r\n\r\n"
    twice = at.head("Content-Length: 2", "Content-Length: 3", way=way) + b"{}x"
    other = at.head("Transfer-Encoding: gzip", way=way)
    for sent, name in ((both, "both lengths"), (twice, "two Content-Lengths"), (other, "Transfer-Encoding: gzip")):
        code = _status(at, sent)
        need(code in {400, 501, None}, f"answered {code} to {name}")
    need(_status(at, at.head("Connection: close", way=way)) not in {500, 502}, "a server error without Content-Length")


@item("H-16", "SHOULD", ONE_HTTP)
def connections_are_kept(at: Target, _way: Way) -> None:
    """Connections are kept alive; heads are limited, in size too; the slow and the silent are cut off, others are served."""
    connection = at.connection()
    with suppress(http.client.HTTPException):
        for _ in range(3):
            connection.request("POST", at.path(), b"", {"Content-Type": "application/x-protobuf"})
            answer = connection.getresponse()
            answer.read()
            need(not answer.will_close, "the connection is not kept alive")
    connection.close()
    code = _status(at, at.head("X: " + "y" * 100_000))
    need(code in {431, 400, 413, None}, f"answered {code} to a head of 100 kB")
    if at.another is None:
        _cut_off(at, at, PATIENCE)
        return
    with at.one_more(
        header_seconds=1, body_idle_seconds=1, idle_seconds=1, connections=40, peer_connections=30
    ) as strict:
        _cut_off(at, strict, 15)
        with ExitStack() as many:
            held = [many.enter_context(strict.raw()) for _ in range(30)]
            for each in held:
                each.sendall(b"POST")
            with strict.raw() as more:
                more.sendall(strict.head("Content-Length: 0", "Connection: close"))
                with suppress(ConnectionError):
                    need(not more.recv(64), "one peer may hold any number of connections")


@item("H-16", "SHOULD", ONE_HTTP, long=True)
def limits_of_time_as_they_are_shipped(at: Target, _way: Way) -> None:
    """With the endpoint's own limits a head, a body and a silence end within 75 seconds, and so does a trickling body."""
    _cut_off(at, at, PATIENCE)
    deadline = time.monotonic() + PATIENCE
    with at.raw() as raw, suppress(ConnectionError):
        raw.sendall(at.head("Content-Length: 90000"))
        raw.settimeout(0.5)
        while time.monotonic() < deadline:
            raw.sendall(b"x")
            with suppress(TimeoutError):
                if not raw.recv(64):
                    return
        raise Failed(f"a body of two bytes a second is read for {PATIENCE} s")


def _cut_off(at: Target, strict: Target, patience: float) -> None:
    """An unfinished head, a stalled body and a silent connection are closed, without an answer; others are served meanwhile."""
    with ExitStack() as stack:
        peers = {
            "an unfinished head": (stack.enter_context(strict.raw()), b"POST /v1/traces HT"),
            "a stalled body": (stack.enter_context(strict.raw()), strict.head("Content-Length: 90") + b"abc"),
            "silence": (stack.enter_context(strict.raw()), b""),
        }
        for raw, sent in peers.values():
            raw.sendall(sent)
        at.alive()
        deadline = time.monotonic() + patience
        for name, (raw, _) in peers.items():
            raw.settimeout(max(0.1, deadline - time.monotonic()))
            try:
                answer = _all(raw)
            except TimeoutError:
                raise Failed(f"{name} is not cut off within {patience:.0f} s") from None
            need(b" 408 " not in answer, f"{name} is answered with 408, which drops the client's data")


def _all(raw: socket.socket) -> bytes:
    found = b""
    with suppress(ConnectionError):
        while piece := raw.recv(65536):
            found += piece
    return found


def _status(at: Target, sent: bytes) -> int | None:
    """The status of the answer; None where the connection is closed without one."""
    with at.raw() as raw:
        with suppress(ConnectionError):
            raw.sendall(sent)
            raw.shutdown(socket.SHUT_WR)
        line = _all(raw).partition(b"\r\n")[0].split()
    return int(line[1]) if len(line) > 1 and line[1].isdigit() else None
