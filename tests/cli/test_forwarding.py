"""Requests from files to a collector, over real sockets."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.cli.forwarding import Forwarding, Refused, delivery
from collector.receive.files import Batch, Found, read
from collector.store.errors import StoreError, Unavailable
from collector.store.writing.group import Receipt
from collector.web.server import HttpServer, Limits, Request, Response
from tests.decode.samples import json_of, request, span
from tests.receive.collecting import Here, elsewhere, receiving

TRACES = request(span(), span(span_id=b"neighbor"), span(span_id=bytes(8)))
LOGS = b'{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hi"}}]}]}]}'


@asynccontextmanager
async def answering(*responses: Response) -> AsyncGenerator[int]:
    """A server that gives these answers one after the other."""
    left = list(responses)

    async def handle(_request: Request) -> Response:
        return left.pop(0)

    server = HttpServer(handle)
    yield await server.start("127.0.0.1", 0)
    await server.stop(1)


def batch(folder: Path, name: str, body: bytes) -> Batch:
    """The one request of a file."""
    (folder / name).write_bytes(body)
    (found,) = read(Found(folder / name, named=True, size=len(body)))
    assert isinstance(found, Batch)
    return found


def send(port: int, *batches: Batch, patience: float = 20) -> list[Receipt]:
    """What becomes of these."""
    with Forwarding(f"http://127.0.0.1:{port}", "token", patience) as deliver:
        return [future.result() for future in [deliver(one) for one in batches]]


def stored(here: Here, table: str) -> int:
    """Rows of a table."""
    return here.store.sql(f"SELECT count(*) AS n FROM {table}")["n"][0].as_py()


def test_each_form_and_signal_arrives(tmp_path: Path) -> None:
    """What a file refuses by itself is counted there, so that the receipt has the others alone."""
    with elsewhere(receiving()) as here:
        pb, js = batch(tmp_path, "a.pb", TRACES.SerializeToString()), batch(tmp_path, "b.json", json_of(TRACES))
        logs = batch(tmp_path, "c.json", LOGS)
        assert [r.stored for r in send(here.http, pb, js, logs)] == [2, 2, 1]
        assert (stored(here, "spans"), stored(here, "logs")) == (2, 1)


def test_a_request_without_rows_is_not_sent(tmp_path: Path) -> None:
    """There is nothing to keep in it, and a collector would refuse one that holds nothing but bad rows."""
    bad = batch(tmp_path, "a.pb", request(span(span_id=bytes(8))).SerializeToString())
    assert send(9, bad, batch(tmp_path, "b.pb", b"")) == [Receipt(0, 0, 0), Receipt(0, 0, 0)]


@pytest.mark.parametrize("name", ["a.pb", "a.json"])
def test_a_refusal_says_why(tmp_path: Path, name: str) -> None:
    """A body that the collector finds too large is refused with its status and its words, in either encoding."""
    large = request(*(span(span_id=b"%08d" % n) for n in range(1, 500)))
    one = batch(tmp_path, name, large.SerializeToString() if name == "a.pb" else json_of(large))
    with (
        elsewhere(receiving(limits=Limits(body_bytes=1000))) as here,
        pytest.raises(Refused, match=r"refused it \(413\): the body is too large"),
    ):
        send(here.http, one)


def test_a_busy_collector_is_asked_again(tmp_path: Path) -> None:
    """A passing refusal is waited out; one that lasts is given up after a while."""
    busy, one = Response(503, headers={"Retry-After": "0"}), batch(tmp_path, "a.json", LOGS)
    with elsewhere(answering(busy, busy, Response(200, b"{}"))) as port:
        assert send(port, one) == [Receipt(0, 1, 0)]
    with elsewhere(answering(busy)) as port, pytest.raises(Refused, match="503"):
        send(port, one, patience=-1)


def test_what_only_the_collector_refuses_is_counted(tmp_path: Path) -> None:
    """A row that its store cannot hold is in the answer."""
    told = Response(200, b'{"partialSuccess": {"rejectedLogRecords": "1", "errorMessage": "x"}}')
    with elsewhere(answering(told)) as port:
        assert send(port, batch(tmp_path, "a.json", LOGS)) == [Receipt(0, 0, 0, {"refused": 1})]


def test_a_closed_connection_is_opened_again(tmp_path: Path) -> None:
    """A collector may close between two requests."""
    closing = Response(200, b"{}", headers={"Connection": "close"})
    one = batch(tmp_path, "a.json", LOGS)
    with elsewhere(answering(closing, closing, closing)) as port:
        assert [r.stored for r in send(port, one, one, one)] == [1, 1, 1]


def test_nobody_there(tmp_path: Path) -> None:
    """A collector that has gone is named by its address."""
    with pytest.raises(Unavailable, match=r"No collector answers at http://127\.0\.0\.1:9;"):
        send(9, batch(tmp_path, "a.json", LOGS))


def test_the_way_to_a_store(tmp_path: Path) -> None:
    """An open file is written to; a collector needs its note, since a reader's address takes no data."""
    one = batch(tmp_path, "a.json", LOGS)
    with LocalStore(":memory:") as store, delivery(store) as deliver:
        assert deliver(one).result().stored == 1
    with pytest.raises(StoreError, match="name the store's path"):
        delivery(RemoteStore("http://127.0.0.1:9", "t"))
