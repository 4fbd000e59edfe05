"""Requests on their way into the store, in the order in which they came, and which of them were answered already.

The writer's thread takes groups off (`gather`) and says what became of them. While it is held up by something longer, another
thread may take a look (`to_answer`), keep what waits elsewhere (`spool`) and have it answered; it stays in its place here.
"""

import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from itertools import islice

from collector.decode.decoded import Decoded
from collector.store.errors import Busy, StoreError
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
        self._promised = (
            0  # commits of requests that were answered early, also by an earlier process or before another try
        )
        self._kept = 0  # of them those that were made or put back
        self._keeping = self._held_up = self._ended = False
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

    def resume(self, decoded: Decoded) -> None:
        """Take a request that was answered before this process began. To be called before any other comes."""
        with self._changed:
            self._promised += 1
            self._seen += 1
            self._take(Request(decoded, promise(), time.monotonic(), later=promise()))

    def gather(self) -> list[Request]:
        """The next group: what is there, and what comes within the first request's time of waiting. There must be one."""
        limits, group, rows, size = self._limits, [], 0, 0
        deadline = self._requests[0].arrived + limits.seconds
        with self._changed:
            while True:
                while self._requests and (not group or (rows < limits.rows and size < limits.bytes)):
                    request = self._requests.popleft()
                    group.append(request)
                    rows, size = rows + request.decoded.rows, size + request.decoded.size
                    self._seen = max(self._seen - 1, 0)
                left = deadline - time.monotonic()
                if rows >= limits.rows or size >= limits.bytes or left <= 0 or self._door.refusal():
                    return group
                self._changed.wait(left)

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
            self._seen = 0
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
        """Wait until requests have waited for a writer that is held up, and return them; none: the queue was ended.

        Each is returned once. `answer` is to be called with them, or with none, before the next call.
        """
        with self._changed:
            while not self._ended:
                wait = None
                if self._held_up and not self._door.refusal() and len(self._requests) > self._seen:
                    wait = self._requests[self._seen].arrived + PATIENCE - time.monotonic()
                    if wait <= 0:
                        found = list(islice(self._requests, self._seen, None))
                        self._seen += len(found)
                        self._keeping = True
                        return found
                self._changed.wait(wait)
            return []

    def answer(self, requests: Iterable[Request], seq: int) -> None:
        """These are kept: tell their senders, but for those that were committed or refused meanwhile."""
        with self._changed:
            early = [request for request in requests if not request.settled]
            for request in early:
                request.later = promise()
            self._promised += len(early)
            self.answered += len(early)
            self._keeping = False
            self._changed.notify_all()
        for request in early:
            request.future.set_result(Receipt(seq, 0, 0, later=request.later))

    def all_committed(self) -> bool:
        """Whether nothing of what was answered, or is about to be, has still to be committed. To be asked under the lock."""
        return self._promised == self._kept and not self._put_back and not self._keeping

    def catch_up(self, longest: float = CATCH_UP) -> None:
        """Return when readers see what was answered by now, as far as it can be committed, or after so many seconds."""
        if (upto := self._promised) > self._kept:  # they are committed in their order
            with self._changed:
                self._changed.wait_for(lambda: self._kept >= upto or self._ended, longest)

    def end(self) -> None:
        """Let `to_answer` return."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _take(self, request: Request) -> Request:
        self.waiting_bytes += request.decoded.size
        self._requests.append(request)
        self._changed.notify_all()
        return request

    def _settle(self, request: Request) -> None:
        request.settled = True
        self.waiting_bytes -= request.decoded.size
