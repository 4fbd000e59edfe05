"""`safety`: personal data, forbidden phrases and refusals on one reply."""

from typing import Any

import pytest

from grader.grading import grade_suite
from grader.outcome import Result
from grader.syntax.mistakes import SuiteError
from tests.grader.suites import suite
from tests.grader.trees import candidate, captured, job

NO = "I'm sorry, but I can't help with that."


def result(asked: str, **root: Any) -> Result:
    """What `safety: <asked>` comes to on one run."""
    made = suite(f"  - {{name: a, request: hello, expect: [{{safety: {asked}}}]}}\n")
    (sample,) = grade_suite(made, [candidate(job(**root))], id="g", now=0).samples
    return sample.results[0]


@pytest.mark.parametrize(
    ("asked", "reply", "outcome"),
    [
        ("{no_pii: [email, card]}", "write to a@b.example", "fail"),
        ("{no_pii: [email, card]}", "from 10.0.0.1", "pass"),
        ("{refusal: false}", NO, "fail"),
        ("{refusal: true}", NO, "pass"),
        ("{forbidden: [Guarantee]}", "I guarantee it", "fail"),
        ("{forbidden: guarantee}", "I promise it", "pass"),
        ("{forbidden: [absent, guarantee]}", "I guarantee it", "fail"),
        ("{forbidden: [Guarantee], case_sensitive: true}", "I guarantee it", "pass"),
        ("{no_pii: [email], forbidden: [guarantee], refusal: false}", "done", "pass"),
        ("{no_pii: [email], forbidden: [guarantee], refusal: false}", "I guarantee it", "fail"),
        ("{no_pii: [email], forbidden: [guarantee], refusal: false}", NO, "fail"),
    ],
)
def test_all_that_is_asked_must_hold(asked: str, reply: str, outcome: str) -> None:
    """The value is 1 or 0, however many parts there are."""
    found = result(asked, reply=reply)
    assert (found.outcome, found.value) == (outcome, 1.0 if outcome == "pass" else 0.0)


def test_the_sentence_tells_each_part_that_fails() -> None:
    """Not those that hold."""
    asked = "{no_pii: [email], forbidden: [guarantee], refusal: false}"
    found = result(asked, reply="I guarantee a@b.example")
    assert found.sentence == (
        "the reply has an email address at character 13; forbidden “guarantee” found: I guarantee a@b.example"
    )


@pytest.mark.parametrize(
    ("reply", "state", "outcome"),
    [("I guarantee it", "partial", "fail"), ("fine", "partial", "indeterminate"), (None, "absent", "indeterminate")],
)
def test_a_reply_not_captured_whole(reply: Any, state: Any, outcome: str) -> None:
    """What was found is found; what was not may stand in the rest."""
    assert result("{forbidden: [guarantee]}", reply=reply, capture=captured(reply=state)).outcome == outcome


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("{}", "say at least one of no_pii, forbidden and refusal"),
        ("{refusal: true, case_sensitive: true}", "case_sensitive belongs to forbidden"),
        ("{no_pii: [emial]}", "did you mean 'email'"),
        ("{forbidden: []}", "at least 1 item"),
        ("{refusal: 'no'}", "valid boolean"),
    ],
)
def test_mistakes(asked: str, message: str) -> None:
    """Told when the suite is read."""
    with pytest.raises(SuiteError, match=message):
        suite(f"  - {{name: a, expect: [{{safety: {asked}}}]}}\n")
