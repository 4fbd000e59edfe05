"""OTLP files into an open store, with a progress bar in a terminal and a count of what became of their rows."""

import sys
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path

from collector.answer.local import LocalStore
from collector.answer.remote import RemoteStore
from collector.cli.forwarding import Deliver, Refused, delivery
from collector.cli.render.progress import Progress
from collector.printable import clean
from collector.receive import files
from collector.store.errors import Busy, NoSpace, Unavailable
from collector.store.writing.group import Receipt

AHEAD = 64
"""Requests that may wait for their commit while the next files are read."""


class Loading:
    """Puts files into a store and remembers what happened.

    `unreadable` counts the files that were skipped as corrupt or refused by a collector, `unbuilt` names the loaded traces
    that could not be made into trees.
    """

    def __init__(self, store: LocalStore | RemoteStore) -> None:
        self.unreadable = 0
        self.unbuilt: list[str] = []
        self._store = store
        self._stored = {"spans": 0, "logs": 0}
        self._duplicates = self._rejected = 0
        self._traces: set[bytes] = set()
        self._refused: set[Path] = set()
        self._waiting: deque[tuple[files.Batch, Future[Receipt]]] = deque()

    def put(self, paths: Iterable[Path]) -> None:
        """Load all files under these paths; returns when their rows are committed."""
        found = list(files.find(paths))
        with delivery(self._store) as deliver, Progress(sum(file.size for file in found)) as progress:
            for file in found:
                for outcome in files.read(file):
                    self._take(outcome, deliver, progress)
                progress.advance(file.size)
            self._settle_down(0, progress)

    def settle(self) -> None:
        """Have the trees built, and say which could not be."""
        self.unbuilt = [trace for trace in self._store.settle() if bytes.fromhex(trace) in self._traces]
        if self.unbuilt:
            more = f", and {_many(len(self.unbuilt) - 1, 'other')}" if len(self.unbuilt) > 1 else ""
            said = f"The trace {self.unbuilt[0]}{more} could not be made into a tree. The spans are stored; please report it."
            print(said, file=sys.stderr)  # noqa: T201 (it speaks)

    @property
    def exit_code(self) -> int:
        """0 where everything was loaded and understood, else 2."""
        return 2 if self.unreadable or self.unbuilt else 0

    def summary(self) -> str:
        """One sentence for people."""
        said = [f"{_many(self._stored['spans'], 'span')} and {_many(self._stored['logs'], 'log record')}"]
        said += [f"{self._duplicates:,} were there already"] if self._duplicates else []
        said += [f"{self._rejected:,} were refused"] if self._rejected else []
        said += [f"{_many(self.unreadable, 'file')} could not be read"] if self.unreadable else []
        said += [f"{_many(len(self.unbuilt), 'trace')} could not be made into trees"] if self.unbuilt else []
        if isinstance(self._store, RemoteStore):
            return f"Sent to the collector that has the store open: {'; '.join(said)}."
        return f"Loaded {'; '.join(said)}."

    def _take(self, outcome: files.Outcome, deliver: Deliver, progress: Progress) -> None:
        match outcome:
            case files.Batch(decoded=decoded):
                self._traces.update(key[:16] for key in decoded.keys)
                self._waiting.append((outcome, self._submit(outcome, deliver, progress)))
                self._rejected += sum(decoded.rejected.values())  # those of deleted traces among them
                self._settle_down(AHEAD, progress)
            case files.PassedOver(path=path, note=note):
                progress.note(f"{clean(str(path))}: passed over, {note}")
            case files.Unreadable():
                self.unreadable += 1
                progress.note(f"{clean(str(outcome))}")

    def _submit(self, batch: files.Batch, deliver: Deliver, progress: Progress) -> "Future[Receipt]":
        while True:
            try:
                return deliver(batch)
            except Busy as busy:  # the writer is behind: our own requests are what it works on
                self._settle_down(len(self._waiting) // 2, progress)
                time.sleep(min(busy.retry_after, 0.05))
            except NoSpace:  # waiting gives no room: the person must
                raise
            except Unavailable as pause:
                time.sleep(min(pause.retry_after, 0.5))

    def _settle_down(self, ahead: int, progress: Progress) -> None:
        """Wait until at most `ahead` requests have no commit yet."""
        while len(self._waiting) > ahead:
            batch, future = self._waiting.popleft()
            try:
                receipt = future.result().final()
            except Refused as refusal:
                self.unreadable += batch.path not in self._refused
                self._refused.add(batch.path)
                progress.note(clean(str(files.Unreadable(batch.path, str(refusal), batch.place))))
                continue
            self._stored[batch.decoded.kind] += receipt.stored
            self._duplicates += receipt.duplicates
            self._rejected += sum(receipt.rejected.values())


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
