"""Approvals that nobody would have answered."""

from collector.tree import Approval, Job
from grader.checks.approval_left import ApprovalLeft
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import captured, child, job, run


def left(root: Job, scope: str = "tree") -> Finding:
    """The finding on that run."""
    return ApprovalLeft(why="nobody answers", scope=scope).decide(Scene(run(root)))  # ty: ignore


def test_one_that_waited_refutes_it() -> None:
    """With what it was about, how it was decided, and its spans."""
    found = left(job(approvals=[Approval("refund", decision="reject", source="human", spans=["b" * 16])]))
    assert (found.truth, found.spans) == (False, ["b" * 16])
    assert found.sentence == "refund waited for an answer (recorded: reject); nobody answers"
    assert "an approval (loop)" in left(job(approvals=[Approval(kind="loop")])).sentence


def test_the_scope_is_its_own() -> None:
    """A child's approval is the tree's, not the job's."""
    root = job(jobs=[child("helper", approvals=[Approval("refund")])])
    assert (left(root).truth, left(root, "job").truth) == (False, True)


def test_it_asks_for_no_evidence() -> None:
    """What was not captured was not asked for, and grants of a policy wait for nobody."""
    assert left(job(capture=captured(approvals="absent"))).truth is True
    assert left(job(approvals=[Approval("refund", decision="approve", source="auto")])).truth is True
