"""An endpoint that has no room for the moment."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from tests.conformance.bodies import good, trace
from tests.conformance.item import need
from tests.conformance.target import Target

ROOM = 100_000
SMALL = {"in_flight_bytes": ROOM, "body_idle_seconds": 60, "metrics": "refuse"}
"""An endpoint in which few bytes may be in flight, and which takes no metrics."""


@contextmanager
def crowded(at: Target) -> Generator[tuple[Target, Callable[[], None]]]:
    """One more endpoint whose room for bytes is taken by a body that does not end; and what ends that body."""
    with at.one_more(**SMALL) as busy, busy.raw() as raw:
        raw.sendall(busy.head(f"Content-Length: {ROOM}") + bytes(ROOM - 10))
        deadline = time.monotonic() + 10
        while busy.post(busy.body("http", good(trace()))).code == 200:
            need(time.monotonic() < deadline, "all bytes in flight are taken, and more are accepted")
            time.sleep(0.02)

        def leave() -> None:
            with suppress(OSError):
                raw.close()

        yield busy, leave
