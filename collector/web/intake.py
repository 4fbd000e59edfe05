"""The reading side of a connection: bytes → requests, each limit checked as the bytes come."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import httptools

from collector.web.messages import Admit, Budget, Fault, Head, Held, Limits, Request, Response, Share


class Rules(Protocol):
    """What a server sets for all its connections."""

    limits: Limits
    admit: Admit | None
    budget: Budget | None
    share: Share | None


@dataclass(slots=True)
class Whole:
    """A request that is complete, with what it holds of the budget."""

    request: Request
    held: Held
    keep_alive: bool


class Intake:
    """Parses one connection. `on_whole` gets each request, `on_fault` what ends the reading before one is complete.

    After a fault, and after a request that offers another protocol, nothing more is read.
    """

    def __init__(
        self,
        rules: Rules,
        peer: str,
        on_whole: Callable[[Whole], None],
        on_fault: Callable[[Head | None, Response | Fault, Held], None],
        on_continue: Callable[[], None],
    ) -> None:
        self._rules = rules
        self._peer = peer
        self._on_whole = on_whole
        self._on_fault = on_fault
        self._on_continue = on_continue
        self._loop = asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self.ended = False
        self.heard = self._loop.time()
        """When bytes came last."""
        self._reset()

    def _reset(self) -> None:
        self.phase = "idle"
        self.since = self._loop.time()
        """When the phase's request, or the pause before it, began."""
        self.received = 0
        self._fed = 0
        self._target = b""
        self._headers: dict[str, str] = {}
        self._head_size = 0
        self._head: Head | None = None
        self._parts: list[bytes] = []
        self._held = Held(self._rules.budget)

    def rest(self) -> None:
        """The connection is idle from now on, unless the next request has begun."""
        if self.phase == "idle":
            self.since = self.heard = self._loop.time()

    def feed(self, data: bytes | memoryview) -> None:
        """Bytes from the peer."""
        self.heard = self._loop.time()
        if self.phase == "idle":
            self.phase, self.since = "head", self.heard
        self._fed += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.ended = True  # the request is answered as any other; what would follow is not HTTP/1.1
        except httptools.HttpParserError:
            self._fault("malformed")
        if self.phase == "head" and self._fed > self._rules.limits.header_bytes:
            self._fault("head_too_large")

    def drop(self) -> Held:
        """The peer is gone: what is held of the budget for a body that will not be complete."""
        held, self._held = self._held, Held(None)
        return held

    def _fault(self, reason: Response | Fault) -> None:
        if not self.ended:
            self.ended = True
            self._parts.clear()
            self._on_fault(self._head, reason, self.drop())

    # what the parser calls

    def on_message_begin(self) -> None:
        """A request begins; with pipelining, several within one read."""
        if self.phase == "idle":
            self.phase, self.since = "head", self._loop.time()

    def on_url(self, url: bytes) -> None:
        """A piece of the target."""
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header."""
        self._head_size += len(name) + len(value) + 4
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        self._headers[key] = f"{self._headers[key]}, {text}" if key in self._headers else text

    def on_headers_complete(self) -> None:
        """Decide before the body is read."""
        if self.ended:
            return None
        self.phase, headers = "body", self._headers
        if self._head_size + len(self._target) > self._rules.limits.header_bytes:
            return self._fault("head_too_large")
        target = self._target.decode("latin-1")
        self._head = self._read_head(target)
        if "content-length" in headers and "transfer-encoding" in headers:  # request smuggling (H-14)
            return self._fault("malformed")
        announced = headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self._rules.limits.body_bytes:
            return self._fault("too_large")
        response = self._rules.admit(self._head) if self._rules.admit else None
        if response is not None:
            return self._fault(response)
        if self._rules.share is not None:
            self._held = Held(self._rules.share(self._head))
        if headers.get("expect", "").lower() == "100-continue":
            self._on_continue()
        return None

    def _read_head(self, target: str) -> Head:
        path, _, query = target.partition("?")
        if "://" in path:
            path = "/" + path.split("://", 1)[1].partition("/")[2]
        method = self._parser.get_method().decode("latin-1")
        return Head(method=method, target=target, path=path, query=query, headers=self._headers, peer=self._peer)

    def on_body(self, part: bytes) -> None:
        """A piece of the body, counted against the limit and the budget as it comes (C-09)."""
        if self.ended:
            return
        self.received += len(part)
        if self.received > self._rules.limits.body_bytes:
            self._fault("too_large")
        elif not self._held.take(len(part)):
            self._fault("busy")
        else:
            self._parts.append(part)

    def on_message_complete(self) -> None:
        """The request is whole; it waits for its turn."""
        if self.ended or self._head is None:
            return
        head = self._head
        request = Request(
            method=head.method,
            target=head.target,
            path=head.path,
            query=head.query,
            headers=head.headers,
            peer=head.peer,
            body=b"".join(self._parts),
            budget=self._held.budget,
        )
        self._on_whole(Whole(request, self._held, self._parser.should_keep_alive()))
        self._reset()
