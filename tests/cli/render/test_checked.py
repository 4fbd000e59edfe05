"""What is shown of a check and of a recovery."""

import json
from pathlib import Path

import pytest

from collector.cli.render.checked import finding, recovered
from collector.store.care.checkup import Finding
from collector.store.care.recovery import How, Recovered
from collector.store.file.highwater import Loss, Mark


def test_a_finding_is_a_line():
    """State, what was looked at, and the sentence; control characters are taken out."""
    found = Finding("ledger", "wrong", "3 are\x1b[31m missing")
    line = finding(found, as_json=False)
    assert line.startswith("wrong  ledger")
    assert "\x1b" not in line
    assert json.loads(finding(found, as_json=True))["state"] == "wrong"


@pytest.mark.parametrize(
    ("how", "said"),
    [("whole", "with its log"), ("last checkpoint", "last checkpoint"), ("nothing", "makes a new a.duckdb")],
)
def test_each_way_out_is_told(how: How, said: str):
    """The folder of the copies, how the store opens now, and what is lost."""
    found = None if how == "nothing" else Mark("a" * 32, 2, 20, 0)
    done = Recovered(Path("quarantine/x"), how, found, Loss(4, 40, 0), "its log is damaged")
    text = recovered("a.duckdb", done, as_json=False)
    assert said in text
    assert "quarantine/x" in text
    assert "Lost: 4 acknowledged commits with 40 spans" in text
    assert json.loads(recovered("a.duckdb", done, as_json=True))["loss"]["spans"] == 40
    whole = Recovered(Path("quarantine/x"), "whole", Mark("a" * 32, 2, 20, 0), None)
    assert "Nothing that was acknowledged is known to be missing" in recovered("a.duckdb", whole, as_json=False)
