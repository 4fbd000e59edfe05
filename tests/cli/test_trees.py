"""`tracegrade trees` over captures."""

import json
from pathlib import Path

from tests.conftest import Command

CAPTURE = "pydantic-ai-v5__native__refund"


def test_trees_are_shown_and_nothing_is_kept(tracegrade: Command, data: Path, tmp_path: Path) -> None:
    """The tree of a folder is printed, and no file is left behind."""
    done = tracegrade("trees", data / "captures" / CAPTURE)
    assert done.returncode == 0
    assert "issue_refund" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_one_run_a_line_for_machines(tracegrade: Command, data: Path) -> None:
    """With --json each run is a line with its traces, its root job and the calls below."""
    captures = (data / "captures" / c for c in (CAPTURE, "pydantic-ai-v5__native__tool-error"))
    runs = [json.loads(line) for line in tracegrade("trees", "--json", *captures).stdout.splitlines()]
    assert len(runs) == 2
    job = runs[0]["job"]
    assert len(runs[0]["trace_ids"]) == 1
    assert [c["name"] for c in job["tool_calls"]] == ["lookup_order", "issue_refund"]
    assert job["status"] == "completed"


def test_a_corrupt_file_is_exit_code_2(tracegrade: Command, tmp_path: Path) -> None:
    """What cannot be read is named, and the command does not pretend that all was well."""
    (tmp_path / "bad.json").write_text('{"resourceSpans": [')
    done = tracegrade("trees", "bad.json")
    assert (done.returncode, "bad.json" in done.stderr, "Traceback" in done.stderr) == (2, True, False)
