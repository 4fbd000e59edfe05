"""Which checks are judged by a model, and on which scale."""

import pytest

from grader.checks.human import Human
from grader.checks.judge import Criterion, Rubric
from grader.checks.rag import Rag
from grader.levels import Levels
from grader.people.judged import JUDGED, scale_of
from grader.scene import Primitive


@pytest.mark.parametrize(
    ("primitive", "scale"),
    [
        (Criterion(criterion="c"), None),
        (Rubric(rubric="r", levels=Levels(scale=7)), 7),
        (Rubric(rubric="r", levels=Levels(scale=2)), None),
        (Rag(kind="faithfulness"), 5),
    ],
)
def test_a_scale_has_more_than_two_levels(primitive: Primitive, scale: int | None) -> None:
    """Two are pass and fail."""
    assert isinstance(primitive, JUDGED)
    assert scale_of(primitive) == scale


def test_people_are_no_judges() -> None:
    """Their labels are what judges are compared with."""
    assert not isinstance(Human(check=None), JUDGED)
