"""Requests on their way into the store, in the order in which they came, and which of them were answered already.

The writer's thread takes groups off (`gather`) and says what became of them. In a burst, and while it is held up by something
longer, another thread may take a look (`to_answer`), keep what waits elsewhere (`spool`) and have it answered; it stays in its
place here.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from itertools import islice

from collector.decode.decoded import Decoded
from collector.store.errors import Busy, StoreError
from collector.store.writing.arrivals import WINDOW
from collector.store.writing.door import Door
from collector.store.writing.group import Receipt, Request, promise
from collector.store.writing.limits import WriterLimits
from collector.store.writing.pace import Pace
from collector.store.writing.promises import Promises


class Queue:
    """Safe to use from any thread. `changed` is the lock of it and of the door; it is shared with the writer."""

    def __init__(self, changed: threading.Condition, door: Door, limits: WriterLimits) -> None:
        self._changed, self._door = changed, door
        self._most_bytes = limits.queue_bytes
        self._pace = Pace(limits)
        self._requests: deque[Request] = deque()
        self._seen = 0  # so many at the front were looked at by `to_answer`
        self._rows = 0  # of requests that stand here
        self._ready = 0  # of those among them that were answered
        self._declined = 0  # requests that the spool did not take: they wait for the writer
        self._keeping = self._ended = False
        self.promises = Promises(changed)
        """What was answered and is not committed."""
        self.waiting_bytes = 0
        self.answered = 0
        """Requests that were answered early since the start."""

    def __len__(self) -> int:
        return len(self._requests)

    def stand_in(self) -> None:
        """Somebody answers what waits from now on (`to_answer`)."""
        self._pace.stood_in = True

    def submit(self, decoded: Decoded) -> Request:
        """Take a request. Raises Busy where too much waits, and what the door says."""
        with self._changed:
            if refusal := self._door.refusal():
                raise refusal
            # One request alone is always taken: else a large one could never get in.
            if self.waiting_bytes and self.waiting_bytes + decoded.size > self._most_bytes:
                raise Busy(retry_after=1.0)
            return self._take(Request(decoded, promise(), time.monotonic()))

    def resume(self, decoded: Decoded) -> Request:
        """Take a request that was answered before this process began. To be called before any other comes."""
        with self._changed:
            self.promises.make()
            self._seen += 1
            return self._take(Request(decoded, promise(), time.monotonic(), later=promise()))

    def gather(self, hurried: Callable[[], object] = bool) -> list[Request]:
        """The next group: what is there, and what comes within the first request's time of waiting. There must be one.

        None, where the writer is hurried by something else while nobody waits for the group.
        """
        with self._changed:
            if not self._await_company(hurried):
                return []
            group, rows, size = [], 0, 0
            answered = self._requests[0].later is not None  # then nobody waits for the group, but for who came since
            most = self._pace.bounds(answered=answered)
            while self._requests and (not group or (rows < most.rows and size < most.bytes)):
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
            return [self.promises.again()]

    def committed(self, results: Iterable[tuple[Request, Receipt]]) -> None:
        """Tell the senders."""
        with self._changed:
            done = [(request, request.later, receipt) for request, receipt in results]
            for request, _, _ in done:
                self._settle(request)
            self.promises.keep(sum(later is not None for _, later, _ in done))
            self._changed.notify_all()
        for request, later, receipt in done:
            (later or request.future).set_result(receipt)

    def failed(self, group: Sequence[Request], error: StoreError) -> None:
        """Nothing of a group is stored: who was not answered is to send again, the others are kept for another try."""
        with self._changed:
            kept = [request for request in group if request.later is not None]
            refused = [request for request in group if request.later is None]
            self.promises.put_off(kept)
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
            self._pace.held_up = True
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._pace.held_up = False

    def to_answer(self) -> list[Request]:
        """Wait until requests are to be answered before their commit, and return them; none: the queue was ended.

        In a burst these are all, else those that have waited for a writer that is held up. Each is returned once. `answer` is
        to be called with them, or with none, before the next call.
        """
        with self._changed:
            while not self._ended:
                wait, patience = None, self._pace.patience()
                if patience is not None and not self._door.refusal() and len(self._requests) > self._seen:
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
            self.promises.make(len(early))
            self.answered += len(early)
            self._keeping = False
            self._changed.notify_all()
        for request in early:
            request.future.set_result(Receipt(seq, 0, 0, later=request.later))

    def await_kept(self) -> None:
        """Return when nothing is being kept. Behind a shut door nothing more is then."""
        with self._changed:
            self._changed.wait_for(lambda: not self._keeping)

    def end(self) -> None:
        """Let `to_answer` return."""
        with self._changed:
            self._ended = True
            self.promises.end()
            self._changed.notify_all()

    def _await_company(self, hurried: Callable[[], object]) -> bool:
        """Wait until the next group is to be taken; False: something else comes first."""
        while not self._door.refusal():
            burst = self._pace.burst()
            most = self._pace.bounds(answered=burst)
            enough = self.waiting_bytes >= most.bytes or (self._ready if burst else self._rows) >= most.rows
            awaited = burst and (self._declined or self.promises.readers)
            left = self._requests[0].arrived + most.seconds - time.monotonic()
            if enough or awaited or left <= 0:
                return True
            if hurried():
                return False
            self._changed.wait(min(left, WINDOW))  # it may not be a burst any more then
        return True

    def _note_taken(self, request: Request) -> None:
        request.taken = True
        self._rows -= request.decoded.rows
        self._ready -= request.decoded.rows if request.later else 0
        self._seen = max(self._seen - 1, 0)

    def _take(self, request: Request) -> Request:
        self._pace.note(request.decoded.rows, request.decoded.requests)
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
