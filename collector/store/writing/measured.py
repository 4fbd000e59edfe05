"""The committer with a watch: how long groups and checkpoints take, and what they hold."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from collector.measure.tally import Clocked
from collector.store.file.database import Database
from collector.store.writing.commit import Committer
from collector.store.writing.group import Rows


@dataclass
class Measured:
    """What was measured since the store was opened. The writer's thread writes, any thread may read."""

    commits: Clocked = field(default_factory=Clocked)
    checkpoints: Clocked = field(default_factory=Clocked)
    checkpoint_at: float = 0.0
    """When the last checkpoint ended, in Unix time; 0: none yet."""
    revisions: int = 0
    """Spans that came with another content than before."""
    failures: int = 0
    """Groups whose commit failed."""


class MeasuredCommitter(Committer):
    """As `Committer`, and notes what it took."""

    def __init__(self, database: Database, clock: Callable[[], int] = time.time_ns) -> None:
        super().__init__(database, clock)
        self.measured = Measured()

    def commit(self, spans: Rows | None, logs: Rows | None) -> list[str]:
        """Store a group (see `Committer`)."""
        begun = time.perf_counter()
        try:
            traces = super().commit(spans, logs)
        except Exception:
            self.measured.failures += 1
            raise
        self.measured.commits.add(time.perf_counter() - begun)
        if spans is not None:
            self.measured.revisions += len(spans.verdict.superseded)
        return traces

    def checkpoint(self, *, merge: bool) -> bool:
        """Move the log into the file (see `Committer`)."""
        begun = time.perf_counter()
        done = super().checkpoint(merge=merge)
        if done:
            self.measured.checkpoints.add(time.perf_counter() - begun)
            self.measured.checkpoint_at = time.time()
        return done
