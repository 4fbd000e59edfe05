"""The one door for rows: what the rules take out goes here, and what belongs to deleted traces, before the writer gets it."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Protocol

from collector.decode.decoded import Decoded
from collector.store.writing.group import Receipt

DELETED = "deleted"
"""Reason code of a row whose trace was deleted: it is told apart from rows that are at fault."""


class Redact(Protocol):
    """Takes out of rows what must not be stored, by rules of this version."""

    version: str

    def __call__(self, decoded: Decoded) -> Decoded:
        """The same rows, redacted; notes the version in `decoded.rules`."""
        ...


class Intake:
    """Hands rows to `submit`, the writer's. Safe to use from several threads."""

    def __init__(self, submit: Callable[[Decoded], "Future[Receipt]"], redact: Redact | None = None) -> None:
        self._submit = submit
        self.redact = redact
        self._deleted: frozenset[str] = frozenset()
        self._turn = threading.Lock()

    def submit(self, decoded: Decoded) -> "Future[Receipt]":
        """Store rows: the future resolves after their commit. Raises Busy and Unavailable as the writer does."""
        if self.redact is not None and decoded.rules != self.redact.version:
            decoded = self.redact(decoded)
        with self._turn:  # nothing can be looked at before a deletion and handed over after it
            if self._deleted:
                decoded = without(decoded, self._deleted)
            return self._submit(decoded)

    def refuse(self, keys: Iterable[str]) -> None:
        """From now on rows of these traces, and log records of these content hashes, are refused, whoever sends them."""
        with self._turn:
            self._deleted |= frozenset(keys)


def without(decoded: Decoded, deleted: frozenset[str]) -> Decoded:
    """The rows that belong to none of these traces; the others are counted as refused.

    A log record without a trace is known by its content hash, which stands among the ids.
    """
    held = zip(decoded.column("trace_id"), decoded.column("content_hash"), strict=True)
    left = [row for row, (trace, content) in enumerate(held) if (trace or content) not in deleted]
    if len(left) < decoded.rows:
        decoded.keep(left, DELETED)
    return decoded
