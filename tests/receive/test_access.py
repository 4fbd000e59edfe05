"""The OTLP/HTTP door, on real sockets."""

import gzip
import socket
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager

import pytest
from google.rpc.status_pb2 import Status

from collector.access.book import Book
from collector.access.failures import BURST, Failures
from collector.access.guard import Guard, Need
from collector.access.quota import SAVED
from collector.access.tokens import Token, digest
from collector.answer.local import LocalStore
from collector.receive.access import HttpDoor
from collector.receive.export import Exporter
from collector.receive.http import OtlpHttp
from collector.receive.readiness import Readiness
from collector.web.server import HttpServer
from tests.decode.samples import request, span
from tests.receive.collecting import elsewhere

SLOW = Token("s", "ingest", digest("slow"), 0, bytes_per_second=100)
SMALL = Token("m", "ingest", digest("small"), 0, in_flight_bytes=1000)
TOKENS = (SLOW, SMALL, Token("i", "ingest", digest("good"), 0), Token("r", "read", digest("reader"), 0))
BODY = request(span()).SerializeToString()
PAGE = "https://app.example.com"


@asynccontextmanager
async def door(tokens: tuple[Token, ...], need: Need) -> AsyncGenerator[int]:
    """OTLP/HTTP behind a guard, over a store in memory; its port."""
    with LocalStore(":memory:") as store:
        guard = Guard(Book(lambda: tokens), {"ingest"}, need, Failures(), "Exports")
        exporter = Exporter(store.writer)
        otlp = HttpDoor(OtlpHttp(exporter, Readiness()), guard, origins=[PAGE], own_names=True)
        server = HttpServer(otlp.handle, None, otlp.admit, refuse=otlp.refuse, share=otlp.share)
        try:
            yield await server.start("127.0.0.1", 0)
        finally:
            await server.stop(1)


@pytest.fixture
def guarded() -> Generator[int]:
    """The port of a door that asks for a token."""
    with elsewhere(door(TOKENS, "always")) as port:
        yield port


@pytest.fixture
def open_door() -> Generator[int]:
    """The port of a door without any token."""
    with elsewhere(door((), "once made")) as port:
        yield port


