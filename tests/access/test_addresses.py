"""Addresses that only this machine reaches."""

import pytest

from collector.access.addresses import is_own_name, on_loopback


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "localhost", "::1", "::ffff:127.0.0.1"])
def test_loopback(host: str):
    """These are reached from this machine alone."""
    assert on_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "10.0.0.1", "no-such-host.invalid", "a..b"])
def test_what_others_may_reach(host: str):
    """All addresses, one of a network, and names without any address do not count as loopback (X-01)."""
    assert not on_loopback(host)


@pytest.mark.parametrize(
    "header",
    ["localhost:4318", "LOCALHOST.", "127.0.0.1", "[::1]:4318", "::1", "collector", "host.docker.internal:4318", ""],
)
def test_names_of_this_machine(header: str):
    """Addresses, and names that nobody can register on the internet."""
    assert is_own_name(header)


@pytest.mark.parametrize("header", ["evil.example", "evil.example:4318", "localhost.evil.example", "127.0.0.1.nip.io"])
def test_names_of_the_internet(header: str):
    """A page's own name that was made to point here is told from ours (H-17)."""
    assert not is_own_name(header)
