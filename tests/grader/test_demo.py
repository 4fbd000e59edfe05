"""`tracegrade demo` as a person meets it."""

import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest

from grader.demo import SUITE
from tests.conftest import TRACEGRADE, Command, clean_environment


def left(folder: Path) -> list[Path]:
    """What a demo with this temporary folder left behind."""
    return list(folder.iterdir())


def test_the_demo_shows_the_whole_job_and_leaves_nothing(tracegrade: Command, tmp_path: Path) -> None:
    """It shows a tree with a failed call and a child, a query, a case that fails with its reason, and ends 0."""
    before = {p.pid for p in psutil.process_iter()}
    done = tracegrade("demo", TMPDIR=str(tmp_path), COLUMNS="160")
    assert done.returncode == 0, done.stderr
    out = " ".join(done.stdout.split())
    assert "job policy_agent · completed" in out
    assert "constraint no personal data leaves the EU" in out
    assert "failed: TimeoutError: the card network did not answer in time" in out
    assert "agent,tool,state,calls,error" in out
    assert "payments.refund was called before any orders.lookup" in out
    assert "`grade` exits 1" in out
    assert len(re.findall(r"^ +passed ", done.stdout, re.MULTILINE)) == 2
    assert done.stderr == ""
    assert left(tmp_path) == []
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.pid not in before and _is_ours(p)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C and SIGTERM end it early, without a traceback, a process or a file left."""
    env = clean_environment() | {"TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [*TRACEGRADE, "demo"], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, process_group=0
    )
    with process:
        assert process.stdout is not None
        while "is ready" not in process.stdout.readline():
            pass
        children = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, number)  # as the terminal does: to the foreground group
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "nothing is left running" in rest
    assert "Traceback" not in rest
    assert left(tmp_path) == []
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive


def test_the_suite_is_sound(tracegrade: Command) -> None:
    """The demo's suite, which people copy, has no mistakes."""
    assert tracegrade("lint", SUITE).returncode == 0


def test_the_demo_works_elsewhere(tracegrade: Command, tmp_path: Path) -> None:
    """A folder called `grader` where the user stands does not get in the way."""
    (tmp_path / "grader").mkdir()
    (tmp_path / "grader" / "__init__.py").write_text("raise SystemExit('the wrong grader')")
    assert tracegrade("demo", TMPDIR=tempfile.gettempdir()).returncode == 0


def _is_ours(process: psutil.Process) -> bool:
    try:
        return any("grader" in part and "demo" in part for part in process.cmdline())
    except psutil.Error:
        return False
