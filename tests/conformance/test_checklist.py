"""The checklist is whole, and every item can fail."""

import socketserver
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.conformance.__main__ import main
from tests.conformance.checklist import FILES, ITEMS
from tests.conformance.item import Item, result
from tests.conformance.target import Target

LISTED = {"C": 15, "G": 13, "H": 19, "J": 15, "S": 13}
ON_THE_WIRE = {*range(1, 18), *range(19, 31), *range(37, 41)} - {16, 18}
"""Reported faults that can be seen on the wire. T-16, slow peers, is H-16."""

LENIENT = {"C-15", "H-04", "H-17"}
"""Items that a server which answers 200 to everything may keep."""


class Yes(BaseHTTPRequestHandler):
    """Answers 200 and a page to everything, as a web application in the way of an endpoint does."""

    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        size = self.headers.get("Content-Length", "0")
        if size.isdecimal() and int(size) < 1_000_000:
            self.rfile.read(int(size))
        else:
            self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"<p>.")

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = _answer  # noqa: N815 -- the library's names

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as above
        """Nothing."""


@pytest.fixture(scope="module")
def liar() -> Iterator[str]:
    """The address of a server that says yes to everything."""
    socketserver.TCPServer.allow_reuse_address = True
    with ThreadingHTTPServer(("127.0.0.1", 0), Yes) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_every_number_is_there() -> None:
    """All items of the list, and all reported faults that the wire shows."""
    numbers = {item.number for item in ITEMS}
    expected = {f"{letter}-{n:02}" for letter, count in LISTED.items() for n in range(1, count + 1)}
    assert expected - numbers == set()
    assert {f"T-{n:02}" for n in ON_THE_WIRE} == {number for number in numbers if number[0] == "T"}


def test_every_item_says_what_it_demands() -> None:
    """A sentence, so that the table can be read without the code."""
    assert [item.number for item in ITEMS if len(item.text) < 20 or not item.text.endswith(".")] == []
    assert {item.look.__module__ for item in ITEMS} == {file.__name__ for file in FILES}


FAIL = [item for item in ITEMS if "grpc" not in item.ways[:1] and item.number not in LENIENT | {"H-16", "T-25"}]


@pytest.mark.parametrize("item", FAIL, ids=lambda item: item.number)
def test_an_item_can_fail(liar: str, item: Item) -> None:
    """A server that says yes to everything keeps none of them; at most one says that it cannot see."""
    found = result(item, item.ways[0], Target(liar, seconds=5))
    assert found.outcome != "pass"


def test_an_endpoint_without_grpc_is_not_blamed(liar: str) -> None:
    """Where no address of gRPC is given its items are not observable."""
    item = next(item for item in ITEMS if item.number == "G-01")
    assert result(item, "grpc", Target(liar)).outcome == "not observable"


def test_the_command_says_so(liar: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The table has a line an item and way, and the exit code is 1 where a MUST failed."""
    assert main([liar, "--only", "C-03,C-13"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7
    assert lines[0].split()[:4] == ["C-03", "http", "MUST", "fail"]
    assert "not observable" in lines[2]
    assert main([liar, "--only", "G-01", "--json"]) == 0
    assert '"outcome": "not observable"' in capsys.readouterr().out
