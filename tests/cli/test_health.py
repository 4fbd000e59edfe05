"""The health check: whether a collector takes data."""

import subprocess
import sys
from pathlib import Path

import pytest

from collector.cli.health import takes_data
from tests.conftest import clean_environment
from tests.receive.collecting import collecting


def test_a_collector_that_is_ready_takes_data(tmp_path: Path):
    """By its store's path and by its address; when it has ended it does not."""
    with collecting(tmp_path / "s.duckdb") as there:
        url = f"http://127.0.0.1:{there.http}"
        assert takes_data(str(there.path))
        assert takes_data(url)
        assert not takes_data(there.notice["read"])  # wants a token: no port of OTLP
    assert not takes_data(str(there.path))
    assert not takes_data(url)


@pytest.mark.parametrize(
    "place", ["http://", "http://localhost:x", "http://127.0.0.1:1", "https://127.0.0.1:1", "none"]
)
def test_nonsense_takes_none(place: str):
    """Addresses that are none, and those where nobody listens, are no error."""
    assert not takes_data(place)


def test_it_loads_nothing_heavy():
    """A check every few seconds must not cost a core: no database, no Arrow, no gRPC."""
    code = (
        "import sys; import collector.cli.health; print([m for m in ('duckdb', 'pyarrow', 'grpc') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean_environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
