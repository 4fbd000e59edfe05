"""The writer's limits."""

from collector.store.writing.checkpoints import BURST_LOGS
from collector.store.writing.limits import WriterLimits


def test_a_checkpoint_fits_the_room_that_is_kept_free():
    """By default three times the largest log, that of a burst, fits into the room below which requests are refused."""
    assert 3 * BURST_LOGS * WriterLimits().log_bytes <= WriterLimits().free_bytes
