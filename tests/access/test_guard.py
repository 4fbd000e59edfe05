"""The guard of a door."""

import logging

import pytest

from collector.access.book import Book
from collector.access.failures import BURST, Failures
from collector.access.guard import Guard, Need
from collector.access.tokens import Token, digest

INGEST, READ = Token("i", "ingest", digest("i"), 0), Token("r", "read", digest("r"), 0)
DEAD = Token("d", "ingest", digest("d"), 0, revoked=1)


def guard(*tokens: Token, need: Need = "always") -> Guard:
    """The exporters' door."""
    return Guard(Book(lambda: tokens), {"ingest"}, need, Failures(), "Exports")


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ("Bearer i", None),
        ("Bearer r", "forbidden"),
        ("Bearer x", "unauthenticated"),
        ("Bearer d", "unauthenticated"),
        ("", "unauthenticated"),
        ("nonsense", "unauthenticated"),
    ],
)
def test_who_may_pass(shown: str, verdict: str | None):
    """A token of the scope passes, one of another is forbidden, and nothing tells a revoked one from an unknown (G-09)."""
    assert guard(INGEST, READ, DEAD).look(shown) == verdict


@pytest.mark.parametrize(
    ("need", "tokens", "asks"),
    [
        ("always", (), True),
        ("once made", (), False),
        ("once made", (READ,), False),
        ("once made", (INGEST,), True),
        ("once made", (DEAD,), True),
        ("while live", (DEAD,), False),
        ("while live", (INGEST,), True),
    ],
)
def test_when_a_token_is_needed(need: Need, tokens: tuple[Token, ...], asks: bool):
    """Always; or once there was one of the scope, so that no port opens because its token ended; or while one is live."""
    found = guard(*tokens, need=need)
    assert found.asks is asks
    assert (found.look("") is None) is not asks


def test_failing_too_often_is_told(caplog: pytest.LogCaptureFixture):
    """After some failures the answer is to slow down; a good token still passes; the log names the peer and no token."""
    found = guard(INGEST)
    with caplog.at_level(logging.WARNING):
        verdicts = [found.judge("Bearer secret-guess", "10.0.0.1") for _ in range(BURST + 1)]
    assert verdicts == ["unauthenticated"] * BURST + ["limited"]
    assert found.judge("Bearer i", "10.0.0.1") is None
    assert len(caplog.records) == 1
    assert "10.0.0.1" in caplog.text
    assert "secret-guess" not in caplog.text


def test_scopes_can_be_asked():
    """A door with more than one scope can tell whose token it is."""
    assert guard(INGEST).shows("Bearer i", "ingest")
    assert not guard(INGEST).shows("Bearer i", "owner")
    assert not guard(INGEST).shows("", "ingest")


def test_refusals_are_counted_by_door_and_verdict():
    """What is told to whom fails counts, by what was refused; who passes does not, and names and addresses are nowhere."""
    failures = Failures()
    door = Guard(Book(lambda: (INGEST, READ)), {"ingest"}, "always", failures, "Exports")
    for shown in ("Bearer i", "Bearer r", *["Bearer x"] * BURST):
        door.judge(shown, "10.0.0.7")
    assert failures.refused.items() == [
        (("exports", "forbidden"), 1),
        (("exports", "limited"), 1),
        (("exports", "unauthenticated"), BURST - 1),
    ]
