"""A check over a whole tree that says so."""

from grader.checks.constant import Constant
from grader.checks.over_jobs import OverJobs
from tests.grader.trees import child, scene


def test_the_sentence_tells_how_many_jobs_there_were() -> None:
    """The answer is the check's own; a run of one job is told nothing."""
    check = OverJobs(then=Constant(truth=None, sentence="then"))
    assert check.decide(scene()).sentence == "then"
    found = check.decide(scene(jobs=[child("a", jobs=[child("b")])]))
    assert (found.truth, found.sentence) == (None, "then (counted over all 3 jobs of the run)")
