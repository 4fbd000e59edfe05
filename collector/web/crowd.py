"""Who is connected to a server: one too many is turned away, of all or of one address (H-16, X-06)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from collector.web.messages import Limits


class Member(Protocol):
    """A connection, as its server sees it."""

    def check(self, now: float) -> None:
        """Close it if it broke a limit of time."""
        ...


Guest = TypeVar("Guest", bound=Member)


@dataclass(slots=True, kw_only=True)
class Crowd(Generic[Guest]):
    """All connections of a server."""

    limits: Limits
    connections: set[Guest] = field(default_factory=set)
    peers: Counter[str] = field(default_factory=Counter)
    """Connections by address."""
    stopping: bool = False

    def enter(self, member: Guest, peer: str) -> bool:
        """One more of this peer, or one too many."""
        limits = self.limits
        crowded = len(self.connections) >= limits.connections or self.peers[peer] >= limits.peer_connections
        if crowded or self.stopping:
            return False
        self.connections.add(member)
        self.peers[peer] += 1
        return True

    def leave(self, member: Guest, peer: str) -> None:
        """It is gone, if it ever was there."""
        if member in self.connections:
            self.connections.remove(member)
            self.peers.subtract([peer])
            self.peers += Counter()  # keeps those above zero
