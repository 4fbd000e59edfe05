"""Each bench runs; what it measures is nobody's promise."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUNS = [
    ("ingest", ["--spans", "64", "--small", "16", "--pause", "0", "--json"], 11),
    ("normalizing", ["--spans", "64", "--json"], 3),
    ("acks", ["--rate", "64", "--requests", "4", "--seconds", "1", "--json"], 2),
    ("freshness", ["--rate", "256", "--seconds", "1", "--json"], 3),
]


@pytest.mark.slow
@pytest.mark.parametrize(("bench", "sizes", "figures"), RUNS, ids=[name for name, *_ in RUNS])
def test_bench_runs(bench: str, sizes: list[str], figures: int) -> None:
    """With tiny sizes each bench gives its figures as JSON."""
    command = [sys.executable, "-m", f"tests.bench.{bench}", *sizes]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == figures
    assert all(line["spans/s"] > 0 for line in lines)
    if bench == "ingest":
        assert all(line["spans/server CPU s"] > 0 for line in lines[1:]), "all but the floor have a server"


@pytest.mark.slow
def test_hostile_statements_harm_nobody() -> None:
    """While a real collector takes spans, all hostile statements are refused or stopped; no request fails, no span is lost."""
    command = [sys.executable, "-m", "tests.bench.hostile", "--rate", "400", "--seconds", "6", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    _, asked = [json.loads(line) for line in done.stdout.splitlines()]
    assert asked["statements refused or stopped"] > 0
    assert asked["counts answered"] > 0
    bad = ("requests refused", "spans missing", "spans twice", "statements that got through", "counts failed")
    assert {name: asked[name] for name in bad} == dict.fromkeys(bad, 0)


@pytest.mark.slow
def test_a_large_store_is_filled_and_asked(tmp_path: Path) -> None:
    """A store is filled, in part without trees, and every question is answered; a store that was kept is asked at once."""
    store = ["--store", str(tmp_path / "kept.duckdb"), "--rate", "640", "--seconds", "1", "--json"]
    command = [sys.executable, "-m", "tests.bench.large", "--spans", "1024", "--trees", "512", *store]
    for filled in (2, 0):
        done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["store, MiB"] > 0 for line in lines if "then to the last tree, s" in line] == [True] * filled
        asked = {line["bench"]: line for line in lines if "failed" in line}
        assert {
            "runs",
            "status",
            "show, whole id",
            "show, beginning of an id",
            "a filter on an attribute",
        } <= asked.keys()
        assert sum(name.startswith("README: ") for name in asked) >= 5
        assert all(line["failed"] == 0 for line in asked.values()), done.stderr
        assert all(line["asked"] > 0 for name, line in asked.items() if not name.startswith("settling"))


def test_grading_bench_runs() -> None:
    """The grading bench prints its figures."""
    command = [sys.executable, "-m", "tests.bench.grading", "--runs", "20", "--processes", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    judged = [json.loads(line) for line in done.stdout.splitlines()][1:]
    assert len(judged) == 5
    assert all(line["runs/s"] > 0 for line in judged)


def test_judging_bench_runs() -> None:
    """The first grading asks, the second knows."""
    command = [sys.executable, "-m", "tests.bench.judging", "--judgements", "20", "--milliseconds", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["calls"], second["calls"], second["cached"]) == (20, 0, 20)
