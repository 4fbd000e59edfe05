"""Checks that need a judge, a label or code: they load, and keep a case from passing."""

import pytest

from grader.grading import grade_suite
from grader.mistakes import SuiteError
from tests.grader.suites import suite
from tests.grader.trees import candidate

SOUND = (
    "{judge: States the refund amount}",
    "{judge: {rubric: rubrics/tone.md, scale: 5, pass_level: 4}}",
    "{judge: {rubric: rubrics/tone.md}}",
    "{rag: faithfulness}",
    "{safety: {no_pii: [email, card], refusal: false}}",
    "{compare: {baseline: last-release, rubric: rubrics/better.md}}",
    "{human: tone}",
    "{python: mychecks.no_apology}",
)


@pytest.mark.parametrize("item", SOUND)
def test_it_is_not_graded_and_keeps_the_case_from_passing(item: str) -> None:
    """With a notice; the other checks count all the same."""
    made = suite(f"  - {{name: a, request: hello, expect: [{item}]}}\n")
    grading = grade_suite(made, [candidate()], id="g", now=0)
    (sample,) = grading.samples
    assert (sample.outcome, list(sample.flags)) == ("indeterminate", ["partially_graded"])
    assert [r.outcome for r in sample.results] == ["not_graded", "pass"]
    assert grading.decision.exit_code == 2
    key = item[1:].partition(":")[0]
    assert grading.notices == [f"'a': `{key}` is not graded yet (check 1)"]


def test_a_minor_one_lets_the_case_pass() -> None:
    """As far as the others go."""
    made = suite("  - {name: a, request: hello, expect: [{judge: friendly, severity: minor}]}\n")
    (sample,) = grade_suite(made, [candidate()], id="g", now=0).samples
    assert (sample.outcome, sample.value) == ("pass", 1.0)


def test_the_author_may_say_that_it_fails() -> None:
    """By the check's own `unknown`; the suite's is for missing evidence."""
    cases = "  - {name: a, expect: [{judge: friendly}, {human: tone, unknown: fail}]}\n"
    (sample,) = grade_suite(suite(cases, "unknown: fail"), [candidate()], id="g", now=0).samples
    assert [r.outcome for r in sample.results] == ["not_graded", "fail"]


def test_what_is_asked_is_part_of_the_definition() -> None:
    """Another level is another case; the sentence has all that was said."""
    one, other = (
        suite(f"  - {{name: a, expect: [{{judge: {{rubric: r.md, pass_level: {n}}}}}]}}\n").cases[0] for n in (3, 4)
    )
    assert one.hash != other.hash
    assert one.expect[0].primitive.text == 'judge: {"pass_level":3,"rubric":"r.md"}'  # ty: ignore[missing-attribute]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("{judge: {scale: 5}}", "criterion or a rubric"),
        ("{judge: {criterion: x, pass_level: 2}}", "belong to a rubric"),
        ("{judge: {rubric: r, scale: 3, pass_level: 4}}", "higher than the scale"),
        ("{rag: faithfulnes}", "did you mean 'faithfulness'"),
        ("{safety: {}}", "no_pii, refusal or both"),
        ("{safety: {no_pii: [emial]}}", "did you mean 'email'"),
        ("{compare: {baseline: b}}", "rubric: is missing"),
        ("{human: ''}", "at least 1 character"),
        ("{python: 'no dots'}", "pattern"),
    ],
)
def test_mistakes(item: str, message: str) -> None:
    """Told when the suite is read."""
    with pytest.raises(SuiteError, match=message):
        suite(f"  - {{name: a, expect: [{item}]}}\n")
