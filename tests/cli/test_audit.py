"""`tracegrade audit`, with and without a running collector."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grader.cli import app
from tests.receive.served import served

Run = Callable[..., Result]

CAPTURE = "pydantic-ai-v5__native__refund"
ASKED = "SELECT count(*) AS n FROM runs WHERE input <> 'my secret'"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, with the test's folder as the current one."""
    monkeypatch.chdir(tmp_path)
    for variable in [name for name in os.environ if name.startswith("TRACEGRADE_")]:
        monkeypatch.delenv(variable)
    return lambda *arguments, **environment: CliRunner().invoke(app, list(map(str, arguments)), env=environment)


def deeds(run: Run) -> list[dict[str, object]]:
    """What the audit table holds."""
    return [json.loads(line) for line in run("audit", "--json").stdout.splitlines()]


def test_what_is_done_to_a_file_is_noted(run: Run, data: Path, tmp_path: Path) -> None:
    """Questions, those refused too, export, deletion, tokens: who, when, how many; pruning leaves the rows (X-34)."""
    assert run("load", data / "captures" / CAPTURE).exit_code == 0
    assert "Nothing is in the audit table yet" in run("audit").stderr
    assert run("sql", ASKED).exit_code == 0
    assert run("sql", "DELETE FROM spans").exit_code == 2
    run("token", "create", "--scope", "read", "--name", "ci")
    run("token", "revoke", "ci")
    assert run("export", tmp_path / "out").exit_code == 0
    trace = run("sql", "SELECT any_value(trace_id) FROM runs").stdout.split()[1]
    assert run("delete", "--trace", trace, "--dry-run").exit_code == 0
    assert run("delete", "--trace", trace).exit_code == 0
    assert run("delete", "--trace", trace).exit_code == 2
    assert run("prune", "--keep", "1d").exit_code == 0
    found = deeds(run)
    assert [(deed["what"], deed["outcome"]) for deed in found] == [
        ("sql", "done"),
        ("sql", "refused"),
        ("token created", "done"),
        ("token revoked", "done"),
        ("export", "done"),
        ("sql", "done"),
        ("delete", "done"),
        ("delete", "failed"),
        ("prune", "done"),
    ]
    assert {deed["who"] for deed in found} == {"local"}
    assert (found[0]["about"], found[0]["size"]) == (hashlib.sha256(ASKED.encode()).hexdigest(), len(ASKED))
    assert found[0]["row_count"] == 1
    assert found[3]["about_name"] == "ci"
    assert found[6]["trace_count"] == 1
    assert found[6]["about"] == trace
    assert "secret" not in str(found)
    assert "token created" in run("audit", COLUMNS="160").stdout
    assert [deed["what"] for deed in found[-1:]] == [json.loads(run("audit", "--json", "--limit", "1").stdout)["what"]]


def test_a_collector_notes_which_token_asked(run: Run, tmp_path: Path) -> None:
    """A reader's questions stand under its token's id, the owner's under local; a reader may not see them (X-34)."""
    token = run("token", "create", "--scope", "read", "--name", "ci").stdout.strip()
    in_file = "f" * 32
    (tmp_path / "readers").write_text(in_file)
    with served(tmp_path / "tracegrade.duckdb", "--read-token-file", tmp_path / "readers"):
        url = json.loads((tmp_path / "tracegrade.duckdb.serve.json").read_text())["read"]
        for shown in (token, in_file):
            done = run("sql", "SELECT 1 AS one", "--store", url, TRACEGRADE_READ_TOKEN=shown)
            assert (done.stdout, done.exit_code) == ("one\n1\n", 0)
        assert run("sql", "SELECT 2 AS two").exit_code == 0
        (_, *asked) = deeds(run)
        named = hashlib.sha256(in_file.encode()).hexdigest()[:8]
        assert [(one["what"], one["who_name"]) for one in asked] == [("sql", "ci"), ("sql", None), ("sql", None)]
        assert [one["who"] for one in asked[1:]] == [f"file:{named}", "local"]
        assert token not in str(asked)
        refused = run("audit", "--store", url, TRACEGRADE_READ_TOKEN=token)
        assert (refused.exit_code, "may only read" in refused.stderr) == (2, True)
        assert run("sql", "SELECT * FROM access.audit").exit_code == 2
    assert len(deeds(run)) == 5  # what was noted last is written when the collector ends
