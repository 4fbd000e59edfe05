"""A finding that is known before any run."""

import pytest

from grader.checks.constant import Constant
from tests.grader.trees import scene


@pytest.mark.parametrize("truth", [True, False, None])
def test_it_is_the_same_for_every_run(truth: bool | None) -> None:
    """Whatever was called."""
    check = Constant(truth=truth, sentence="as written")
    assert [check.decide(scene(*calls)).truth for calls in ((), ("f",))] == [truth, truth]
    assert check.decide(scene()).sentence == "as written"
