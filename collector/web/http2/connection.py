"""One HTTP/2 connection as asyncio sees it: bytes in and out, limits of time, a graceful end."""

import asyncio
import contextlib
import logging
from typing import cast

from collector.web.http2 import greeting
from collector.web.http2.frames import PREFACE, Code, ConnectionFault
from collector.web.http2.session import Session
from collector.web.http2.site import Site

_log = logging.getLogger(__name__)


class Connection(asyncio.BufferedProtocol):
    """Reads into `buffer`, which connections share (see `Port`)."""

    def __init__(self, site: Site, buffer: memoryview) -> None:
        self._site, self._buffer = site, buffer
        self._loop = asyncio.get_running_loop()
        self._made = self._loop.time()
        self._first = b""
        self._session: Session | None = None
        self._out: list[bytes] = []
        self._ended = self._half_closed = False
        self._stuck_since = self._left_at = 0.0
        self._discarded = 0

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A peer connected; one too many is turned away at once, and will come again."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        if not self._site.enter(self, self._peer):
            self._ended = True
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 -- asyncio names it
        """What is being answered is finished, so that what is committed is committed; the answer goes nowhere (G-11)."""
        self._site.leave(self, self._peer)
        self._ended = True
        if self._session is not None:
            self._session.drop()

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 -- asyncio names it
        """Where the next bytes go."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """They came."""
        data, now = self._buffer[:nbytes], self._loop.time()
        if self._ended:
            self._discarded += nbytes
            if self._discarded > self._site.limits.drain_bytes:
                self._transport.abort()
            return
        try:
            if self._session is None:
                self._greet(bytes(data), now)
            else:
                self._session.heard = now
                self._session.feed(data)
        except ConnectionFault as fault:
            self._end(fault)
        except Exception:  # noqa: BLE001 -- a fault of ours ends this connection alone
            _log.exception("a connection could not be read")
            self._end(ConnectionFault(Code.INTERNAL_ERROR, ""))
        self._flush()
        if self._ended:
            self._linger()

    def eof_received(self) -> bool:
        """The peer sends no more. What it asked for is answered; over TLS asyncio cannot keep the other direction open."""
        if self._ended or self._session is None or self._transport.get_extra_info("sslcontext") is not None:
            return False
        self._session.streams.cut_off()
        if not self.busy():
            return False
        self._half_closed = True
        return True

    def pause_writing(self) -> None:
        """The peer does not read what it asked for: until it does, it is not read either."""
        self._stuck_since = self._loop.time()
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        """The peer has caught up."""
        self._stuck_since = 0.0
        if not self._transport.is_closing():
            self._transport.resume_reading()

    # the session's side

    def _greet(self, data: bytes, now: float) -> None:
        """The first bytes: HTTP/2 begins, or this is somebody else (G-13)."""
        self._first += data
        match greeting.kind(self._first):
            case "http2":
                self._session = session = Session(self._site, self._peer, self._write, self._on_idle)
                session.heard = session.active = now
                session.start()
                rest, self._first = self._first[len(PREFACE) :], b""
                session.feed(rest)
            case "http1":
                self._write(greeting.http1_answer(self._site.elsewhere))
                self._ended = True
            case "noise":
                self._ended = True

    def _write(self, data: bytes) -> None:
        """Answers that are ready at the same time go out together: each write costs as much as making ten answers."""
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(data)

    def _flush(self) -> None:
        out = self._out
        if out:
            self._out = []
            if not self._transport.is_closing():
                self._transport.write(out[0] if len(out) == 1 else b"".join(out))

    def _on_idle(self) -> None:
        """No stream is open any more."""
        if self._half_closed or (self._session is not None and self._session.refusing):
            self._loop.call_soon(self.close_if_done)

    def _end(self, fault: ConnectionFault) -> None:
        self._ended = True
        if self._session is not None:
            self._session.farewell(fault)
            self._session.drop()

    def _linger(self) -> None:
        """Read on for a moment: closing with unread bytes would reset away what was said last."""
        self._flush()
        if self._transport.is_closing():
            return
        if self._transport.can_write_eof():
            with contextlib.suppress(OSError):  # the peer is gone already
                self._transport.write_eof()
        self._loop.call_later(self._site.limits.drain_seconds, self._transport.abort)

    # time, and the end

    def busy(self) -> bool:
        """A request is being read or answered."""
        return self._session is not None and self._session.streams.busy

    def check(self, now: float) -> None:
        """Close the connection if it broke a limit of time; see it off when its time has come."""
        limits, bounds, session = self._site.limits, self._site.bounds, self._session
        if self._ended:
            return
        if session is None or not session.settled:
            if now - self._made > limits.header_seconds:
                self._transport.abort()
            return
        if self._stuck_since and now - self._stuck_since > limits.request_seconds:
            self._transport.abort()
            return
        try:
            session.check(now)
        except ConnectionFault as fault:
            self._end(fault)
            self._linger()
            return
        if session.leaving:
            if now - self._left_at > bounds.goodbye:
                session.last_call()
            if now - self._left_at > bounds.age_grace:
                self._transport.abort()
            self.close_if_done()
        elif now - self._made > bounds.age or (not self.busy() and now - session.active > limits.idle_seconds):
            self.say_goodbye()

    def say_goodbye(self) -> None:
        """The peer is told to go: what it has asked for is answered, then the connection ends (G-12)."""
        if self._session is None:
            self._transport.abort()
        elif not self._ended and not self._session.leaving:
            self._left_at = self._loop.time()
            self._session.say_goodbye()

    def close_if_done(self) -> None:
        """End a connection that was to end, if everything is answered."""
        session = self._session
        if self._ended or session is None or session.streams.busy:
            return
        if session.refusing or self._half_closed:
            self._ended = True
            self._flush()
            self._transport.close()

    def waits(self) -> bool:
        """Whether something of it is still to be answered or sent; not, where it only listens to the rest of a bad peer."""
        return not self._ended or self._transport.is_closing()

    def abort(self) -> None:
        """Close now."""
        self._flush()
        self._transport.abort()
