"""Real traces of real frameworks, graded: the same suite says the same of all that recorded the same."""

import pytest

from grader.grading import grade_suite
from grader.sample import Candidate, Sample
from tests.captures import NAMES, load
from tests.grader.suites import suite

REFUND = """
  - name: refund
    request: Refund order A-1234, it arrived broken
    expect:
      - {called: lookup_order, times: 1, state: succeeded}
      - {called: issue_refund, with: {order_id: A-1234}}
      - {in_order: [lookup_order, issue_refund]}
      - {every: issue_refund, preceded_by: lookup_order}
      - {not_called: send_email}
      - {limits: {tool_calls: 2, same_call: 1}}
      - {captured: [tools, model_calls]}
  - name: never a refund without a lookup
    when: {called: issue_refund}
    expect: [{every: issue_refund, preceded_by: lookup_order}]
"""


POLICY_OF_EXECUTED = """
  - name: no refund runs without a lookup
    when: {called: issue_refund}
    expect: [{every: issue_refund, preceded_by: lookup_order, state: executed}]
"""


def graded(capture: str, cases: str = REFUND) -> list[Sample]:
    candidates = [Candidate(run, run.digest) for run in load(capture).trees()]
    return grade_suite(suite(cases), candidates, id="g", now=0).samples


REFUNDS = [n for n in NAMES if n.endswith("__refund") and n.startswith(("pydantic-ai", "openai-agents"))]


WORDLESS = "openai-agents-chat__traceloop__refund"
"""A capture whose tools have content, and whose model calls show neither words nor why they ended."""


@pytest.mark.parametrize("name", [n for n in REFUNDS if "nocontent" not in n and n != WORDLESS])
def test_a_refund_passes_wherever_content_was_recorded(name: str) -> None:
    """Case and policy; where arguments were not recorded the check that asks for them is undecided, not passed."""
    case, policy = graded(name)
    assert policy.outcome == "pass"
    undecided = {r.check for r in case.results if r.outcome != "pass"}
    if case.outcome != "pass":
        assert case.outcome == "indeterminate"
        assert "called issue_refund" in undecided


def test_without_the_models_words_the_executed_calls_are_known_alone() -> None:
    """Whether a refund was asked for and refused before the lookup is not known; that none ran before it is."""
    outcomes = [graded(WORDLESS, REFUND + more)[-1].outcome for more in ("", POLICY_OF_EXECUTED)]
    assert outcomes == ["indeterminate", "pass"]


def test_a_framework_that_records_no_content_leaves_the_request_unmatched() -> None:
    """Without the input no run answers the case: not gateable, never a guess."""
    candidates = [Candidate(r, r.digest) for r in load("pydantic-ai-v5-nocontent__native__refund").trees()]
    decision = grade_suite(suite(REFUND), candidates, id="g", now=0).decision
    assert decision.exit_code == 2


@pytest.mark.parametrize("name", ["pydantic-ai-v6__native__delegate", "pydantic-ai__openinference__delegate"])
def test_a_delegated_refund_is_found_in_the_child(name: str) -> None:
    """The tree has it, the root job's own calls do not."""
    cases = """
  - name: delegated
    request: Refund order A-1234, it arrived broken
    expect:
      - {called: issue_refund}
      - {not_called: issue_refund, scope: job}
      - {called: delegate_to_refunds, scope: job}
"""
    (sample,) = graded(name, cases)
    assert [r.outcome for r in sample.results if r.kind != "status"] == ["pass", "pass", "pass"], sample.reason
