"""Room on the disk."""

from pathlib import Path

from collector.store.file.space import Space, free, log_size


def test_the_floor_decides(tmp_path: Path):
    """Below the floor bytes are wanting, above it none; 0 switches the look off, and memory has room always."""
    store = tmp_path / "a"
    assert Space(store, 1).wanting == 0
    assert 0 < Space(store, 1 << 60).wanting <= 1 << 60
    assert Space(store, 0).wanting == 0
    assert Space(None, 1 << 60).wanting == 0


def test_a_long_log_needs_three_times_its_size(tmp_path: Path):
    """The log counts three times, since its checkpoint needs room of its own."""
    store = tmp_path / "a"
    assert log_size(store) == 0
    with Path(f"{store}.wal").open("wb") as log:
        log.truncate(free(store))  # a hole: it takes no room itself
    assert log_size(store) > 0
    assert Space(store, 1).wanting > free(store)
