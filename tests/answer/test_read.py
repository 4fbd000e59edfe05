"""The read endpoint, over a real socket with a plain HTTP client."""

import http.client
from collections.abc import Generator
from urllib.parse import urlsplit

import orjson
import pytest

from collector.access import table
from collector.access.tokens import Token, digest
from collector.answer import wire
from collector.answer.local import LocalStore
from collector.store.file.database import Database
from tests.answer.serving import endpoint
from tests.store.rows import span, spans

TOKEN = "secret"


READER = Token("r", "read", digest("reader"), 0)
WRITER = Token("w", "ingest", digest("writer"), 0)


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """An endpoint over a store with one span."""
    with LocalStore(":memory:") as store:
        store.ingest(spans(span(1, 1))).result()
        with endpoint(store, TOKEN, lambda: [READER, WRITER]) as address:
            yield address


def ask(url: str, path: str, body: object, *, token: str | None = TOKEN, method: str = "POST") -> tuple[int, bytes]:
    """Status and body of one request."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    connection.request(method, path, body if isinstance(body, bytes) else orjson.dumps(body), headers)
    response = connection.getresponse()
    answer = response.read()
    connection.close()
    return response.status, answer


def test_a_query_is_answered_as_arrow(url: str):
    """A fixed query comes back as an Arrow stream."""
    status, body = ask(url, "/query", {"name": "status", "params": {}})
    assert status == 200
    assert wire.to_table(body)["spans"].to_pylist() == [1]


@pytest.mark.parametrize("token", [None, "", "wrong", "secre"])
@pytest.mark.parametrize("path", ["/query", "/sql", "/settle", "/append", "/healthz", "/"])
def test_without_the_token_nothing_is_answered(url: str, token: str | None, path: str):
    """A request that does not show the token gets 401, whatever it asks for."""
    status, body = ask(url, path, {"name": "status", "params": {}}, token=token)
    assert status == 401
    assert b"status" not in body


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/query", b"{", 400),
        ("/query", [], 400),
        ("/query", {"name": "status"}, 400),
        ("/query", {"name": "nonsense", "params": {}}, 404),
        ("/query", {"name": "status", "params": {"x": 1}}, 404),
        ("/sql", {"text": "DELETE FROM spans"}, 422),
        ("/append", {"batch_id": "b", "tables": {"t": "!"}}, 400),
        ("/append", {"batch_id": "b", "tables": {"evidence.spans": "QUJD"}}, 400),
        ("/nothing", {}, 404),
    ],
)
def test_bad_requests_get_a_sentence(url: str, path: str, body: object, status: int):
    """What cannot be answered gets a status of its kind and a message."""
    got, answer = ask(url, path, body)
    assert got == status
    assert orjson.loads(answer)["message"].endswith((".", ")")) or b"not SELECT" in answer or got == 422


@pytest.mark.parametrize(
    ("address", "headers", "kind", "answer"),
    [
        ("/sql?format=csv", {}, "text/csv", b"n\r\n1\r\n"),
        ("/sql", {"Accept": "application/jsonl"}, "application/jsonl", b'{"n":1}\n'),
        ("/sql?format=json", {"Accept": "text/csv"}, "application/json", b'[\n {"n":1}\n]\n'),
        ("/sql", {"Accept": "text/csv;q=0.9, */*"}, "text/csv", b"n\r\n1\r\n"),
    ],
)
def test_sql_is_answered_as_asked(url: str, address: str, headers: dict[str, str], kind: str, answer: bytes):
    """A bare statement is a body, too; the address or Accept names the form of its answer, headers say what is to be known."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    known = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/sql"}
    connection.request("POST", address, b"SELECT count(*) AS n FROM spans", known | headers)
    response = connection.getresponse()
    assert (response.status, response.read()) == (200, answer)
    assert response.getheader("content-type") == kind
    assert (response.getheader(wire.ROWS), response.getheader(wire.TRUNCATED)) == ("1", "false")
    assert float(response.getheader(wire.AGE, "")) < 60
    connection.close()


