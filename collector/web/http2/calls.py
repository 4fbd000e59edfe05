"""What the HTTP/2 server hands over and takes back: heads and pieces of bodies in, replies out."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal, Protocol

from collector.web.http2.blocks import encoded
from collector.web.messages import Head


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as bytes. `head` and `trailers` are header blocks; without trailers the body is the end."""

    head: bytes
    body: bytes = b""
    trailers: bytes = b""


class Call(Protocol):
    """A request whose body is being read. After a reply nothing more is asked of it but `drop`."""

    def feed(self, piece: bytes) -> Reply | None:
        """More of the body; a reply ends the call before the body is whole."""
        ...

    def end(self) -> Reply | Awaitable[Reply]:
        """The body is whole: the answer, or what will give it. Once awaited it is finished, whatever the client does."""
        ...

    def drop(self) -> None:
        """The call ended before its body was whole: what it holds is given back."""
        ...


Fault = Literal["busy", "head_too_large", "slow", "failed"]
"""Why the server itself must answer: it stops, a limit, a body that stalls, an exception in the handler."""


class Service(Protocol):
    """What is served."""

    def open(self, head: Head) -> Call | Reply:
        """A request's head came; a reply answers it before its body."""
        ...

    def refuse(self, fault: Fault) -> Reply:
        """The words for an answer of the server itself."""
        ...


_STATUS: dict[Fault, str] = {"busy": "503", "head_too_large": "431", "slow": "408", "failed": "500"}


def plainly(fault: Fault) -> Reply:
    """An answer of the server itself in HTTP's own words."""
    return Reply(encoded([(":status", _STATUS[fault])]))
