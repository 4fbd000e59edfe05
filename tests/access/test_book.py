"""All tokens in force."""

from pathlib import Path

from collector.access.book import Book
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
