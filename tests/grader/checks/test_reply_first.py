"""A check on the reply fails where the reply is not all there."""

import pytest

from grader.checks.constant import Constant
from grader.checks.reply_first import ReplyFirst
from tests.grader.trees import captured, scene


@pytest.mark.parametrize("truth", [True, False, None])
def test_the_check_decides_where_the_reply_was_captured(truth: bool | None) -> None:
    """An empty reply is one."""
    check = ReplyFirst(then=Constant(truth=truth, sentence="then"))
    assert (check.decide(scene(reply="")).truth, check.decide(scene(reply="")).sentence) == (truth, "then")


@pytest.mark.parametrize("state", ["absent", "partial", "malformed"])
def test_a_missing_reply_refutes(state: str) -> None:
    """Whatever the check would say; with the reason."""
    found = ReplyFirst(then=Constant(truth=True, sentence="then")).decide(scene(capture=captured(reply=state)))  # ty: ignore[invalid-argument-type]
    assert found.truth is False
    assert found.sentence.startswith("this needs the reply: the reply was ")
