"""The `tracegrade` command as a process."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.grader.own_code import beside
from tests.grader.suites import DATA


def tracegrade(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_help_lists_the_commands_of_both_packages(tmp_path: Path) -> None:
    """One command for the collector's and the grader's work, in the order of that work."""
    done = tracegrade("--help", folder=tmp_path)
    assert done.returncode == 0
    listed = re.findall(r"^\W* ([a-z]+) {2,}\S", done.stdout, re.MULTILINE)
    assert listed[:9] == ["serve", "load", "runs", "show", "sql", "trees", "grade", "lint", "explain"]
    assert {"demo", "config"} < set(listed)


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    """DuckDB, Arrow, gRPC and pydantic are for the commands that need them."""
    heavy = ("duckdb", "pyarrow", "grpc", "pydantic", "ruamel.yaml")
    code = f"import sys, grader.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "arguments",
    [
        ("grade",),
        ("grade", "missing.yaml"),
        ("grade", str(DATA / "minimal.yaml")),
        ("grade", str(DATA / "many_mistakes.yaml")),
        ("grade", str(DATA / "minimal.yaml"), "--no-such-option"),
        ("grade", str(DATA / "minimal.yaml"), "--store", "http://127.0.0.1:9"),
        ("lint",),
        ("lint", str(DATA / "not_yaml.yaml")),
        ("lint", str(DATA / "minimal.yaml"), "--format", "nativ"),
        ("lint", str(DATA / "minimal.yaml"), "--store", "missing.duckdb"),
        ("lint", str(DATA / "minimal.yaml"), "--manifest", "missing.yaml"),
        ("lint", str(DATA / "refunds.yaml"), "--manifest", str(DATA / "refunds.yaml")),
        ("explain",),
        ("explain", str(DATA / "many_mistakes.yaml"), "--json"),
        ("no-such-command",),
    ],
    ids=lambda a: " ".join(Path(x).name for x in a),
)
def test_every_user_error_is_a_message_and_exit_code_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Never a traceback, nothing on standard output but help."""
    done = tracegrade(*arguments, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_lint_of_a_sound_suite_ends_0(tmp_path: Path) -> None:
    """And says what it holds."""
    done = tracegrade("lint", str(DATA / "refunds.yaml"), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 cases" in done.stdout


def test_a_suite_s_own_code_runs_only_with_the_switch(tmp_path: Path) -> None:
    """Without it the file is refused, and the message names it; what a function prints is no part of a report."""
    folder = beside(tmp_path)
    (folder / "d.jsonl").write_text('{"id": "s", "input": "hello"}\n')
    (folder / "evalstone.yaml").write_text(
        "imports: [mychecks]\ndatasets: {d: d.jsonl}\nsuites: {m: {dataset: d, checks: [no_apology]}}\n"
    )
    refused = tracegrade("lint", "evalstone.yaml", folder=folder)
    assert (refused.returncode, "--allow-code" in refused.stderr) == (2, True)
    for command in ("lint", "explain"):
        done = tracegrade(command, "evalstone.yaml", "--allow-code", folder=folder)
        assert (done.returncode, done.stderr) == (0, "")
    assert not (folder / "__pycache__").exists()
