"""Where copies go."""

from pathlib import Path

from collector.store.quarantine import quarantine


def test_each_time_has_a_folder_of_its_own(tmp_path: Path):
    """Two folders never are the same, lie beside the store, and bear its name; nothing is made yet."""
    first, second = (quarantine(tmp_path / "a.duckdb") for _ in range(2))
    assert first != second
    assert first.parent == tmp_path / "quarantine"
    assert first.name.startswith("a.duckdb-20")
    assert not first.parent.exists()