def test_limits_of_sql_stand_in_the_address(url: str):
    """A number of rows is kept to, and said; what is no number, or no form, is refused with a sentence."""
    known = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/sql"}
    for query, status in (("max_rows=2", 200), ("max_rows=x", 400), ("format=xml", 422), ("seconds", 400)):
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        connection.request("POST", f"/sql?{query}", b"SELECT range FROM range(9)", known)
        response = connection.getresponse()
        answer = response.read()
        assert response.status == status
        if status == 200:
            assert (response.getheader(wire.ROWS), response.getheader(wire.TRUNCATED)) == ("2", "true")
        else:
            assert orjson.loads(answer)["message"].endswith(".")
        connection.close()


def test_health_is_told_to_those_who_know_the_token(url: str):
    """GET /healthz answers 200."""
    assert ask(url, "/healthz", b"", method="GET")[0] == 200


def test_a_closed_store_is_unavailable():
    """While the store is closed or being reopened readers are told to come again."""
    store = LocalStore(":memory:")
    with endpoint(store, TOKEN) as url:
        Database.close(store.database)
        assert ask(url, "/query", {"name": "status", "params": {}})[0] == 503
    store.settler.close()


NOTHING = {"batch_id": "b", "tables": {}}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/query", {"name": "status", "params": {}}, 200),
        ("/sql", {"text": "SELECT 1"}, 200),
        ("/settle", {"ids": []}, 200),
        ("/query", {"name": table.TOKENS, "params": {}}, 403),
        ("/append", NOTHING, 403),
        ("/rebuild", {"traces": []}, 403),
    ],
)
def test_a_read_token_reads_and_the_owner_does_all(url: str, path: str, body: object, status: int):
    """A read token may ask and settle, and neither append, nor rebuild, nor see the tokens; the owner's may."""
    assert ask(url, path, body, token="reader")[0] == status
    assert ask(url, path, body)[0] == 200


def test_what_is_not_named_as_a_read_is_the_owners(url: str):
    """A path that is no read is forbidden to a read token, whether it exists or not."""
    assert ask(url, "/nothing", {}, token="reader")[0] == 403
    assert ask(url, "/nothing", {})[0] == 404


@pytest.mark.parametrize("path", ["/query", "/append", "/healthz", "/"])
def test_an_ingest_token_reads_nothing(url: str, path: str):
    """Who may write is forbidden to read, whatever is asked (X-02)."""
    assert ask(url, path, {"name": "status", "params": {}}, token="writer")[0] == 403


def test_a_refusal_comes_before_the_body(url: str):
    """The head of a write with a read token is enough for the answer."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    connection.putrequest("POST", "/append")
    connection.putheader("Authorization", "Bearer reader")
    connection.putheader("Content-Length", "1000000")
    connection.endheaders()
    assert connection.getresponse().status == 403
    connection.close()


def test_tokens_count_as_soon_as_they_are_stored():
    """A token that is appended through the endpoint is known to it with the next request."""
    with (
        LocalStore(":memory:") as store,
        endpoint(store, TOKEN, lambda: table.read(store.query(table.TOKENS))) as url,
    ):
        assert ask(url, "/healthz", b"", token="reader", method="GET")[0] == 401
        tables = wire.tables_to_json(table.made(READER))
        assert ask(url, "/append", {"batch_id": "b", "tables": tables})[0] == 200
        assert ask(url, "/healthz", b"", token="reader", method="GET")[0] == 200


@pytest.mark.parametrize("path", ["/metrics", "/status", "/nothing"])
def test_an_endpoint_without_a_collector_tells_nothing_of_one(url: str, path: str):
    """Where nobody counts there is no page of metrics, and asking for it is a 404 with a sentence."""
    status, answer = ask(url, path, b"", method="GET")
    assert (status, orjson.loads(answer)["message"]) == (404, f"There is no GET {path} here.")
