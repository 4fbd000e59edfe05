"""What the answer says or is."""

from typing import Any

import pytest

from grader.checks.answer import AnswerIs, AnswerSays
from grader.outcome import Finding
from tests.grader.trees import captured, scene


def says(phrase: str, reply: Any, *, wanted: bool = True, state: Any = "present") -> Finding:
    """The finding on that reply."""
    return AnswerSays(phrase=phrase, wanted=wanted).decide(scene(reply=reply, capture=captured(reply=state)))


def test_the_miss_shows_the_answer() -> None:
    """So that one sees what it says instead."""
    assert says("sent", "done").sentence == "the answer does not contain “sent”; it is “done”"
    assert says("done", "done", wanted=False).sentence == "the answer contains “done”; it is “done”"
    assert says("done", "done").sentence == "the answer contains “done”"


@pytest.mark.parametrize(
    ("state", "truth"), [("absent", None), ("malformed", None), ("partial", True), ("present", True)]
)
def test_what_was_captured_decides(state: Any, truth: Any) -> None:
    """Part of an answer shows what it has."""
    assert says("done", "done", state=state).truth is truth
    assert says("sent", "done", state="partial").truth is None


@pytest.mark.parametrize(
    ("reply", "value", "sentence"),
    [
        ("42", 42, "the answer is the text 42; expected the value 42"),
        (42, "42", "the answer is the value 42; expected the text 42"),
        ({"a": 1}, {"a": 2}, 'the answer is the value {"a":1}; expected the value {"a":2}'),
    ],
)
def test_a_difference_tells_texts_from_values(reply: Any, value: Any, sentence: str) -> None:
    """Else one would not see it."""
    found = AnswerIs(value=value).decide(scene(reply=reply))
    assert (found.truth, found.sentence) == (False, sentence)


def test_part_of_an_answer_equals_nothing() -> None:
    """The rest may differ."""
    assert AnswerIs(value="done").decide(scene(reply="done", capture=captured(reply="partial"))).truth is None
