"""A lock whose holders take turns: who asked first is next.

An ordinary lock may be taken again by the thread that just gave it back, over and over, while others wait.
"""

import threading
from types import TracebackType


class Turns:
    """Use it as `with turns:`. Not to be entered twice by one thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._next = 0
        self._now = 0

    def __enter__(self) -> None:
        with self._changed:
            mine = self._next
            self._next += 1
            self._changed.wait_for(lambda: self._now == mine)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._changed:
            self._now += 1
            self._changed.notify_all()
