"""One run's own evidence, or that of its tree."""

from typing import Any

import pytest

from grader.checks.constant import Constant
from grader.checks.not_called import Absent
from grader.checks.over_jobs import OverJobs
from grader.outcome import Truth
from grader.wanted import STATES, Wanted
from tests.grader.trees import captured, child, scene

CHECK = OverJobs(own=Constant(truth=True, sentence="own"), tree=Constant(truth=None, sentence="tree"))
TOOL = Wanted(tool="f", names="exact", states=STATES["attempted"])
NOT_CALLED = OverJobs(own=Absent(wanted=(TOOL,), scope="job"), tree=Absent(wanted=(TOOL,), scope="tree"))


def test_the_sentence_tells_how_many_jobs_there_were() -> None:
    """A run of one job is told nothing."""
    assert CHECK.decide(scene()).sentence == "own"
    found = CHECK.decide(scene(jobs=[child("a", jobs=[child("b")])]))
    assert (found.truth, found.sentence) == (None, "tree (counted over all 3 jobs of the run)")


@pytest.mark.parametrize(
    ("children", "truth"), [("present", True), ("absent", True), ("partial", None), ("malformed", None)]
)
def test_jobs_that_are_visibly_missing_leave_open_what_they_did(children: Any, truth: Truth) -> None:
    """Where nothing tells of any, the run is the one that is seen."""
    assert NOT_CALLED.decide(scene("g", capture=captured(children=children))).truth is truth
    assert NOT_CALLED.decide(scene("f", capture=captured(children=children))).truth is False


def test_a_job_below_counts_with_what_was_captured_of_it() -> None:
    """Its calls, and its lack of evidence."""
    assert NOT_CALLED.decide(scene(jobs=[child("a", "f")])).truth is False
    assert NOT_CALLED.decide(scene(jobs=[child("a", capture=captured(tools="absent"))])).truth is None