def send(port: int, head: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """Bytes as they are; status, headers and body of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        answer = b""
        while b"\r\n\r\n" not in answer:
            part = connection.recv(65536)
            assert part, "closed without an answer"
            answer += part
        top, _, rest = answer.partition(b"\r\n\r\n")
        lines = top.decode().split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:])}
        while len(rest) < int(headers.get("content-length", 0)):
            part = connection.recv(65536)
            assert part, "closed within an answer"
            rest += part
        return int(lines[0].split()[1]), headers, rest


def post(port: int, *headers: str, host: str = "localhost", body: bytes = BODY) -> tuple[int, dict[str, str], bytes]:
    """One export in protobuf."""
    more = "".join(f"\n{header}" for header in headers)
    head = f"POST /v1/traces HTTP/1.1\nHost: {host}\nContent-Type: application/x-protobuf\nContent-Length: {len(body)}{more}"
    return send(port, head, body)


def test_a_good_token_passes_in_all_its_forms(guarded: int):
    """Bearer, percent-encoded Bearer and Basic are answered as an export is (X-02)."""
    for shown in ("Bearer good", "bearer good", "Bearer%20good", "Basic eDpnb29k"):
        assert post(guarded, f"Authorization: {shown}")[0] == 200, shown


def test_refusals_are_statuses_without_particulars(guarded: int):
    """No token and any unknown one get the same 401, one of another scope 403; both say so as a Status (G-09, H-05, X-05)."""
    answers = [
        post(guarded),
        post(guarded, "Authorization: Bearer bad"),
        post(guarded, "Authorization: Bearer good, x"),
    ]
    assert {(status, body) for status, _, body in answers} == {(401, answers[0][2])}
    assert answers[0][1]["www-authenticate"] == "Bearer"
    assert answers[0][1]["content-type"] == "application/x-protobuf"
    assert Status.FromString(answers[0][2]).code == 16
    status, _, body = post(guarded, "Authorization: Bearer reader")
    assert (status, Status.FromString(body).code) == (403, 7)


def test_it_is_answered_before_the_body_is_sent(guarded: int):
    """A head without a token is enough for the 401, whatever it announces, and no 100-continue asks for the body (X-05)."""
    head = "POST /v1/traces HTTP/1.1\nHost: localhost\nContent-Type: application/x-protobuf"
    assert send(guarded, f"{head}\nContent-Length: 1000000")[0] == 401
    assert send(guarded, f"{head}\nContent-Length: 1000000\nExpect: 100-continue")[0] == 401
    assert send(guarded, f"{head}\nTransfer-Encoding: chunked")[0] == 401


def test_paths_are_not_told_to_strangers(guarded: int):
    """What exists and what does not is the same 401 to who shows no token."""
    for path in ("/v1/logs", "/v1/nothing", "/", "/metrics"):
        assert send(guarded, f"POST {path} HTTP/1.1\nHost: x\nContent-Length: 0")[0] == 401


def test_health_is_open_and_takes_no_bodies(guarded: int):
    """Health is told without a token, but nobody can push a body there without one."""
    for path in ("/healthz", "/readyz"):
        assert send(guarded, f"GET {path} HTTP/1.1\nHost: 10.0.0.1")[0] == 200
        assert send(guarded, f"POST {path} HTTP/1.1\nHost: x\nContent-Length: 1000000")[0] == 401
        assert send(guarded, f"POST {path} HTTP/1.1\nHost: x\nTransfer-Encoding: chunked")[0] == 401


def test_who_fails_on_and_on_is_told_to_slow_down(guarded: int):
    """After some 401 in a row the answer is 429 with Retry-After, and a good token from there still passes (X-05)."""
    found = [post(guarded, "Authorization: Bearer bad") for _ in range(BURST + 1)]
    assert [status for status, _, _ in found] == [401] * BURST + [429]
    assert 1 <= int(found[-1][1]["retry-after"]) <= 3
    assert post(guarded, "Authorization: Bearer good")[0] == 200


def test_pages_that_are_named_may_send(open_door: int):
    """A preflight of a named origin gets 204 with the three headers, and its export an answer that it can read (H-17)."""
    head = f"OPTIONS /v1/traces HTTP/1.1\nHost: localhost\nOrigin: {PAGE}\nAccess-Control-Request-Method: POST"
    status, headers, body = send(open_door, head)
    assert (status, body) == (204, b"")
    assert headers["access-control-allow-origin"] == PAGE
    assert headers["access-control-allow-headers"] == "Content-Type, Content-Encoding, Authorization"
    assert "content-length" not in headers
    status, headers, _ = post(open_door, f"Origin: {PAGE}")
    assert (status, headers["access-control-allow-origin"], headers["vary"]) == (200, PAGE, "Origin")
    status, headers, _ = post(open_door, f"Origin: {PAGE}", "Content-Encoding: br")
    assert (status, headers["access-control-allow-origin"]) == (415, PAGE)


def test_a_preflight_needs_no_token(guarded: int):
    """Browsers send none with it; the export itself needs one."""
    head = f"OPTIONS /v1/traces HTTP/1.1\nHost: localhost\nOrigin: {PAGE}\nAccess-Control-Request-Method: POST"
    assert send(guarded, head)[0] == 204
    assert post(guarded, f"Origin: {PAGE}")[0] == 401


@pytest.mark.parametrize("origin", ["https://other.example.com", "http://app.example.com", "null", ""])
def test_other_pages_may_not(open_door: int, origin: str):
    """No other origin is allowed anything."""
    head = f"OPTIONS /v1/traces HTTP/1.1\nHost: localhost\nOrigin: {origin}\nAccess-Control-Request-Method: POST"
    status, headers, _ = send(open_door, head)
    assert status == 405
    assert not [name for name in headers if name.startswith("access-control")]


def test_a_name_of_the_internet_is_not_ours(open_door: int, guarded: int):
    """DNS rebinding: a page's own name as Host is refused; with a token, which such a page has not, any name is good."""
    status, _, body = post(open_door, host="evil.example:4318")
    assert (status, Status.FromString(body).code) == (403, 7)
    assert post(open_door, host="localhost:4318")[0] == 200
    assert post(guarded, "Authorization: Bearer good", host="traces.example.com")[0] == 200


def test_who_sends_more_than_it_may_is_told_when_to_come_again(guarded: int):
    """A bearer over its rate gets 429 with Retry-After before its body, whatever it calls itself; others are served (X-06)."""
    large = request(span(name="x" * 3000)).SerializeToString()
    assert post(guarded, "Authorization: Bearer slow", body=large)[0] == 200
    head = "POST /v1/traces HTTP/1.1\nHost: localhost\nContent-Type: application/x-protobuf\nContent-Length: 9"
    status, headers, body = send(guarded, f"{head}\nAuthorization: Bearer slow")  # no body follows
    assert (status, Status.FromString(body).code) == (429, 8)
    assert 1 <= int(headers["retry-after"]) <= 3
    assert post(guarded, "Authorization: Bearer slow", "X-Scope-OrgID: another", "x-project-name: another")[0] == 429
    assert {post(guarded, "Authorization: Bearer good", "X-Scope-OrgID: slow")[0] for _ in range(5)} == {200}


def test_who_fills_its_part_of_the_memory_keeps_nobody_else_out(guarded: int):
    """While a bearer's slow body is in memory it gets 429, a body without a length 503; the others are served (X-06)."""
    head = "POST /v1/traces HTTP/1.1\nHost: x\nContent-Type: application/x-protobuf\nAuthorization: Bearer small"
    with socket.create_connection(("127.0.0.1", guarded), timeout=10) as stalled:
        stalled.sendall(f"{head}\nContent-Length: 5000\nExpect: 100-continue\n\n".replace("\n", "\r\n").encode())
        assert stalled.recv(100).startswith(b"HTTP/1.1 100")
        stalled.sendall(b"x" * 999)
        deadline = time.monotonic() + 10
        while (found := post(guarded, "Authorization: Bearer small"))[0] == 200:
            assert time.monotonic() < deadline
        assert found[0] == 429
        chunk = f"{len(BODY):x}\r\n".encode() + BODY + b"\r\n0\r\n\r\n"
        assert send(guarded, f"{head}\nTransfer-Encoding: chunked", chunk)[0] == 503
        assert post(guarded, "Authorization: Bearer good")[0] == 200
    while (found := post(guarded, "Authorization: Bearer small"))[0] != 200:  # what was held is given back
        assert found[0] == 429
        assert time.monotonic() < deadline


def test_who_sends_a_bomb_pays_for_what_it_becomes(guarded: int):
    """What gzip unpacks counts as well: a small body that grows is refused nothing, and the next one waits (X-06)."""
    packed = gzip.compress(request(span(name="x" * 20_000)).SerializeToString())
    assert len(packed) < 200
    assert post(guarded, "Authorization: Bearer slow", "Content-Encoding: gzip", body=packed)[0] == 200
    assert post(guarded, "Authorization: Bearer slow")[0] == 429


def test_names_that_a_client_gives_itself_open_nothing(guarded: int):
    """Headers by which other backends choose a tenant neither replace a token nor change what one is good for (X-04)."""
    names = (
        "X-Scope-OrgID: good",
        "x-project-name: good",
        "Proxy-Authorization: Bearer good",
        "X-Forwarded-User: good",
    )
    assert post(guarded, *names)[0] == 401
    assert post(guarded, *names, "Authorization: Bearer reader")[0] == 403


def test_a_flood_of_one_leaves_the_others_their_server(guarded: int):
    """While one bearer sends as fast as it can, and gets no more in than it may, each request of another is taken (X-06)."""
    begun, enough, found = time.monotonic(), threading.Event(), list[int]()
    body = request(*(span(span_id=bytes(7) + bytes([n]), name="x" * 100) for n in range(1, 20))).SerializeToString()

    def flood() -> None:
        while not enough.is_set():
            found.append(post(guarded, "Authorization: Bearer slow", body=body)[0])

    noisy = [threading.Thread(target=flood) for _ in range(4)]
    for thread in noisy:
        thread.start()
    quiet = [post(guarded, "Authorization: Bearer good")[0] for _ in range(50)]
    enough.set()
    for thread in noisy:
        thread.join()
    assert set(quiet) == {200}
    assert set(found) == {200, 429}
    may = 100 * (SAVED + time.monotonic() - begun) + len(noisy) * len(
        body
    )  # each may have been let in at the same moment
    assert found.count(200) * len(body) <= may
