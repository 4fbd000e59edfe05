"""Gradings to be reported: one with every outcome, and an empty one."""

from grader.grading import Grading, grade_suite
from tests.grader.suites import suite
from tests.grader.trees import call, candidate, captured, job

CASES = """
  - name: refunds
    request: Refund
    expect:
      - {called: refund, with: {amount: 50}}
      - {limits: {tool_calls: 1}, severity: minor}
  - {name: quiet, expect: [{not_called: email}]}
  - {name: seldom, when: {called: never}, expect: [{called: x}]}
  - {name: missing, request: Refunded}
"""


def mixed() -> Grading:
    """A failure with its nearest miss, a pass, an undecided sample, a policy that applies nowhere, a case without runs."""
    runs = [
        candidate(job(call("refund", {"amount": 60}, spans=["f" * 16]), input="Refund"), id="run-fail"),
        candidate(job(call("refund", {"amount": 50}), call("other"), input="Refund"), id="run-pass"),
        candidate(job(capture=captured(tools="absent"), input="x\x00\x1b[31m<&>"), id="run-open"),
    ]
    grading = grade_suite(suite(CASES), runs, id="g1", now=0)
    first = grading.cases[0].samples[0]
    first.changed_because, first.previous_outcome = "child joined", "pass"
    return grading


def empty() -> Grading:
    """Nothing was selected."""
    return grade_suite(suite(CASES), [], id="g2", now=0)
