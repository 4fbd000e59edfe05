"""`tracegrade check` on real stores."""

import json
from pathlib import Path

from tests.conftest import Collector, Command
from tests.store.damage import killed, log


def test_a_whole_store_ends_with_0(tracegrade: Command, tmp_path: Path):
    """Of a store that was killed and lost nothing every line says ok."""
    killed(tmp_path / "a.duckdb", commits=3, checkpoint_after=1)
    done = tracegrade("check", "a.duckdb")
    assert (done.returncode, done.stderr) == (0, "")
    assert {line.split()[0] for line in done.stdout.splitlines()} == {"ok"}


def test_from_damage_to_a_store_that_works(tracegrade: Command, tmp_path: Path):
    """Reading a damaged store names the way out; the check finds it; recovering tells the loss; then all is well."""
    log(killed(tmp_path / "a.duckdb", commits=6, checkpoint_after=2)).unlink()
    reading = tracegrade("runs", "--store", "a.duckdb")
    assert reading.returncode == 2
    assert "4 acknowledged commits with 40 spans and 0 log records are missing" in reading.stderr
    assert "tracegrade check --recover a.duckdb" in reading.stderr
    assert "Traceback" not in reading.stderr

    looked = tracegrade("check", "--json", TRACEGRADE_STORE="a.duckdb")
    assert looked.returncode == 1
    states = {line["about"]: line["state"] for line in map(json.loads, looked.stdout.splitlines())}
    assert states["mark"] == "wrong"

    recovered = tracegrade("check", "--recover", "a.duckdb")
    assert recovered.returncode == 1
    assert "It holds 2 commits with 20 spans" in recovered.stdout
    assert "Lost: 4 acknowledged commits with 40 spans" in recovered.stdout
    assert tracegrade("check", "a.duckdb").returncode == 0
    assert tracegrade("runs", "--store", "a.duckdb").returncode == 0
    assert len(list((tmp_path / "quarantine").iterdir())) == 1


def test_what_cannot_be_looked_at_ends_with_2(tracegrade: Command, tmp_path: Path, collector: Collector):
    """A store in use, a file of another program and a missing file each get a sentence."""
    (tmp_path / "note.txt").write_text("hello")
    for name, said in (
        (collector.store.name, "is in use"),
        ("note.txt", "not a DuckDB database"),
        ("none", "no store"),
    ):
        for option in ([], ["--recover"]):
            done = tracegrade("check", *option, name)
            assert done.returncode == 2, done.stdout
            assert said in done.stderr
            assert "Traceback" not in done.stderr
