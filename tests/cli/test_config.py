"""`tracegrade config`."""

import json
from pathlib import Path

from tests.conftest import Command


def test_values_and_where_they_came_from(tracegrade: Command, tmp_path: Path) -> None:
    """A variable beats the file, the file beats the default, and each says so."""
    (tmp_path / "tracegrade.toml").write_text('store = "a.duckdb"\ngrpc_port = 5000\n')
    said = json.loads(tracegrade("config", "--json", TRACEGRADE_STORE="b.duckdb").stdout)
    assert said["store"] == {"value": "b.duckdb", "source": "TRACEGRADE_STORE"}
    assert said["grpc_port"]["value"] == 5000
    assert said["grpc_port"]["source"].endswith("tracegrade.toml")
    assert said["http_port"] == {"value": 4318, "source": "default"}


def test_people_get_a_table(tracegrade: Command) -> None:
    """Each setting is a line with its value and what it is."""
    lines = tracegrade("config").stdout.splitlines()
    assert lines[0].split() == ["setting", "value", "from", "what", "it", "is"]
    assert any(line.split()[:3] == ["grpc_port", "4317", "default"] for line in lines)


def test_mistakes_are_told_together(tracegrade: Command) -> None:
    """All misspelt and unusable settings are named at once, with exit code 2."""
    done = tracegrade("config", TRACEGRADE_STOER="x", TRACEGRADE_GRPC_PORT="no")
    assert done.returncode == 2
    assert "TRACEGRADE_STORE" in done.stderr
    assert "grpc_port" in done.stderr
