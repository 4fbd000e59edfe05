"""Credentials that were not good, counted by peer: beyond a rate it is told to slow down, and the log stays short (X-05).

What is limited is the cost of failures: a right credential is always taken. Tokens are too long to be guessed at any rate, and
an exporter with an old token must not lock out the others behind the same address.
"""

import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass

from collector.measure.tally import Tally

BURST = 10
"""Failures of a peer in a row that are answered as what they are."""

EVERY = 5.0
"""Seconds after which one more is granted."""

QUIET = 60.0
"""Seconds between two lines in the log about the same peer."""

PEERS = 4_096
"""Peers that are remembered; beyond them the one that was heard longest ago is forgotten."""


@dataclass(slots=True)
class _Peer:
    left: float
    at: float
    told: float


class Failures:
    """One count for all doors. `clock` gives seconds that only rise."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._peers: dict[str, _Peer] = {}
        self.refused = Tally()
        """Refusals since the start, by what was refused and why; whoever refuses counts them."""

    def count(self, peer: str) -> tuple[bool, bool]:
        """Count one: whether the peer is over its rate, and whether the log should say so now."""
        now, key = self._clock(), network(peer)
        found = self._peers.pop(key, None) or _Peer(BURST, now, now - QUIET)
        self._peers[key] = found  # the newest stands at the end
        if len(self._peers) > PEERS:
            del self._peers[next(iter(self._peers))]
        found.left = min(BURST, found.left + (now - found.at) / EVERY)
        found.at = now
        over = found.left < 1
        if not over:
            found.left -= 1
        tell = now - found.told >= QUIET
        if tell:
            found.told = now
        return over, tell


def network(peer: str) -> str:
    """The address that counts: of IPv6 the network of 64 bits that one machine has to itself."""
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
