"""`tracegrade runs` over a store of captures."""

import json
from pathlib import Path

from tests.conftest import Command


def test_a_line_a_run(tracegrade: Command, store: Path) -> None:
    """The list has time, service, agent, status, calls, duration and input of each run."""
    shown = tracegrade("runs", "--store", store).stdout.splitlines()
    assert shown[0].split() == ["run", "time", "service", "agent", "status", "calls", "duration", "input"]
    assert len(shown) == 2 + 3
    assert "support-bot" in shown[2]
    assert "Refund order" in shown[2]


def test_machines_get_json(tracegrade: Command, store: Path) -> None:
    """With --json each run is an object of the `runs` table's columns, and filters choose among them."""
    rows = [json.loads(line) for line in tracegrade("runs", "--json", "--store", store).stdout.splitlines()]
    assert sorted(r["agent"] for r in rows) == ["support_agent", "support_agent", "triage_agent"]
    assert tracegrade("runs", "--json", "--service", "other", "--store", store).stdout == ""
    assert len(tracegrade("runs", "--json", "--limit", "1", "--store", store).stdout.splitlines()) == 1


def test_no_runs(tracegrade: Command, tmp_path: Path) -> None:
    """An empty store is said to be empty, and a store that is not there is not made."""
    missing = tracegrade("runs")
    assert (missing.returncode, "There is no store at" in missing.stderr) == (2, True)
    assert not (tmp_path / "tracegrade.duckdb").exists()
    (tmp_path / "empty").mkdir()
    tracegrade("load", "empty")
    assert "No runs are stored yet" in tracegrade("runs").stderr
