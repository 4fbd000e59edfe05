"""When the writer commits, checkpoints and refuses."""

from dataclasses import dataclass

from collector.store.file.opening import ROW_GROUP
from collector.store.file.space import FLOOR


@dataclass(frozen=True)
class WriterLimits:
    """When a group is full, and how much may wait."""

    seconds: float = 0.0
    """How long the first request of a group waits for company. What comes while a commit is under way is together anyway."""
    rows: int = 5_000
    bytes: int = 4 << 20
    burst_rate: float = 20_000
    """Rows that come in a second in a burst. Then what waits is answered from the spool, and a group is as large as below."""
    burst_requests: float = 1_000
    """Requests that come in a second in a burst, however small they are."""
    burst_rows: int = ROW_GROUP
    """So many rows the database writes straight into its file; with fewer it writes them twice (see `queue`)."""
    burst_bytes: int = 64 << 20
    """What is larger is not waited for."""
    burst_seconds: float = 0.8
    """Nor is what takes longer to come: a reader does not wait for that, and gets its group at once."""
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
