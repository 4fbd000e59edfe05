"""Tokens."""

import re

from collector.access.tokens import Token, digest, new_id, new_secret


def test_secrets_are_long_random_and_marked():
    """A secret has 256 random bits after a mark that tells its scope, and no two are alike."""
    found = [new_secret("ingest") for _ in range(100)]
    assert len(set(found)) == 100
    assert all(re.fullmatch(r"tgi_[A-Za-z0-9_-]{43}", secret) for secret in found)
    assert {new_secret("read")[:4], new_secret("owner")[:4]} == {"tgr_", "tgo_"}


def test_a_digest_is_always_of_one_length():
    """Whatever is shown is compared as 32 bytes, half a surrogate pair too."""
    assert {len(digest(text)) for text in ("", "x", "ü" * 5000, "\ud83d")} == {32}
    assert digest("a") != digest("b")


def test_a_token_ends_by_time_and_by_hand():
    """It is live until it expires; a revoked one is that whatever the time."""
    token = Token(new_id(), "read", digest("x"), created=0, expires=10)
    assert [token.state(now) for now in (9, 10, 11)] == ["live", "expired", "expired"]
    assert Token("a", "read", b"", 0, revoked=1).state(0) == "revoked"
    assert Token("a", "read", b"", 0).state(2**62) == "live"
