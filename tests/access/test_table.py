"""Tokens in the store."""

from dataclasses import replace
from pathlib import Path

import pytest

from collector.access import table
from collector.access.tokens import Token, digest, new_secret
from collector.answer.local import LocalStore
from collector.store.errors import RefusedStatement

ONE = Token("id1", "ingest", digest("s"), created=10, name="laptop", expires=20)


def test_tokens_come_back_and_revocations_with_them(tmp_path: Path):
    """What was made is read as it was, after reopening too, and a revocation is one more fact about it."""
    path = tmp_path / "a.duckdb"
    with LocalStore(path) as store:
        store.append(table.made(ONE), "1")
        store.append(table.made(Token("id2", "read", digest("t"), created=11)), "2")
        store.append(table.revoked("id2"), "3")
        store.append(table.revoked("id2"), "4")
    with LocalStore(path) as store:
        first, second = table.read(store.query(table.TOKENS))
    assert first == ONE
    assert (second.id, second.expires, second.state(0)) == ("id2", None, "revoked")


def test_the_newest_limits_count():
    """Limits are made with a token or later, and the last row of a token is what it may send (X-06)."""
    with LocalStore(":memory:") as store:
        store.append(table.made(replace(ONE, in_flight_bytes=7)), "1")
        store.append(table.made(Token("id2", "ingest", digest("t"), created=11)), "2")
        store.append(table.limited("id1", 0, 9), "3")
        store.append(table.limited("id1", 5, None), "4")
        first, second = table.read(store.query(table.TOKENS))
    assert (first.bytes_per_second, first.in_flight_bytes) == (5, None)
    assert (second.bytes_per_second, second.in_flight_bytes) == (None, None)


def test_no_secret_is_in_the_file(tmp_path: Path):
    """The store's bytes hold the hash of a token and not the token."""
    path, secret = tmp_path / "a.duckdb", new_secret("ingest")
    with LocalStore(path) as store:
        store.append(table.made(Token("id1", "ingest", digest(secret), created=1)), "1")
    held = path.read_bytes()
    assert digest(secret).hex().encode() in held
    assert secret.encode() not in held


@pytest.mark.parametrize("text", ["SELECT * FROM access.tokens", "SELECT * FROM tokens", "FROM access.revocations"])
def test_free_sql_does_not_reach_them(text: str):
    """Who may ask in SQL cannot read hashes, names or times of tokens."""
    with LocalStore(":memory:") as store, pytest.raises(RefusedStatement):
        store.sql(text)


def test_which_appends_matter():
    """Only appends to these tables change who may come in."""
    assert table.touches(table.made(ONE))
    assert table.touches(table.revoked("a"))
    assert not table.touches(["grading.labels", "accessories"])
