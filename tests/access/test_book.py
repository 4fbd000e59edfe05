"""All tokens in force."""

from dataclasses import replace
from pathlib import Path

from collector.access.book import OWNER, Book
from collector.access.quota import Quota
from collector.access.token_file import TokenFile
from collector.access.tokens import Scope, Token, digest

IN_FILE = "f" * 32


def token(secret: str, scope: Scope = "ingest", expires: int | None = None, revoked: int | None = None) -> Token:
    """A token with this secret."""
    return Token(secret, scope, digest(secret), created=0, expires=expires, revoked=revoked)


def test_a_secret_has_the_scopes_of_its_tokens(tmp_path: Path):
    """Several live ones are good at the same time, from the store, from files, and the owner's."""
    path = tmp_path / "tokens"
    path.write_text(IN_FILE)
    book = Book(lambda: [token("a"), token("b"), token("r", "read")], [TokenFile(str(path), "read")], owner="o")
    found = {secret: set(book.scopes(secret)) for secret in ("a", "b", "r", IN_FILE, "o", "", "x")}
    assert found == {
        "a": {"ingest"},
        "b": {"ingest"},
        "r": {"read"},
        IN_FILE: {"read"},
        "o": {"owner"},
        "": set(),
        "x": set(),
    }


def test_expired_and_revoked_tokens_are_good_for_nothing():
    """Time ends a token without anybody doing anything, and neither is told from an unknown one."""
    now = 5
    book = Book(lambda: [token("a", expires=10), token("b", revoked=1)], clock=lambda: now)
    assert (book.scopes("a"), book.scopes("b")) == ({"ingest"}, frozenset())
    now = 10
    assert book.scopes("a") == frozenset()
    assert not book.has("ingest")
    assert book.knows("ingest")
    assert not book.knows("read")


def test_a_change_counts_after_reload():
    """A token made or revoked through this process is known from the next request on."""
    stored = [token("a")]
    book = Book(lambda: stored)
    stored = [token("a", revoked=1), token("b")]
    assert book.scopes("b") == frozenset()
    book.reload()
    assert (book.scopes("a"), book.scopes("b")) == (frozenset(), {"ingest"})


def test_bearers_are_known_by_id_and_never_by_secret(tmp_path: Path):
    """A token by its own id, one of a file by the beginning of its hash, the owner as local."""
    path = tmp_path / "tokens"
    path.write_text(IN_FILE)
    book = Book(lambda: [token("a")], [TokenFile(str(path), "read")], owner="o")
    found = {secret: [bearer.id for bearer in book.bearers(secret)] for secret in ("a", IN_FILE, "o", "x")}
    assert found == {"a": ["a"], IN_FILE: [f"file:{digest(IN_FILE).hex()[:8]}"], "o": [OWNER], "x": []}


def test_a_token_has_its_own_limits_or_those_of_the_settings(tmp_path: Path):
    """Null means the setting, zero no limit; a read token and the owner have none (X-06)."""
    path = tmp_path / "tokens"
    path.write_text(IN_FILE)
    stored = [
        replace(token("own"), bytes_per_second=5),
        replace(token("free"), bytes_per_second=0, in_flight_bytes=0),
        token("plain"),
        token("reader", "read"),
    ]
    quota = Quota(bytes_per_second=100, in_flight_bytes=200)
    book = Book(lambda: stored, [TokenFile(str(path), "ingest")], owner="o", quota=quota)
    found = {bearer.id: bearer.quota for s in ("own", "free", "plain") for bearer in book.bearers(s)}
    assert found == {"own": Quota(5, 200), "free": Quota(0, 0), "plain": quota}
    limited = {s: book.portion(s) is not None for s in ("own", "free", "plain", IN_FILE, "reader", "o", "x")}
    assert limited == {
        "own": True,
        "free": False,
        "plain": True,
        IN_FILE: True,
        "reader": False,
        "o": False,
        "x": False,
    }


def test_all_requests_of_a_bearer_share_its_quota():
    """What one takes the next cannot, and a new limit counts after the reload."""
    stored = [replace(token("a"), in_flight_bytes=100), replace(token("b"), in_flight_bytes=100)]
    book = Book(lambda: stored)
    first, second, other = book.portion("a"), book.portion("a"), book.portion("b")
    assert first is not None
    assert second is not None
    assert other is not None
    assert first.take(100)
    assert not second.take(1)
    assert other.take(100)
    stored = [replace(token("a"), in_flight_bytes=1000)]
    book.reload()
    again = book.portion("a")
    assert again is not None
    assert again.wait(900) == 0
