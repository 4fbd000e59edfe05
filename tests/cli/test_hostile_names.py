"""Names and values of traces that are orders to a terminal, through every command that shows them (X-09)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grader.cli import app

TRACE = "0af7651916cd43dd8448eb211c80319c"
OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029]|^forged", re.MULTILINE)
"""Controls of both sets, marks of direction, and the line that a name with a line end would forge."""

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a command in this process on a store that holds the hostile trace."""
    store = str(tmp_path_factory.mktemp("hostile") / "a.duckdb")

    def command(*arguments: str | Path) -> Result:
        return CliRunner().invoke(app, [*map(str, arguments), "--store", store], env={"COLUMNS": "200"})

    assert command("load", data / "hostile" / "names.json").exit_code == 0
    return command


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("runs",), "x1b[31m"),
        (("show", TRACE, "--messages"), "x1b[31m"),
        (("sql", "--format", "table", "SELECT name, service_name FROM spans"), "x1b[31m"),
        (("doctor",), "x1b[31m"),
        (("token", "revoke", "a\x1b[31mb"), "x1b[31m"),
        (("show", "a\x1b[31mb"), "x1b[31m"),
        (("sql", "SELECT * FROM a\x1b[31mb"), "x1b"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_no_command_hands_orders_on(run: Run, command: tuple[str, ...], told: str) -> None:
    """What a trace or an argument says is shown with its controls escaped, on standard output and in errors."""
    done = run(*command)
    assert told in done.stdout + done.stderr
    assert not OBEYED.search(done.stdout + done.stderr)


def test_reports_hand_no_orders_on(run: Run, data: Path) -> None:
    """A report's sentences quote names of tools: escaped, and on their own line."""
    done = run("grade", data / "hostile" / "suite.yaml", "--include-open")
    assert "the agent called: \\x1b[31mred" in done.stdout
    assert not OBEYED.search(done.stdout + done.stderr)
