"""Failures by peer."""

import pytest

from collector.access import failures
from collector.access.failures import BURST, EVERY, QUIET, Failures, network


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_peer_that_goes_on_failing_is_over_its_rate():
    """After a burst only one more every few seconds is answered as what it is; other peers are not concerned."""
    clock = Clock()
    count = Failures(clock).count
    assert [count("10.0.0.1")[0] for _ in range(BURST + 5)] == [False] * BURST + [True] * 5
    assert count("10.0.0.2")[0] is False
    clock.now += EVERY
    assert [count("10.0.0.1")[0] for _ in range(2)] == [False, True]


def test_the_log_is_told_once_a_minute():
    """However often a peer fails, the log has a line a minute about it."""
    clock = Clock()
    count = Failures(clock).count
    told = [count("10.0.0.1")[1] for _ in range(100)]
    assert told == [True] + [False] * 99
    clock.now += QUIET
    assert count("10.0.0.1")[1]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch):
    """Of many peers those heard last are remembered."""
    monkeypatch.setattr(failures, "PEERS", 3)
    counted = Failures(Clock())
    for number in range(10):
        counted.count(f"10.0.0.{number}")
    assert list(counted._peers) == ["10.0.0.7", "10.0.0.8", "10.0.0.9"]


@pytest.mark.parametrize(
    ("peer", "counts_as"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_one_machine_is_one_peer(peer: str, counts_as: str):
    """An IPv6 network of 64 bits counts as one, and an IPv4 address in IPv6 form as itself."""
    assert network(peer) == counts_as
