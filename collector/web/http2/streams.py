"""The streams of one connection: opened by a head, fed, answered once, forgotten (RFC 9113, 5.1 and 8.1)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from collector.web.http2 import frames
from collector.web.http2.calls import Reply
from collector.web.http2.closed import Closed
from collector.web.http2.frames import Code
from collector.web.http2.heading import Heading
from collector.web.http2.outgoing import Outgoing
from collector.web.http2.site import Site
from collector.web.http2.stream import Stream
from collector.web.limits_of_time import stalls

_log = logging.getLogger(__name__)


class Streams:
    """Those that are open, by number. `on_answer` is called with each answer, `on_idle` when the last stream is over."""

    def __init__(
        self, site: Site, write: Callable[[bytes], None], on_answer: Callable[[], None], on_idle: Callable[[], None]
    ) -> None:
        self._site, self._write = site, write
        self._on_answer, self._on_idle = on_answer, on_idle
        self.out = Outgoing(write)
        self.closed = Closed()
        self.open: dict[int, Stream] = {}
        self._working: dict[Stream, asyncio.Task[None]] = {}
        self._orphans = 0

    @property
    def busy(self) -> bool:
        """Whether a stream is open, or the answer of one that is gone is still being made."""
        return bool(self.open or self._working)

    def begin(self, number: int, heading: Heading, now: float, *, ends: bool) -> None:
        """A request's head came."""
        bounds, service = self._site.bounds, self._site.service
        stream = Stream(number, now, bounds.stream_window, self.out.settings.window)
        stream.ended = ends
        self.open[number] = stream
        if len(self.open) + self._orphans > bounds.streams:
            self.reset(stream, Code.REFUSED_STREAM)
        elif heading.large:
            self.answer(stream, service.refuse("head_too_large"))
        elif heading.head is None:
            self.reset(stream, Code.PROTOCOL_ERROR)
        else:
            opened = service.open(heading.head)
            if isinstance(opened, Reply):
                self.answer(stream, opened)
                return
            stream.call, stream.expected = opened, heading.length
            if ends:
                self.whole(stream)

    def feed(self, stream: Stream, piece: bytes, flow: int, now: float, *, ends: bool) -> None:
        """More of a body, which took `flow` bytes of the window (RFC 9113, 6.9)."""
        stream.window -= flow
        if stream.ended or stream.window < 0:
            self.reset(stream, Code.STREAM_CLOSED if stream.ended else Code.FLOW_CONTROL_ERROR)
            return
        stream.heard = now
        if stream.call is None:  # answered already; the end of the answer waits for room
            stream.ended = ends
            return
        if piece:
            stream.received += len(piece)
            reply = stream.call.feed(piece)
            if reply is not None:
                stream.ended = ends
                self.answer(stream, reply)
                return
        if ends:
            self.whole(stream)
        elif stream.window < self._site.bounds.stream_window // 2:
            more = self._site.bounds.stream_window - stream.window
            stream.window += more
            self._write(frames.window_update(stream.number, more))

    def whole(self, stream: Stream) -> None:
        """The peer has sent all of it."""
        stream.ended = True
        call = stream.call
        if call is None:
            return
        if stream.expected not in (-1, stream.received):
            self.reset(stream, Code.PROTOCOL_ERROR)
            return
        stream.call = None
        outcome = call.end()
        if isinstance(outcome, Reply):
            self.answer(stream, outcome)
            return
        stream.working = True
        self._working[stream] = asyncio.get_running_loop().create_task(self._work(stream, outcome))

    def answer(self, stream: Stream, reply: Reply) -> None:
        """The answer of a stream, or as much of it as there is room for."""
        stream.give_up()
        self._on_answer()
        if self.out.answer(stream, reply):
            self._finish(stream)

    def send_more(self) -> None:
        """The peer made room."""
        for stream in self.out.more():
            self._finish(stream)

    def reset(self, stream: Stream, code: Code) -> None:
        """End a stream without an answer."""
        self._write(frames.rst_stream(stream.number, code))
        self.closed.add(stream.number, max(stream.window, 0))
        self.forget(stream)

    def taken_back(self, stream: Stream) -> None:
        """The peer reset it. An answer that is being made is finished, and goes nowhere (G-11)."""
        self.closed.add(stream.number, None)
        self.forget(stream)

    def forget(self, stream: Stream) -> None:
        """It is over."""
        del self.open[stream.number]
        self.out.forget(stream)
        stream.gone = True
        stream.give_up()
        if stream.working:
            self._orphans += 1
        if not self.open:
            self._on_idle()

    def cut_off(self) -> None:
        """The peer sends no more: bodies that are not whole will never be."""
        for stream in list(self.open.values()):
            if not stream.ended:
                self.forget(stream)

    def check(self, now: float) -> None:
        """End what broke a limit of time."""
        limits = self._site.limits
        for stream in list(self.open.values()):
            if stream.call is not None and stalls(limits, now, stream.since, stream.heard, stream.received):
                self.answer(stream, self._site.service.refuse("slow"))
            elif stream.reply is not None and now - stream.heard > limits.request_seconds:
                self.reset(stream, Code.CANCEL)

    def _finish(self, stream: Stream) -> None:
        """It is answered. A peer that still sends need not go on (RFC 9113, 8.1)."""
        number = stream.number
        if stream.ended:
            self.closed.add(number, None)
        else:
            self._write(frames.rst_stream(number, Code.NO_ERROR))
            self.closed.add(number, stream.window)
        del self.open[number]
        if not self.open:
            self._on_idle()

    async def _work(self, stream: Stream, answering: Awaitable[Reply]) -> None:
        try:
            try:
                reply = await answering
            except Exception:  # noqa: BLE001 -- whatever it was, the client needs an answer and the others their server
                _log.exception("a request could not be handled")
                reply = self._site.service.refuse("failed")
        finally:
            del self._working[stream]
            self._orphans -= stream.gone
        if stream.gone:
            if not self.open:
                self._on_idle()
        else:
            self.answer(stream, reply)
