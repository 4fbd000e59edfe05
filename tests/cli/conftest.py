"""A store that tests only read, loaded once."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import TRACEGRADE, clean_environment

LOADED = (
    "pydantic-ai-v5__native__refund",
    "pydantic-ai-v5__native__tool-error",
    "pydantic-ai-v5-simple__native__delegate",
)


@pytest.fixture(scope="session")
def store(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store file that holds the captures LOADED."""
    path = tmp_path_factory.mktemp("store") / "loaded.duckdb"
    command = [*TRACEGRADE, "load", "--store", str(path), *(str(data / "captures" / name) for name in LOADED)]
    subprocess.run(command, env=clean_environment(), check=True, capture_output=True, timeout=120)
    return path
