"""Where copies go."""

from pathlib import Path

from collector.store.file.quarantine import copies, quarantine


def test_each_time_has_a_folder_of_its_own(tmp_path: Path):
    """Two folders never are the same, lie beside the store, and bear its name; nothing is made yet."""
    first, second = (quarantine(tmp_path / "a.duckdb") for _ in range(2))
    assert first != second
    assert first.parent == tmp_path / "quarantine"
    assert first.name.startswith("a.duckdb-20")
    assert not first.parent.exists()


def test_copies_of_one_store_are_found(tmp_path: Path):
    """Those that bear its name, and no other's; where nothing was ever set aside there are none."""
    assert copies(tmp_path / "a.duckdb") == ()
    made = [quarantine(tmp_path / name) for name in ("a.duckdb", "b.duckdb", "a.duckdb")]
    for folder in made:
        folder.mkdir(parents=True)
    assert copies(tmp_path / "a.duckdb") == (str(made[0]), str(made[2]))
