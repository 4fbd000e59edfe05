"""The read endpoint, over a real socket with a plain HTTP client."""

import http.client
from collections.abc import Generator
from urllib.parse import urlsplit

import orjson
import pytest

from collector.answer import wire
from collector.answer.local import LocalStore
from collector.store.database import Database
from tests.answer.serving import endpoint
from tests.store.rows import span, spans

TOKEN = "secret"


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """An endpoint over a store with one span."""
    with LocalStore(":memory:") as store:
        store.ingest(spans(span(1, 1))).result()
        with endpoint(store, TOKEN) as address:
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
