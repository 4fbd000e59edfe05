"""What checks share that must ask somebody."""

import pytest

from collector.tree import Evidence
from grader.asking import NOBODY, Answer
from grader.judged import MOST_REASONING, by_level, level_of, reasoning, reply_of, request_of, unheard
from grader.levels import Levels
from tests.grader.trees import captured, scene


def test_no_answer_and_an_error_are_told_and_decide_nothing() -> None:
    """Where nobody is asked, too."""
    for answer, told in ((NOBODY, "no judge was asked"), (Answer(error="it is dead"), "it is dead")):
        found = unheard("it", answer, ["a"])
        assert (found.truth, found.value, found.spans) == (None, None, ["a"])
        assert found.sentence == f"it is not graded: {told}"
        assert by_level(answer, Levels(scale=3), "it", ["a"]) == found


def test_a_long_reasoning_is_shortened() -> None:
    """A sentence has to fit a report."""
    assert len(reasoning(Answer(value={"reasoning": "x" * 1_000}))) == MOST_REASONING


@pytest.mark.parametrize("state", ["partial", "absent", "malformed"])
def test_nobody_judges_what_is_not_all_there(state: Evidence) -> None:
    """Neither a reply nor a request."""
    lacking = scene(capture=captured(reply=state, input=state))
    assert (reply_of(lacking, "compact"), request_of(lacking)) == (None, None)
    assert (reply_of(scene(reply={"a": 1}), "compact"), request_of(scene())) == ('{"a":1}', "hello")


def test_a_level_is_what_it_is_worth() -> None:
    """With the words of the judge."""
    found = by_level(Answer(value={"reasoning": "because", "level": 2}), Levels(scale=3), "the rubric", ["a"])
    assert (found.truth, found.value, found.spans) == (True, 0.5, ["a"])
    assert found.sentence == "the rubric: level 2 of 1 to 3, passes at 2: because"
    assert level_of(3)["properties"]["level"] == {"type": "integer", "enum": [1, 2, 3]}
