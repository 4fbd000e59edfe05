"""S0, AgentLasso check lists: checks of the reply. Rules are numbered as in the reference of checks."""

import time
from typing import Any

import pytest

from tests.grader.judge.answering import Answering, judged, met
from tests.grader.rules.vocabularies import REQUEST, TYPES, holds, lasso, only, outcomes, refused, rows, told
from tests.grader.trees import candidate, captured, job

TOOL = {"type": "tool_called", "tool": "tool"}
CONTENT = ("output_contains", "output_not_contains", "output_valid_json", "llm_judge")


@pytest.mark.parametrize("row", rows("S0-14"), ids=told)
def test_S0_14_text_is_found_without_case(row: list[Any]) -> None:
    """As plain text: no pattern, and characters as they were written."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-15"), ids=told)
def test_S0_15_a_pattern_is_searched_for_with_its_case(row: list[Any]) -> None:
    """Anywhere in the reply; digits are those of ASCII."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-16"), ids=told)
def test_S0_16_a_forbidden_text_is_shown_where_it_stands(row: list[Any]) -> None:
    """The negation, with a snippet around the hit."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-17"), ids=told)
def test_S0_17_the_whole_reply_is_json(row: list[Any]) -> None:
    """Scalars are; fences, NaN, an empty reply and anything beside the value are not."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-18"), ids=told)
def test_S0_18_a_criterion_is_listed_until_a_judge_is_there(row: list[Any]) -> None:
    """It loads, and its sentence has the criterion."""
    holds(row)


@pytest.mark.parametrize(("truth", "outcome"), [(True, "pass"), (False, "fail")])
def test_S0_18_a_judge_decides_whether_the_criterion_is_met(truth: bool, outcome: str) -> None:
    """Of the reply, by one question that has both."""
    suite = lasso({"type": "llm_judge", "criterion": "States the amount"})
    panel = Answering(met(truth))
    (sample,) = judged(suite, panel, candidate(job(input=REQUEST, reply="you get 50"))).samples
    assert [r.outcome for r in sample.results] == [outcome]
    (question,) = panel.asked
    assert "States the amount" in question.prompt
    assert "you get 50" in question.prompt


@pytest.mark.parametrize("row", rows("S0-20"), ids=told)
def test_S0_20_an_invalid_pattern_fails_the_check(row: list[Any]) -> None:
    """With the error, whichever way the check asks."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-22"), ids=told)
def test_S0_22_an_empty_reply_is_a_reply(row: list[Any]) -> None:
    """It contains nothing."""
    holds(row)


def test_S0_15_a_search_that_takes_too_long_fails_with_the_reason() -> None:
    """The pattern needs a backtracking search, and that is ended."""
    before = time.process_time()
    check = {"type": "output_not_contains", "value": r"(?=a)(a+)+\1$", "regex": True}
    outcome, sentence = only(lasso(check), reply="a" * 60 + "b")
    assert (outcome, "took too long" in sentence) == ("fail", True)
    assert time.process_time() - before < 30


@pytest.mark.parametrize(
    ("kind", "key"), [("output_contains", "value"), ("output_not_contains", "value"), ("llm_judge", "criterion")]
)
def test_S0_19_an_empty_text_is_refused(kind: str, key: str) -> None:
    """It would be found in every reply."""
    assert f"checks[0].{key}: must be a text, is empty" in refused(lasso, {"type": kind, key: ""})


def test_S0_20_the_run_goes_on_after_a_check_with_an_invalid_pattern() -> None:
    """The other checks are decided."""
    bad = {"type": "output_contains", "value": "(", "regex": True}
    assert outcomes(lasso(bad, TOOL), "tool") == ["fail", "pass"]


@pytest.mark.parametrize("state", ["absent", "partial", "malformed"])
@pytest.mark.parametrize("kind", CONTENT)
def test_S0_21_without_the_reply_checks_of_content_fail_and_say_why(kind: str, state: Any) -> None:
    """Each of them, the judge's too."""
    outcome, sentence = only(lasso({"type": kind} | TYPES[kind]), reply=None, capture=captured(reply=state))
    assert outcome == "fail"
    assert "the reply was" in sentence


def test_S0_21_a_forbidden_text_in_what_is_left_of_a_cut_reply_is_found() -> None:
    """What was seen is a violation, whatever followed."""
    check = {"type": "output_not_contains", "value": "guarantee"}
    outcome, sentence = only(lasso(check), reply="I guarantee", capture=captured(reply="partial"))
    assert (outcome, "forbidden" in sentence) == ("fail", True)
