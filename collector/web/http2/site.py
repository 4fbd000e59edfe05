"""What all HTTP/2 connections of a server share: its service, its limits, who is connected."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collector.web.crowd import Crowd
from collector.web.http2.calls import Service

if TYPE_CHECKING:
    from collector.web.http2.connection import Connection  # noqa: F401 -- named in a string below


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits that HTTP/2 has beside those of every server (G-10). Sizes in bytes, times in seconds."""

    streams: int = 100
    """Open at the same time on a connection; those that are still answered after their client took them back count."""
    frame: int = 1 << 20
    """Largest frame: what takes more frames costs more."""
    stream_window: int = (64 << 20) + (64 << 10)
    """What a stream may send before it hears of us: the largest message, so that none waits for a round trip. What is kept
    in memory is bounded by the budget, not by this. At least 65,535, which peers take for granted at first."""
    connection_window: int = 256 << 20
    head_list: int = 64 << 10
    """Header lists and blocks beyond this end the connection."""
    age: float = 30 * 60
    """After which a connection is told to go, so that exporters spread anew over the collectors behind one name."""
    age_grace: float = 60
    goodbye: float = 1
    """How long a peer that is told to go may take to say that it has heard it."""


@dataclass(slots=True, kw_only=True)
class Site(Crowd["Connection"]):
    """What all connections of a server share."""

    service: Service
    elsewhere: str = "This port speaks HTTP/2.\n"
    """What a client that speaks HTTP/1.1 is told."""
    bounds: Bounds = field(default_factory=Bounds)
