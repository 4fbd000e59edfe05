"""When the writer commits, checkpoints and refuses."""

from dataclasses import dataclass

from collector.store.file.space import FLOOR


@dataclass(frozen=True)
class WriterLimits:
    """When a group is full, and how much may wait."""

    seconds: float = 0.0
    """How long the first request of a group waits for company. What comes while a commit is under way is together anyway."""
    rows: int = 5_000
    bytes: int = 4 << 20
    queue_bytes: int = 256 << 20
    """Decoded bytes that wait or are being written; beyond it `Busy`."""
    idle_seconds: float = 2.0
    """A checkpoint follows after this long without work."""
    log_bytes: int = 24 << 20
    """A log as large as this is written into the file although there is work: requests wait for that tenth of a second. In a
    burst that waits (see `checkpoints`). With half as much there are twice as many row groups that are not full, of which each
    checkpoint until a pause must list all: after three minutes at 5,000 spans/s it took 170 ms instead of 50 (measured)."""
    free_bytes: int = FLOOR
    """Room on the disk below which requests are refused; 0: the disk is not looked at."""
