"""Evidence that holds anything unreadable is no evidence."""

from typing import Any

import pytest

from grader.checks.constant import Constant
from grader.checks.wellformed import Wellformed
from tests.grader.trees import captured, child, scene


def decide(scope: Any, **more: Any) -> Any:
    return Wellformed(kind="tools", scope=scope, then=Constant(truth=True, sentence="then")).decide(scene(**more))


@pytest.mark.parametrize("state", ["present", "partial", "absent"])
def test_the_check_decides_over_what_can_be_read(state: Any) -> None:
    """What is missing is the check's own business."""
    assert decide("tree", capture=captured(tools=state)).truth is True


def test_malformed_evidence_leaves_everything_open() -> None:
    """In the scope that is looked at, with the reason."""
    found = decide("job", capture=captured(tools="malformed"))
    assert (found.truth, found.sentence) == (None, "tool calls were captured but cannot be read")
    below = [child("helper", capture=captured(tools="malformed"))]
    assert decide("tree", jobs=below).truth is None
    assert decide("job", jobs=below).truth is True
