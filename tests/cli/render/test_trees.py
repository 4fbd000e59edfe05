"""Runs written to standard output."""

import json

import pytest

from collector.cli.render.trees import write
from collector.tree import Job, Run

RUNS = [Run(id=i, root=Job(id=i, trace_id="t", input="hé")) for i in ("a", "b")]


def test_machines_get_one_object_a_line(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """JSON lines in UTF-8, in the order of the runs."""
    write(RUNS, as_json=True)
    lines = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [line["run_id"] for line in lines] == ["a", "b"]
    assert lines[0]["job"]["input"] == "hé"


def test_people_get_trees(capsys: pytest.CaptureFixture[str]) -> None:
    """A tree for each run."""
    write(RUNS, as_json=False)
    assert capsys.readouterr().out.count("└── job agent not named") == 2
