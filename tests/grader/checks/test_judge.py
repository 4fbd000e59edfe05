"""`judge`: a criterion or a rubric."""

from pathlib import Path

import pytest

from grader.asking import Question
from grader.case import Suite
from grader.formats import native
from grader.grading import grade_suite
from grader.syntax.mistakes import SuiteError
from tests.grader.judge.answering import asks, decided, level, met, nobody
from tests.grader.suites import suite
from tests.grader.trees import candidate, captured, scene


def primitive(item: str):
    return suite(f"  - {{name: a, expect: [{item}]}}\n").cases[0].expect[0].primitive


def beside(folder: Path, item: str) -> Suite:
    (folder / "tone.md").write_text("5: friendly\n1: rude\n", encoding="utf-8")
    path = folder / "suite.yaml"
    return native.read(path, f"tracegrade: 1\nsuite: s\ncases:\n  - {{name: a, request: hello, expect: [{item}]}}\n")


@pytest.mark.parametrize("truth", [True, False])
def test_a_criterion_is_met_or_not(truth: bool) -> None:
    """By the judge's word; the sentence has both."""
    found = decided(primitive("{judge: States the amount}"), scene(), met(truth))
    assert found.truth is truth
    assert found.sentence == f"“States the amount” is {'met' if truth else 'not met'}: because"
    assert found.spans == ["a" * 16]


def test_the_judge_is_shown_criterion_request_and_reply() -> None:
    """And is asked of the grading's model, unless the check names one."""
    (asked,) = asks(primitive("{judge: States the amount}"), scene(input="Refund?", reply="50 dollars"))
    assert isinstance(asked, Question)
    assert all(f">\n{text}\n<" in asked.prompt for text in ("States the amount", "Refund?", "50 dollars"))
    assert asked.model == "m"
    (other,) = asks(primitive("{judge: {criterion: x, model: n, max_tokens: 7}}"), scene())
    assert isinstance(other, Question)
    assert (other.model, other.max_tokens) == ("n", 7)


@pytest.mark.parametrize("item", ["{judge: friendly}", "RUBRIC"])
def test_a_reply_that_is_not_there_is_not_judged(item: str, tmp_path: Path) -> None:
    """Nobody is asked, nothing is decided."""
    made = beside(tmp_path, "{judge: {rubric: tone.md}}" if item == "RUBRIC" else item).cases[0].expect[0].primitive
    lacking = scene(capture=captured(reply="absent"))
    assert asks(made, lacking) == []
    found = decided(made, lacking, level(5))
    assert found.truth is None
    assert "reply" in found.sentence


def test_a_rubric_is_a_file_beside_the_suite(tmp_path: Path) -> None:
    """Its text is part of the definition, not its name."""
    made = beside(tmp_path, "{judge: {rubric: tone.md, scale: 3, pass_level: 3}}")
    check = made.cases[0].expect[0]
    (asked,) = asks(check.primitive, scene())
    assert isinstance(asked, Question)
    assert "5: friendly\n1: rude" in asked.prompt
    assert [decided(check.primitive, scene(), level(n)).truth for n in (2, 3)] == [False, True]
    (tmp_path / "tone.md").write_text("another\n", encoding="utf-8")
    again = native.read(tmp_path / "suite.yaml", made.text)
    assert again.hash != made.hash
    with pytest.raises(SuiteError, match=r"judge\.rubric: gone\.md cannot be read: No such file"):
        beside(tmp_path, "{judge: {rubric: gone.md}}")


def test_without_a_verdict_it_is_not_graded_and_keeps_the_case_from_passing() -> None:
    """The case is flagged; the other checks count all the same."""
    made = suite("  - {name: a, request: hello, expect: [{judge: friendly}]}\n")
    grading = grade_suite(made, [candidate()], id="g", now=0)
    (sample,) = grading.samples
    assert (sample.outcome, list(sample.flags)) == ("indeterminate", ["partially_graded"])
    assert [r.outcome for r in sample.results] == ["not_graded", "pass"]
    assert grading.decision.exit_code == 2
    assert (
        decided(made.cases[0].expect[0].primitive, scene(), nobody("it is dead")).sentence
        == "“friendly” is not graded: it is dead"
    )


def test_a_minor_one_lets_the_case_pass() -> None:
    """As far as the others go."""
    made = suite("  - {name: a, request: hello, expect: [{judge: friendly, severity: minor}]}\n")
    (sample,) = grade_suite(made, [candidate()], id="g", now=0).samples
    assert (sample.outcome, sample.value, list(sample.flags)) == ("pass", 1.0, ["partially_graded"])


def test_the_author_may_say_that_it_fails() -> None:
    """By the check's own `unknown`; the suite's is for missing evidence."""
    cases = "  - {name: a, expect: [{judge: friendly}, {human: tone, unknown: fail}]}\n"
    (sample,) = grade_suite(suite(cases, "unknown: fail"), [candidate()], id="g", now=0).samples
    assert [r.outcome for r in sample.results] == ["not_graded", "fail"]


def test_the_suite_names_the_judge_and_its_price() -> None:
    """Asked where a check names none; a price that is none is a mistake."""
    made = suite("  - {name: a, expect: [{judge: x}]}\n", "judge: { model: n, prices: { n: { input: 1, output: 2 } } }")
    assert (made.model, made.prices["n"].output) == ("n", 2.0)
    with pytest.raises(SuiteError, match=r"judge\.prices\.n: .*input, output"):
        suite("  - {name: a, expect: [{judge: x}]}\n", "judge: { prices: { n: 5 } }")


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("{judge: {scale: 5}}", "criterion or a rubric"),
        ("{judge: {criterion: x, pass_level: 2}}", "belong to a rubric"),
        ("{judge: {rubric: README.md, scale: 3, pass_level: 4}}", "higher than the scale"),
        ("{judge: {criterion: x, scale: 1}}", "scale"),
    ],
)
def test_mistakes(item: str, message: str) -> None:
    """Told when the suite is read."""
    with pytest.raises(SuiteError, match=message):
        suite(f"  - {{name: a, expect: [{item}]}}\n")
