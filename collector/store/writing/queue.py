"""Requests on their way into the store, in the order in which they came, and which of them were answered already.

The writer's thread takes groups off (`gather`) and says what became of them. While it is held up by something longer, another
thread may take a look (`to_answer`), keep what waits elsewhere (`spool`) and have it answered; it stays in its place here.

In a burst nobody waits for the writer at all, and the writer waits until there is a large group. A commit of 64 rows takes 7 ms
of the processor, one of 1,000 takes 9 (measured). And the database writes whole row groups straight into its file: smaller ones
go into its log first and then into the file, which takes 12.9 µs a span instead of 6.9, where one INSERT of all takes 6.8.
"""

import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from itertools import islice

from collector.decode.decoded import Decoded
from collector.store.errors import Busy, StoreError
from collector.store.writing.arrivals import WINDOW, Arrivals
from collector.store.writing.door import Door
from collector.store.writing.group import Receipt, Request, promise
from collector.store.writing.limits import WriterLimits

PATIENCE = 0.02
"""Seconds that a request waits for a writer that is held up, before it is answered otherwise: most appends take less."""

CATCH_UP = 5.0
"""Seconds that a reader waits at most for what was answered from the spool."""


class Queue:
    """Safe to use from any thread. `changed` is the lock of it and of the door; it is shared with the writer."""

    def __init__(self, changed: threading.Condition, door: Door, limits: WriterLimits) -> None:
        self._changed, self._door, self._limits = changed, door, limits
        self._requests: deque[Request] = deque()
        self._seen = 0  # so many at the front were looked at by `to_answer`
        self._put_back: deque[Request] = deque()
        self._arrivals = Arrivals()
        self._rows = 0  # of requests that stand here
        self._ready = 0  # of those among them that were answered
        self._declined = 0  # requests that the spool did not take: they wait for the writer
        self._readers = 0  # who wait for what was answered
        self._promised = (
            0  # commits of requests that were answered early, also by an earlier process or before another try
        )
        self._kept = 0  # of them those that were made or put back
        self._keeping = self._held_up = self._ended = False
        self.stood_in = False
        """Whether somebody answers what waits (`to_answer`)."""
        self.waiting_bytes = 0
        self.answered = 0
        """Requests that were answered early since the start."""

    def __len__(self) -> int:
        return len(self._requests)

    @property
    def put_back(self) -> int:
        """Answered requests that could not be committed yet."""
        return len(self._put_back)

    def submit(self, decoded: Decoded) -> Request:
        """Take a request. Raises Busy where too much waits, and what the door says."""
        with self._changed:
            if refusal := self._door.refusal():
                raise refusal
            # One request alone is always taken: else a large one could never get in.
            if self.waiting_bytes and self.waiting_bytes + decoded.size > self._limits.queue_bytes:
                raise Busy(retry_after=1.0)
            return self._take(Request(decoded, promise(), time.monotonic()))

    def resume(self, decoded: Decoded) -> Request:
        """Take a request that was answered before this process began. To be called before any other comes."""
        with self._changed:
            self._promised += 1
            self._seen += 1
            return self._take(Request(decoded, promise(), time.monotonic(), later=promise()))

    def gather(self) -> list[Request]:
        """The next group: what is there, and what comes within the first request's time of waiting. There must be one."""
        with self._changed:
            self._await_company()
            limits, group, rows, size = self._limits, [], 0, 0
            answered = self._requests[0].later is not None  # then nobody waits for the group, but for who came since
            most, largest = (limits.burst_rows, limits.burst_bytes) if answered else (limits.rows, limits.bytes)
            while self._requests and (not group or (rows < most and size < largest)):
                if answered and self._requests[0].later is None:
                    break
                request = self._requests.popleft()
                group.append(request)
                rows, size = rows + request.decoded.rows, size + request.decoded.size
                self._note_taken(request)
            return group

    def again(self) -> list[Request]:
        """One of those that were put back, by itself: it may be the one that cannot be committed."""
        with self._changed:
            request = self._put_back.popleft()
            self._promised += 1
            return [request]

    def committed(self, results: Iterable[tuple[Request, Receipt]]) -> None:
        """Tell the senders."""
        with self._changed:
            done = [(request, request.later, receipt) for request, receipt in results]
            for request, later, _ in done:
                self._settle(request)
                self._kept += later is not None
            self._changed.notify_all()
        for request, later, receipt in done:
            (later or request.future).set_result(receipt)

    def failed(self, group: Sequence[Request], error: StoreError) -> None:
        """Nothing of a group is stored: who was not answered is to send again, the others are kept for another try."""
        with self._changed:
            kept = [request for request in group if request.later is not None]
            refused = [request for request in group if request.later is None]
            self._kept += len(kept)
            self._put_back.extend(kept)
            for request in refused:
                self._settle(request)
            self._changed.notify_all()
        for request in refused:
            request.future.set_exception(error)

    def refuse(self, error: StoreError) -> None:
        """Likewise for all that waits."""
        with self._changed:
            waiting = list(self._requests)
            self._requests.clear()
            self._rows = self._ready = self._seen = 0
        self.failed(waiting, error)

    @contextmanager
    def held_up(self) -> Generator[None]:
        """The writer does something longer inside."""
        with self._changed:
            self._held_up = True
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._held_up = False

    def to_answer(self) -> list[Request]:
        """Wait until requests are to be answered before their commit, and return them; none: the queue was ended.

        In a burst these are all, else those that have waited for a writer that is held up. Each is
        returned once. `answer` is to be called with them, or with none, before the next call.
        """
        with self._changed:
            while not self._ended:
                wait = None
                burst = self._burst()
                if (burst or self._held_up) and not self._door.refusal() and len(self._requests) > self._seen:
                    patience = 0.0 if burst else PATIENCE
                    wait = self._requests[self._seen].arrived + patience - time.monotonic()
                    if wait <= 0:
                        found = list(islice(self._requests, self._seen, None))
                        self._seen += len(found)
                        self._keeping = True
                        return found
                self._changed.wait(wait)
            return []

    def answer(self, kept: Sequence[Request], declined: Sequence[Request], seq: int) -> None:
        """Tell the senders of what is kept, but for what was committed or refused meanwhile; others wait for the writer."""
        with self._changed:
            early = [request for request in kept if not request.settled]
            for request in early:
                request.later = promise()
                self._ready += 0 if request.taken else request.decoded.rows
            for request in declined:
                request.declined = not request.settled
                self._declined += request.declined
            self._promised += len(early)
            self.answered += len(early)
            self._keeping = False
            self._changed.notify_all()
        for request in early:
            request.future.set_result(Receipt(seq, 0, 0, later=request.later))

    def await_kept(self) -> None:
        """Return when nothing is being kept. Behind a shut door nothing more is then."""
        with self._changed:
            self._changed.wait_for(lambda: not self._keeping)

    def catch_up(self, longest: float = CATCH_UP) -> None:
        """Return when readers see what was answered by now, as far as it can be committed, or after so many seconds."""
        if (upto := self._promised) > self._kept:  # they are committed in their order
            with self._changed:
                self._readers += 1
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._kept >= upto or self._ended, longest)
                self._readers -= 1

    def end(self) -> None:
        """Let `to_answer` return."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _await_company(self) -> None:
        """Wait until the next group is to be taken."""
        limits = self._limits
        while not self._door.refusal():
            burst = self._burst()
            if burst:
                enough = self._ready >= limits.burst_rows or self.waiting_bytes >= limits.burst_bytes
                enough = enough or bool(self._declined or self._readers)
            else:
                enough = self._rows >= limits.rows or self.waiting_bytes >= limits.bytes
            longest = limits.burst_seconds if burst else limits.seconds
            left = self._requests[0].arrived + longest - time.monotonic()
            if enough or left <= 0:
                return
            self._changed.wait(min(left, WINDOW))  # it may not be a burst any more then

    def _burst(self) -> bool:
        """More comes than small groups can carry: many rows, or many requests."""
        rate, limits = self._arrivals.rate(), self._limits
        return self.stood_in and (rate.rows >= limits.burst_rate or rate.requests >= limits.burst_requests)

    def _note_taken(self, request: Request) -> None:
        request.taken = True
        self._rows -= request.decoded.rows
        self._ready -= request.decoded.rows if request.later else 0
        self._seen = max(self._seen - 1, 0)

    def _take(self, request: Request) -> Request:
        self._arrivals.note(request.decoded.rows, request.decoded.requests)
        self._rows += request.decoded.rows
        self._ready += request.decoded.rows if request.later else 0
        self.waiting_bytes += request.decoded.size
        self._requests.append(request)
        self._changed.notify_all()
        return request

    def _settle(self, request: Request) -> None:
        request.settled = True
        self._declined -= request.declined
        self.waiting_bytes -= request.decoded.size
