"""The client of the read endpoint behaves as the store itself."""

from collections.abc import Generator

import pyarrow as pa
import pytest

from collector.answer.local import LocalStore
from collector.answer.remote import TOKEN_VARIABLE, RemoteStore
from collector.store.errors import BadAppend, RefusedStatement, StoreError, Unavailable, UnknownQuery
from collector.store.protocol import Store
from collector.store.result import truncated
from tests.answer.serving import endpoint
from tests.answer.test_local import NOTES
from tests.store.rows import span, spans

TOKEN = "secret"


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    """An endpoint over a store with ten spans and an extension."""
    with LocalStore(":memory:", extensions=[NOTES]) as store:
        store.ingest(spans(*(span(1, n) for n in range(10)))).result()
        with endpoint(store, TOKEN) as address:
            yield address


@pytest.fixture
def remote(url: str) -> Store:
    """A client that knows the token."""
    return RemoteStore(url, TOKEN)


def test_all_methods_work_over_the_wire(remote: Store):
    """Queries, SQL, settling and appends do what they do on an open file."""
    assert remote.query("status")["spans"].to_pylist() == [10]
    assert remote.settle() == []
    assert remote.settle([f"{1:032x}"]) == []
    cut = remote.sql("SELECT * FROM spans", max_rows=3)
    assert (cut.num_rows, truncated(cut)) == (3, True)
    for _ in range(2):
        remote.append({"grader.notes": pa.table({"text": ["x"]})}, "once")
    assert remote.query("notes", like="x")["text"].to_pylist() == ["x"]


def test_errors_arrive_as_they_were_raised(remote: Store):
    """Each refusal has its kind and its sentence on this side too."""
    with pytest.raises(UnknownQuery, match="There is no query nonsense"):
        remote.query("nonsense")
    with pytest.raises(RefusedStatement, match="not DELETE"):
        remote.sql("DELETE FROM spans")
    with pytest.raises(BadAppend, match=r"evidence\.spans"):
        remote.append({"evidence.spans": pa.table({"name": ["x"]})}, "b")


def test_the_token_may_come_from_the_environment(url: str, monkeypatch: pytest.MonkeyPatch):
    """With a URL alone the variable holds the token; without it the message says where the token is."""
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert RemoteStore(url).answers()
    monkeypatch.delenv(TOKEN_VARIABLE)
    assert not RemoteStore(url).answers()
    with pytest.raises(StoreError, match=TOKEN_VARIABLE):
        RemoteStore(url).query("status")


@pytest.mark.parametrize("url", ["http://", "ftp://127.0.0.1:1", "http://127.0.0.1", "nonsense"])
def test_what_is_no_address_is_refused(url: str):
    """A URL that cannot be a collector's is an error with an example."""
    with pytest.raises(StoreError, match="it looks like"):
        RemoteStore(url)


def test_nobody_there_is_said():
    """A port where nobody listens gives a sentence with the address."""
    with pytest.raises(Unavailable, match="No collector answers at http://127"):
        RemoteStore("http://127.0.0.1:9", "t").query("status")
