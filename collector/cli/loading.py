"""OTLP files into an open store, with a progress bar in a terminal and a count of what became of their rows."""

import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path

from collector.answer.local import LocalStore
from collector.cli.render.progress import Progress
from collector.cli.render.text import clean
from collector.decode import Decoded
from collector.receive import files
from collector.store.errors import Busy, Unavailable
from collector.store.group import Receipt

AHEAD = 64
"""Requests that may wait for their commit while the next files are read."""


class Loading:
    """Puts files into a store and remembers what happened. `unreadable` counts the files that were skipped as corrupt."""

    def __init__(self, store: LocalStore) -> None:
        self.unreadable = 0
        self._store = store
        self._stored = {"spans": 0, "logs": 0}
        self._duplicates = self._rejected = 0
        self._waiting: deque[tuple[str, Future[Receipt]]] = deque()

    def put(self, paths: Iterable[Path]) -> None:
        """Load all files under these paths; returns when their rows are committed."""
        found = list(files.find(paths))
        with Progress(sum(file.size for file in found)) as progress:
            for file in found:
                for outcome in files.read(file):
                    self._take(outcome, progress)
                progress.advance(file.size)
            self._settle_down(0)

    def summary(self) -> str:
        """One sentence for people."""
        said = [f"{_many(self._stored['spans'], 'span')} and {_many(self._stored['logs'], 'log record')}"]
        said += [f"{self._duplicates:,} were there already"] if self._duplicates else []
        said += [f"{self._rejected:,} were refused"] if self._rejected else []
        said += [f"{_many(self.unreadable, 'file')} could not be read"] if self.unreadable else []
        return f"Loaded {'; '.join(said)}."

    def _take(self, outcome: files.Outcome, progress: Progress) -> None:
        match outcome:
            case files.Batch(decoded=decoded):
                self._rejected += sum(decoded.rejected.values())
                self._waiting.append((decoded.kind, self._submit(decoded)))
                self._settle_down(AHEAD)
            case files.PassedOver(path=path, note=note):
                progress.note(f"{clean(str(path))}: passed over, {note}")
            case files.Unreadable():
                self.unreadable += 1
                progress.note(f"{clean(str(outcome))}")

    def _submit(self, decoded: Decoded) -> "Future[Receipt]":
        while True:
            try:
                return self._store.ingest(decoded)
            except Busy as busy:  # the writer is behind: our own requests are what it works on
                self._settle_down(len(self._waiting) // 2)
                time.sleep(min(busy.retry_after, 0.05))
            except Unavailable as pause:
                time.sleep(min(pause.retry_after, 0.5))

    def _settle_down(self, ahead: int) -> None:
        """Wait until at most `ahead` requests have no commit yet."""
        while len(self._waiting) > ahead:
            kind, future = self._waiting.popleft()
            receipt = future.result()
            self._stored[kind] += receipt.stored
            self._duplicates += receipt.duplicates
            self._rejected += sum(receipt.rejected.values())


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
