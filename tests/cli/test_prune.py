"""`tracegrade prune`."""

import json
from pathlib import Path

import pytest

from tests.conftest import Command

CAPTURE = "pydantic-ai-v5__native__refund"


def test_what_is_old_goes(tracegrade: Command, data: Path):
    """A dry run says what would go, the command takes it out and says the sizes."""
    assert tracegrade("load", data / "captures" / CAPTURE / "000.pb").returncode == 0
    assert tracegrade("prune", "--keep", "0.000001s", "--dry-run").stdout.startswith("Would take out 1 trace, 1 run")
    done = tracegrade("prune", "--json", TRACEGRADE_KEEP="0.000001s")
    assert json.loads(done.stdout)["traces"] == 1
    assert tracegrade("prune", "--keep", "1h").stdout.startswith("Nothing to take out")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Say what to keep"),
        (("--keep", "soon"), "such as 30d"),
        (("--max-bytes", "lots"), "--max-bytes: 'lots' is no size"),
        (("--keep", "1d", "--store", "none.duckdb"), "no store at none.duckdb"),
    ],
)
def test_what_cannot_be_done_is_said(tracegrade: Command, options: tuple[str, ...], said: str):
    """No limit, no time, no size, no store: a sentence and exit code 2."""
    done = tracegrade("prune", *options)
    assert done.returncode == 2
    assert said in done.stderr
