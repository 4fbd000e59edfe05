"""`tracegrade export`, and `load` of what it wrote."""

from pathlib import Path

from tests.conftest import Collector, Command

CAPTURE = "pydantic-ai-v5__native__refund/000.pb"


def test_a_store_goes_out_and_comes_back(tracegrade: Command, data: Path, tmp_path: Path):
    """The second store shows what the first one does."""
    tracegrade("load", data / "captures" / CAPTURE)
    assert tracegrade("export", "out").stdout == "Exported 6 spans, 0 log records and 1 runs to out.\n"
    assert "not empty" in tracegrade("export", "out").stderr
    loaded = tracegrade("load", "out", "--store", "new.duckdb")
    assert loaded.stdout.startswith("Loaded 6 spans and 0 log records with all that was made of them")
    assert tracegrade("runs", "--store", "new.duckdb").stdout == tracegrade("runs").stdout
    assert "not empty" in tracegrade("load", "out", "--store", "new.duckdb").stderr
    assert "alone" in tracegrade("load", "out", data / "captures" / CAPTURE, "--store", "other.duckdb").stderr
    assert (tmp_path / "out/manifest.json").exists()


def test_a_served_store_goes_out_too(collector: Collector, tracegrade: Command, data: Path):
    """The collector that has it open writes the files."""
    tracegrade("load", data / "captures" / CAPTURE, "--store", collector.store)
    done = tracegrade("export", "out", "--store", collector.store)
    assert done.stdout.startswith("Exported 6 spans"), done.stderr
