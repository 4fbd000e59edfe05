"""One thread drives many connections of a bench's client: each has one request at a time, and a refusal is sent again."""

import selectors
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from tests.bench.acknowledged import AGAIN


class Connection(Protocol):
    """Registered with the selector it was made with, as the data of its socket."""

    refused: int

    def next(self) -> bool:
        """Send the next body; False where all are acknowledged."""
        ...

    def send(self) -> None:
        """As much as the socket takes."""
        ...

    def receive(self) -> bool | None:
        """Whether the request is acknowledged; None: the answer is not whole yet."""
        ...


Connect = Callable[[Sequence[bytes], selectors.BaseSelector], Connection]


def drive(connect: Connect, bodies: Sequence[bytes], connections: int) -> tuple[float, int]:
    """Send all bodies over this many connections at once: the seconds until the last answer, and the refusals."""
    with selectors.DefaultSelector() as poll:
        made = [connect(bodies[number::connections], poll) for number in range(connections)]
        waiting: deque[tuple[float, Connection]] = deque()
        began = time.perf_counter()
        running = sum([connection.next() for connection in made])
        while running:
            pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
            for key, events in poll.select(pause):
                connection: Connection = key.data
                if events & selectors.EVENT_WRITE:
                    connection.send()
                done = connection.receive() if events & selectors.EVENT_READ else None
                if done:
                    running -= not connection.next()
                elif done is not None:
                    waiting.append((time.monotonic() + AGAIN, connection))
            while waiting and waiting[0][0] <= time.monotonic():
                waiting.popleft()[1].next()
        return time.perf_counter() - began, sum(connection.refused for connection in made)
