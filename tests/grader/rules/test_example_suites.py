"""What holds for the example files of every format: no order of keys, no company and no lack of evidence helps a run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.tree import CAPTURE_KINDS
from grader.grading import grade_suite
from tests.grader.rules.example_suites import (
    answering,
    examples,
    in_another_order,
    jobs,
    nothing,
    outcome,
    suites,
    without,
)
from tests.grader.trees import job

FORMATS = ("agentlasso", "connic", "evalstone", "expectations", "native", "scenario")
few = settings(max_examples=15, deadline=None)


def test_there_is_an_example_of_every_format() -> None:
    """With cases."""
    assert {suite.format for name in examples() for suite in suites(name)} == set(FORMATS)
    assert all(suite.cases for name in examples() for suite in suites(name))


@pytest.mark.parametrize("name", list(examples()))
@few
@given(data=st.data())
def test_the_order_of_keys_changes_neither_hash_nor_verdict(name: str, data: st.DataObject) -> None:
    """Wherever in the file; only the order of a list may mean something."""
    turned = {suite.name: suite for suite in in_another_order(name, data.draw(st.integers(0, 999)))}
    assert {n: s.hash for n, s in turned.items()} == {s.name: s.hash for s in suites(name)}
    root = data.draw(jobs(name))
    for suite in suites(name):
        runs = [answering(case, root, number) for number, case in enumerate(suite.cases)]
        one, two = (grade_suite(s, runs, id="g", now=0) for s in (suite, turned[suite.name]))
        assert (one.decision.verdict, [(s.case, s.outcome) for s in one.samples]) == (
            two.decision.verdict,
            [(s.case, s.outcome) for s in two.samples],
        )


@pytest.mark.parametrize("name", list(examples()))
@few
@given(data=st.data())
def test_a_run_has_the_same_outcome_alone_and_among_others(name: str, data: st.DataObject) -> None:
    """In whatever order they come."""
    for suite in suites(name):
        runs = [answering(case, data.draw(jobs(name)), number) for number, case in enumerate(suite.cases)]
        alone = {
            (s.run.run_id, s.case): s.outcome for r in runs for s in grade_suite(suite, [r], id="g", now=0).samples
        }
        for order in (runs, runs[::-1]):
            whole = grade_suite(suite, order, id="g", now=0)
            assert {(s.run.run_id, s.case): s.outcome for s in whole.samples} == alone


@pytest.mark.parametrize("name", list(examples()))
@few
@given(data=st.data())
def test_less_evidence_never_makes_a_pass(name: str, data: st.DataObject) -> None:
    """What did not pass does not pass without some kinds of evidence either."""
    root = data.draw(jobs(name))
    kinds = data.draw(st.lists(st.sampled_from(CAPTURE_KINDS), min_size=1, unique=True))
    poorer = without(root, *kinds)
    for case in (case for suite in suites(name) for case in suite.cases):
        assert outcome(case, root) == "pass" or outcome(case, poorer) != "pass", (case.name, kinds)


@pytest.mark.parametrize("name", list(examples()))
def test_no_evidence_never_passes(name: str) -> None:
    """No case of any file, and no gate."""
    for suite in suites(name):
        runs = [answering(case, nothing(job()), number) for number, case in enumerate(suite.cases)]
        grading = grade_suite(suite, runs, id="g", now=0)
        assert not any(s.outcome == "pass" for s in grading.samples)
        assert grading.decision.verdict != "pass"
        assert grade_suite(suite, [], id="g", now=0).decision.verdict != "pass"
