"""What a small HTTP server hands over and takes back, and its limits."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import IO, Literal, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A request without its body. Header names are lower-case; repeated headers are joined with commas."""

    method: str
    target: str
    path: str
    query: str
    headers: Mapping[str, str]
    peer: str


class Budget(Protocol):
    """Bytes that all connections share. A body's bytes are taken as they come and given back after the answer."""

    def take(self, size: int) -> bool:
        """Take bytes, or say that there are not enough."""
        ...

    def give(self, size: int) -> None:
        """Give bytes back."""
        ...


@dataclass(slots=True)
class Held:
    """What one request holds of a budget; without a budget everything is granted."""

    budget: Budget | None
    size: int = 0

    def take(self, size: int) -> bool:
        """Take more, or say that there is not enough."""
        if self.budget is not None and not self.budget.take(size):
            return False
        self.size += size
        return True

    def release(self) -> None:
        """Give everything back. A second call does nothing."""
        size, self.size = self.size, 0
        if size and self.budget is not None:
            self.budget.give(size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Head):
    """A request with its body as sent: joined from chunks, not inflated."""

    body: bytes = b""
    budget: Budget | None = None
    """What its bytes are taken from, until it is answered."""


class Large(Protocol):
    """Bytes of known length in a file. The server closes it when they are sent, or nobody wants them any more."""

    file: IO[bytes]
    size: int

    def close(self) -> None:
        """Give the file back."""
        ...


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. The server adds Content-Length and, where it closes, Connection."""

    status: int
    body: bytes = b""
    content_type: str = "text/plain; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    large: "Large | None" = None
    """What follows the body: bytes that need not be in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on what a peer may ask for (H-07, H-16). Sizes in bytes, times in seconds.

    A connection that breaks a time limit is closed without an answer: a client that sees no answer sends again, whereas
    a 408 would make it drop its data (H-08).
    """

    header_bytes: int = 32 << 10
    header_seconds: float = 10
    body_bytes: int = 64 << 20
    body_idle_seconds: float = 10
    body_rate: int = 1024
    """Bytes a second that a body must bring on average, from five seconds on."""
    request_seconds: float = 60
    idle_seconds: float = 60
    connections: int = 512
    peer_connections: int = 256
    """Of one address, so that no single peer keeps all others out."""
    drain_bytes: int = 16 << 20
    """What is read and thrown away after an early answer, so that the client sees the answer and no reset."""
    drain_seconds: float = 2


Fault = Literal["malformed", "head_too_large", "too_large", "busy", "failed"]
"""Why the server itself must answer: not HTTP, a limit, no memory left, an exception in the handler."""

Handler = Callable[[Request], Awaitable[Response]]
Admit = Callable[[Head], Response | None]
Share = Callable[[Head], Budget | None]
Refuse = Callable[[Head | None, Fault], Response]


_STATUS: dict[Fault, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "head_too_large": HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "failed": HTTPStatus.INTERNAL_SERVER_ERROR,
}


def refuse_plainly(_head: Head | None, fault: Fault) -> Response:
    """The answer to a fault as plain text."""
    status = _STATUS[fault]
    return Response(status, f"{status.phrase}\n".encode())
