"""The mark beside the store: what it survives, and what it tells."""

from pathlib import Path

import pytest

from collector.store.file.highwater import RECORDS, SIZE, HighWater, Loss, Mark

ID, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def high_water(tmp_path: Path):
    """A mark at commit 200, that has gone around its ring three times."""
    made = HighWater(tmp_path / "a.duckdb")
    made.begin(Mark(ID, 0, 0, 0))
    for seq in range(1, 201):
        made.advance(Mark(ID, seq, 10 * seq, seq))
    yield made
    made.close()


def test_the_last_mark_is_read_by_whoever_comes_next(high_water: HighWater):
    """What was written is read without any flush, as after a kill, and the file is as large as it was at first."""
    assert HighWater(str(high_water.path).removesuffix(".ledger")).read() == Mark(ID, 200, 2000, 200)
    assert high_water.path.stat().st_size == RECORDS * SIZE == 4096


@pytest.mark.parametrize("cut", [0, 1, SIZE - 1])
def test_a_torn_record_is_passed_over(high_water: HighWater, cut: int):
    """Where the last record was written in part, or flipped, the one before counts."""
    data = bytearray(high_water.path.read_bytes())
    data[200 % RECORDS * SIZE + cut] ^= 0xFF
    high_water.path.write_bytes(data)
    assert high_water.read() == Mark(ID, 199, 1990, 199)


@pytest.mark.parametrize("content", [b"", b"x" * 100, b"\0" * 4096])
def test_a_file_without_a_whole_record_says_nothing(tmp_path: Path, content: bytes):
    """An empty, foreign or zeroed file is no mark, and can be written again."""
    high_water = HighWater(tmp_path / "a.duckdb")
    high_water.path.write_bytes(content)
    assert high_water.read() is None
    assert high_water.loss(None) is None
    high_water.begin(Mark(ID, 7, 70, 0))
    assert high_water.read() == Mark(ID, 7, 70, 0)
    high_water.close()


def test_a_ledger_behind_the_mark_is_a_loss(high_water: HighWater):
    """What is missing is counted; a ledger at or beyond the mark is none; another store, or none, is told apart."""
    assert high_water.loss(Mark(ID, 150, 1500, 150)) == Loss(50, 500, 50)
    assert high_water.loss(Mark(ID, 200, 2000, 200)) is None
    assert high_water.loss(Mark(ID, 203, 2030, 203)) is None
    assert high_water.loss(Mark(OTHER, 300, 0, 0)) == Loss(None)
    assert high_water.loss(None) == Loss(200, 2000, 200)
    assert "50 acknowledged commits with 500 spans" in str(Loss(50, 500, 50))


def test_beginning_behind_the_mark_forgets_it(high_water: HighWater):
    """After a loss was accepted the mark stands where the store stands."""
    high_water.begin(Mark(ID, 150, 1500, 150))
    assert high_water.read() == Mark(ID, 150, 1500, 150)
    high_water.begin(Mark(OTHER, 3, 0, 0))
    assert high_water.read() == Mark(OTHER, 3, 0, 0)
