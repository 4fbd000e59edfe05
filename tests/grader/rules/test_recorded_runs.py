"""AgentLasso and scenario checks on recorded runs of real frameworks, beside what these runs really did."""

import pytest

from collector.tree import Run
from grader.outcome import Outcome
from grader.sample import Candidate, judge
from tests.captures import NAMES, load
from tests.grader.rules.vocabularies import lasso, scenarios

REFUNDS = [name for name in NAMES if name.endswith("__refund")]
NEVER = "erase_everything"


def both(tool: str, run: Run) -> list[list[Outcome]]:
    """Of called and not called, first by the check list, then by the scenario check."""
    conditions = [{"type": "tool_called", "tool": tool}, {"type": "tool_not_called", "tool": tool}]
    suites = lasso(*conditions), scenarios(*conditions)
    samples = [judge(suite.cases[0], Candidate(run, run.digest)) for suite in suites]
    return [[r.outcome for r in sample.results[:2]] for sample in samples]


@pytest.mark.parametrize("name", REFUNDS)
def test_S0_13_S1_10_no_recorded_run_passes_for_want_of_evidence(name: str) -> None:
    """A tool that was called is never told as not called; one that was not is told so only where that was captured."""
    capture = load(name)
    runs = capture.trees()
    for tool in {call["name"] for call in capture.truth["tool_calls"]}:
        lassoed, sampled = zip(*(both(tool, run) for run in runs), strict=True)
        assert ["pass", "fail"] in lassoed or ["fail", "fail"] in lassoed
        assert ["pass", "fail"] in sampled or ["indeterminate", "indeterminate"] in sampled
    for run in runs:
        known = all(run.root.capture[kind].state == "present" for kind in ("tools", "requests")) and ["fail", "pass"]
        lassoed, sampled = both(NEVER, run)
        assert lassoed == (known or ["fail", "fail"]) or len(list(run.root.walk())) > 1
        assert sampled == (known or ["indeterminate", "indeterminate"]) or len(list(run.root.walk())) > 1


def test_the_recorded_runs_show_both() -> None:
    """Some captured their calls, so that the table above has passes as well as want of evidence."""
    states = {run.root.capture["tools"].state for name in REFUNDS for run in load(name).trees()}
    assert {"present"} < states
