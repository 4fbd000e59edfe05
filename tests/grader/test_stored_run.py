"""A run as the store holds it."""

from collector import tree_text
from grader.stored_run import StoredRun
from tests.grader.trees import job, run


def test_the_candidate_has_the_tree_of_the_text() -> None:
    """With the digest and the time under which it is stored."""
    made = run(job("refund", input="Refund"), id="run-0")
    candidate = StoredRun("run-0", tree_text.to_json(made).decode(), "digest-0", 5).candidate()
    assert candidate.run.root.tool_calls[0].name == "refund"
    assert (candidate.digest, candidate.last_arrival) == ("digest-0", 5)
