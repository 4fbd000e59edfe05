"""A text in a reply, and the words around it."""

from typing import Any

import pytest

from grader.phrases import Phrase, around
from tests.grader.trees import captured, scene


@pytest.mark.parametrize(
    ("wanted", "reply", "state", "truth"),
    [
        (True, "It is DONE", "present", True),
        (True, "no", "present", False),
        (False, "It is DONE", "present", False),
        (False, "no", "present", True),
        (True, "It is DONE", "partial", True),
        (False, "no", "partial", None),
        (False, None, "absent", None),
    ],
)
def test_it_is_there_or_not(wanted: bool, reply: Any, state: Any, truth: Any) -> None:
    """In any case unless it counts; a cut reply decides only what was seen."""
    check = Phrase(phrase="Done", wanted=wanted, case_sensitive=False)
    assert check.decide(scene(reply=reply, capture=captured(reply=state))).truth is truth
    exact = Phrase(phrase="Done", wanted=wanted, case_sensitive=True)
    assert exact.decide(scene(reply="It is DONE")).truth is not wanted


def test_the_words_around_stand_on_one_line() -> None:
    """With marks where more is left out."""
    assert around("a\nb  c", 2, 1, margin=2) == "a b…"
    assert around("x" * 100, 50, 1, margin=3) == "…xxxxxxx…"
