"""One HTTP/1.1 connection: its requests are handled and answered in order; limits of time are kept."""

import asyncio
import contextlib
import logging
from collections import deque
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from collector.web.crowd import Crowd
from collector.web.intake import Intake, Whole
from collector.web.limits_of_time import stalls
from collector.web.messages import (
    Admit,
    Budget,
    Fault,
    Handler,
    Head,
    Held,
    Large,
    Refuse,
    Request,
    Response,
    Share,
)

_log = logging.getLogger(__name__)
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_PART = 1 << 18


@dataclass(slots=True, kw_only=True)
class Site(Crowd["Connection"]):
    """What all connections of a server share."""

    handler: Handler
    admit: Admit | None
    refuse: Refuse
    budget: Budget | None
    share: Share | None = None


@dataclass(slots=True)
class _Exchange:
    """A request that waits for its turn, or an answer that was decided early, with what is held of the budget."""

    request: Request | None
    response: Response | None
    held: Held
    keep_alive: bool


class Connection(asyncio.BufferedProtocol):
    """Pipelined requests wait for their turn, and reading pauses meanwhile. An early answer is the connection's last.

    It reads into `buffer`, which connections share (see `Port`).
    """

    def __init__(self, site: Site, buffer: memoryview) -> None:
        self._site, self._buffer = site, buffer
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[_Exchange] = deque()
        self._task: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._refused = False
        self._half_closed = False
        self._discarded = 0

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A peer connected; one too many is turned away at once, and will come again."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if isinstance(peer, tuple) else ""
        self._intake = Intake(self._site, host, self._on_whole, self._on_fault, self._on_continue)
        self._peer = host
        if not self._site.enter(self, host):
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 -- asyncio names it
        """What is being handled is finished, so that what is committed is committed; the answer goes nowhere (G-11)."""
        self._site.leave(self, self._peer)
        self._intake.drop().release()
        self._writable.set()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 -- asyncio names it
        """Where the next bytes go."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """They came: read on, or throw away what follows an early answer."""
        if self._intake.ended:
            self._intake.heard = self._loop.time()
            self._discarded += nbytes
            if self._discarded > self._site.limits.drain_bytes:
                self._transport.close()
            return
        self._intake.feed(self._buffer[:nbytes])
        if len(self._waiting) > 1:
            self._transport.pause_reading()

    def eof_received(self) -> bool:
        """The peer sends no more. It may have shut down this one direction and wait: what it asked for is answered (C-11).

        Without an answer a client would send again what is stored. Over TLS asyncio cannot keep the other direction open.
        """
        if self._task is None or self._transport.get_extra_info("sslcontext") is not None:
            return False
        self._half_closed = self._intake.ended = True  # the last answer closes
        return True

    def pause_writing(self) -> None:
        """The peer reads slower than it asks."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """The peer has caught up."""
        self._writable.set()

    # the intake's side

    def _on_whole(self, whole: Whole) -> None:
        self._enqueue(_Exchange(whole.request, None, whole.held, whole.keep_alive))

    def _on_fault(self, head: Head | None, reason: Response | Fault, held: Held) -> None:
        response = reason if isinstance(reason, Response) else self._site.refuse(head, reason)
        self._refused = True
        self._enqueue(_Exchange(None, response, held, keep_alive=False))

    def _on_continue(self) -> None:
        if not self._waiting:  # else it would come before an earlier request's answer
            self._transport.write(_CONTINUE)

    # answering

    def _enqueue(self, exchange: _Exchange) -> None:
        self._waiting.append(exchange)
        if self._task is None:
            self._task = self._loop.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting:
                exchange = self._waiting[0]
                try:
                    response = exchange.response or await self._handle(exchange.request)
                    closing = await self._write(response, exchange)
                finally:
                    exchange.held.release()
                    self._waiting.popleft()
                if closing:
                    break
        finally:
            self._task = None
            while self._waiting:
                self._waiting.popleft().held.release()
        self._intake.rest()
        if not self._transport.is_closing():
            self._transport.resume_reading()

    async def _handle(self, request: Request | None) -> Response:
        try:
            return await self._site.handler(cast("Request", request))
        except Exception:  # noqa: BLE001 -- whatever it was, the client needs an answer and the others their server
            _log.exception("a request could not be handled")
            return self._site.refuse(request, "failed")

    async def _write(self, response: Response, exchange: _Exchange) -> bool:
        """Write the answer; tells whether it was the connection's last."""
        closing = not exchange.keep_alive or self._site.stopping or (self._intake.ended and len(self._waiting) == 1)
        try:
            if self._transport.is_closing():
                return True
            head = _head_bytes(response, closing=closing)
            if exchange.request is None or exchange.request.method != "HEAD":
                self._transport.write(head + response.body)  # at once: each write lets other threads run first
                await self._write_large(response.large)
            else:
                self._transport.write(head)
            await self._writable.wait()
        finally:
            if response.large is not None:
                response.large.close()
        if closing:
            self._close()
        return closing

    async def _write_large(self, large: Large | None) -> None:
        """Part by part, as fast as the peer reads."""
        while large is not None and not self._transport.is_closing() and (part := large.file.read(_PART)):
            self._transport.write(part)
            await self._writable.wait()

    def _close(self) -> None:
        """After an early answer, read on for a moment: closing with unread bytes would reset the answer away."""
        self._intake.ended = True
        if self._refused and not self._half_closed and not self._transport.is_closing():
            if self._transport.can_write_eof():
                with contextlib.suppress(OSError):  # the peer is gone already
                    self._transport.write_eof()
            self._transport.resume_reading()
            self._loop.call_later(self._site.limits.drain_seconds, self._transport.close)
            return
        self._transport.close()

    # time

    def busy(self) -> bool:
        """A request is being read or answered."""
        return self._task is not None or self._intake.phase != "idle"

    def check(self, now: float) -> None:
        """Close the connection if it broke a limit of time."""
        limits, intake = self._site.limits, self._intake
        if self._task is not None or intake.ended:
            late = not self._writable.is_set() and now - intake.heard > limits.request_seconds
        elif intake.phase == "idle":
            late = now - intake.since > limits.idle_seconds or self._site.stopping
        elif intake.phase == "head":
            late = now - intake.since > limits.header_seconds
        else:
            late = stalls(limits, now, intake.since, intake.heard, intake.received)
        if late:
            self._transport.abort()

    async def finish(self) -> None:
        """Wait for what is being answered."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def abort(self) -> None:
        """Close now."""
        self._transport.abort()


def _head_bytes(response: Response, *, closing: bool) -> bytes:
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = ""
    headers: dict[str, Any] = {}
    if response.status != HTTPStatus.NO_CONTENT:  # which has no body, and may not give its length
        length = len(response.body) + (response.large.size if response.large else 0)
        headers = {"Content-Type": response.content_type, "Content-Length": length}
    headers |= response.headers
    if closing:
        headers["Connection"] = "close"
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {response.status:d} {phrase}\r\n{lines}\r\n".encode("latin-1")
