"""A suite over a stream of runs, in memory."""

import dataclasses
import itertools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.grading import Grading, grade_suite
from grader.inputs import Inputs
from grader.sample import Candidate
from tests.grader.suites import suite
from tests.grader.trees import SECOND, candidate, job

CASES = """
  - {name: refund, request: Refund, expect: [{called: refund}]}
  - {name: policy, when: {called: refund}, expect: [{every: refund, preceded_by: lookup}]}
"""


def grade(*candidates: Candidate, cases: str = CASES, **more: Any) -> Grading:
    return grade_suite(suite(cases), candidates, id="g", now=100 * SECOND, **more)


def asked(text: str, *calls: str, **more: Any) -> Candidate:
    return candidate(job(*calls, input=text), **more)


def test_no_run_for_a_case_is_no_pass_and_tells_the_nearest_inputs() -> None:
    """With what came close."""
    grading = grade(asked("Refunds", "lookup", "refund"))
    assert grading.decision.exit_code == 2
    assert "no run for this case; nearest inputs: “Refunds”" in grading.decision.text
    assert grading.unmatched == 1


def test_an_ambiguous_run_is_undecided_for_each_case() -> None:
    """Never a guess which of the two was meant."""
    grading = grade(asked("x"), cases="  - {name: a, request: x}\n  - {name: b, request: x}\n")
    assert [s.outcome for s in grading.samples] == ["indeterminate", "indeterminate"]
    assert grading.samples[0].reason == "ambiguous: the input is also that of 'b'"
    assert grading.decision.exit_code == 2


def test_policies_see_every_run() -> None:
    """Also those that answer no case with a request."""
    grading = grade(asked("Refund", "lookup", "refund"), asked("other", "refund"), asked("other", "lookup"))
    assert [s.outcome for s in grading.cases[1].samples] == ["pass", "fail", "skipped"]
    assert grading.decision.verdict == "failed"


def test_open_runs_are_no_samples_unless_asked_for() -> None:
    """A root that has not ended, or evidence within the quiet period."""
    young, still_open = asked("Refund", "refund"), asked("Refund", "refund", open=True)
    young.last_arrival = 95 * SECOND
    grading = grade(young, still_open, quiet_seconds=10)
    assert (grading.selected, grading.still_open, grading.samples) == (0, 2, [])
    assert grading.quiet_at == 105 * SECOND
    assert "still open" in grading.decision.text
    assert len(grade(young, still_open, quiet_seconds=None).cases[0].samples) == 2


def test_no_runs_at_all_is_not_gateable() -> None:
    """Everything sampled out is not a pass."""
    grading = grade()
    assert grading.decision.exit_code == 2
    assert "no run was selected" in grading.decision.text


def test_a_policy_that_runs_name_is_noticed() -> None:
    """An author who marks runs by case name may have forgotten the request."""
    grading = grade(asked("x", "lookup", case_name="policy"))
    assert any("match: name" in n for n in grading.notices)


CALLS = st.lists(st.sampled_from(["lookup", "refund", "other"]), max_size=4)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(["Refund", "x"]), CALLS), max_size=5))
def test_a_run_gets_the_same_verdict_alone_and_in_a_batch(runs: Any) -> None:
    """Grading one run never depends on the others."""

    def make() -> list[Candidate]:
        return [asked(text, *calls, id=f"run-{n}") for n, (text, calls) in enumerate(runs)]

    together = {(s.run.run_id, s.case): (s.outcome, s.reason, s.value) for s in grade(*make()).samples}
    alone = {(s.run.run_id, s.case): (s.outcome, s.reason, s.value) for c in make() for s in grade(c).samples}
    assert together == alone


def test_the_newest_samples_alone_of_a_case_that_asks_for_a_number() -> None:
    """Others keep all of theirs."""
    written = suite(CASES)
    counted = dataclasses.replace(written, cases=(dataclasses.replace(written.cases[0], samples=2), written.cases[1]))
    runs = [asked("Refund", "lookup", "refund", id=f"r{n}") for n in range(4)]
    for latest, expected in ((False, ["r0", "r1", "r2", "r3"]), (True, ["r2", "r3"])):
        grading = grade_suite(counted, runs, id="g", now=0, latest=latest)
        assert [s.run.run_id for s in grading.cases[0].samples] == expected
        assert len(grading.cases[1].samples) == 4
        assert grading.cases[0].tally.outcomes.total() == len(expected)


def test_a_tenants_gate_leaves_a_case_out_with_or_without_runs() -> None:
    """The tally says why; elsewhere it is empty."""
    case = dataclasses.replace(suite(CASES).cases[0], left_out="it needs a yes")
    made = dataclasses.replace(suite(CASES), cases=(case,))
    for tenant_gate, runs in itertools.product((True, False), ((), (asked("Refund", "refund"),))):
        found = grade_suite(made, runs, id="g", now=0, inputs=Inputs(tenant_gate=tenant_gate)).cases[0].tally
        assert found.left_out == ("it needs a yes" if tenant_gate else "")
        assert found.outcomes["skipped"] == (len(runs) if tenant_gate else 0)
