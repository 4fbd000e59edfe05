"""The counter at the OTLP/HTTP door and the page behind it, on real sockets."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from collector.access.book import Book
from collector.access.failures import Failures
from collector.access.guard import Guard, Need
from collector.answer.local import LocalStore
from collector.measure.page import CONTENT_TYPE
from collector.measure.tally import Tally
from collector.receive.access import HttpDoor
from collector.receive.export import Exporter
from collector.receive.http import OtlpHttp
from collector.receive.measured_door import MeasuredDoor
from collector.receive.readiness import Readiness
from collector.web.messages import Head
from collector.web.server import HttpServer
from tests.receive.collecting import elsewhere
from tests.receive.test_access import TOKENS, post, send

SCRAPE = "GET /metrics HTTP/1.1\nHost: localhost"


@dataclass
class Door:
    """A door, where it listens, and what it counted."""

    port: int
    door: MeasuredDoor
    answers: Tally


@asynccontextmanager
async def measured(need: Need, *, tokens: bool) -> AsyncGenerator[Door]:
    """OTLP/HTTP behind a guard and a counter, over a store in memory."""
    with LocalStore(":memory:") as store:
        guard = Guard(Book(lambda: TOKENS if tokens else ()), {"ingest"}, need, Failures(), "Exports")
        exporter, answers = Exporter(store.writer), Tally()
        plain = HttpDoor(OtlpHttp(exporter, Readiness()), guard, own_names=True)
        door = MeasuredDoor(plain, guard, lambda: b"page\n", answers)
        server = HttpServer(door.handle, None, door.admit, refuse=door.refuse, share=door.share)
        try:
            yield Door(await server.start("127.0.0.1", 0), door, answers)
        finally:
            await server.stop(1)


def test_answers_are_counted_by_signal_and_status():
    """Accepted and refused requests count, whoever refused them; health, preflights and scrapes do not."""
    with elsewhere(measured("once made", tokens=False)) as there:
        assert post(there.port)[0] == 200
        assert post(there.port, body=b"\xff" * 10)[0] == 400
        assert send(there.port, "POST /v1/logs HTTP/1.1\nHost: x\nContent-Type: text/x\nContent-Length: 0")[0] == 415
        assert send(there.port, "POST /nothing/secret HTTP/1.1\nHost: x\nContent-Length: 0")[0] == 404
        assert send(there.port, "nonsense")[0] == 400
        for path in ("/healthz", "/readyz", "/metrics"):
            assert send(there.port, f"GET {path} HTTP/1.1\nHost: localhost")[0] == 200
        assert there.answers.items() == [
            (("logs", "415"), 1),
            (("none", "400"), 1),
            (("none", "404"), 1),
            (("traces", "200"), 1),
            (("traces", "400"), 1),
        ]


def test_without_tokens_this_machine_may_scrape():
    """On loopback, where exports need no token, neither does the page; a foreign Host and other methods are refused."""
    with elsewhere(measured("once made", tokens=False)) as there:
        status, headers, body = send(there.port, SCRAPE)
        assert (status, headers["content-type"], body) == (200, CONTENT_TYPE, b"page\n")
        assert send(there.port, "GET /metrics HTTP/1.1\nHost: evil.example")[0] == 403
        assert send(there.port, "POST /metrics HTTP/1.1\nHost: localhost\nContent-Length: 0")[0] == 405


@pytest.mark.parametrize("need", ["always", "once made", "while live"])
def test_with_tokens_a_scrape_shows_one(need: Need):
    """Where exports need a token the page does, of the same scope, also on loopback."""
    with elsewhere(measured(need, tokens=True)) as there:
        assert send(there.port, SCRAPE)[0] == 401
        assert send(there.port, f"{SCRAPE}\nAuthorization: Bearer reader")[0] == 403
        assert send(there.port, f"{SCRAPE}\nAuthorization: Bearer good")[2] == b"page\n"


@pytest.mark.parametrize(("peer", "status"), [("127.0.0.1", None), ("::1", None), ("10.0.0.7", 403), ("", 403)])
def test_an_open_port_tells_its_page_to_this_machine_alone(peer: str, status: int | None):
    """With --insecure spans are taken from anybody, and metrics are still told to peers on loopback only."""
    with elsewhere(measured("while live", tokens=False)) as there:
        head = Head(
            method="GET", target="/metrics", path="/metrics", query="", headers={"host": "localhost"}, peer=peer
        )
        early = there.door.admit(head)
        assert (early and early.status) == status
