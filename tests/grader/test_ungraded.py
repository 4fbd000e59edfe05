"""What is not graded."""

from grader.ungraded import Ungraded
from tests.grader.trees import scene


def test_it_is_undecided_whatever_happened() -> None:
    """The sentence has its text and the reason."""
    finding = Ungraded(text="friendly", why="is for people").decide(scene("f"))
    assert (finding.truth, finding.sentence) == (None, "“friendly” is for people")
