"""Which call states count, for all vocabularies at once: whoever counts as called is what must not be called."""

from typing import Any

import pytest

from grader.sample import judge
from tests.grader.rules.five import called, each, not_called
from tests.grader.suites import suite
from tests.grader.trees import call, candidate, job

TOOL = "pay.refund"
COLUMNS = ("S0", "S1", "S2", "S3", "S4", "attempted", "executed")

TABLE = {
    "requested": "yes yes yes yes yes yes no",
    "awaiting_approval": "yes yes no no no yes no",
    "denied": "yes yes no no no yes no",
    "answered": "yes yes yes yes yes yes yes",
    "succeeded": "yes yes yes yes yes yes yes",
    "failed": "yes yes yes yes yes yes yes",
}
"""For each state whether such a call counts in each column; the last two are the native suite's."""


def native(check: str, state: str, run: Any) -> str:
    """The outcome of a native check that names the state."""
    made = suite(f"  - {{name: c, expect: [{{{check}: {TOOL}, state: {state}}}]}}\n")
    return judge(made.cases[0], run).results[0].outcome


@pytest.mark.parametrize("state", TABLE)
def test_which_call_states_count(state: Any) -> None:
    """Every cell, asked both ways: must be called, must not be called."""
    run = candidate(job(call(TOOL, state=state)))
    found = each(called(TOOL), run) | {s: native("called", s, run) for s in ("attempted", "executed")}
    none = each(not_called(TOOL), run) | {s: native("not_called", s, run) for s in ("attempted", "executed")}
    counts = dict(zip(COLUMNS, TABLE[state].split(), strict=True))
    assert found == {column: "pass" if counts[column] == "yes" else "fail" for column in COLUMNS}
    assert none == {column: "fail" if counts[column] == "yes" else "pass" for column in COLUMNS}
