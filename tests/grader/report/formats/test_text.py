"""The text report."""

import pytest

from grader.grading import grade_suite
from grader.report.formats.text import FORMAT
from grader.report.report_format import Page
from tests.grader.report.gradings import empty, mixed
from tests.grader.suites import suite
from tests.grader.trees import candidate


def test_it_tells_what_failed_why_and_where() -> None:
    """The case, the run, the sentence with the nearest miss, the span, the change, the gate."""
    text = FORMAT.render([mixed()], Page(width=160))
    assert "1 of 2 passed (50%), required 100%" in text
    assert "run run-fail fail  (was pass: child joined)" in text
    assert "called refund: refund was called once, with amount 60; expected 50  [ffffffffffffffff]" in text
    assert "fail, minor  limits tool_calls: 2 tool calls; the limit is 1" in text
    assert "indeterminate  not_called email" in text
    assert "n/a          seldom  applied to none of 2 runs" not in text
    assert "no run for this case; nearest inputs: “Refund”" in text
    assert text.rstrip().splitlines()[-1].startswith("gate failed: 'refunds'")


@pytest.mark.parametrize("width", [40, 60, 100])
def test_it_fits_the_width(width: int) -> None:
    """No line is longer than the terminal."""
    text = FORMAT.render([mixed(), empty()], Page(width=width))
    assert max(map(len, text.splitlines())) <= width


def test_colours_only_where_asked_for() -> None:
    """A pipe gets plain text."""
    assert "\x1b[" not in FORMAT.render([mixed()], Page())
    assert "\x1b[" in FORMAT.render([mixed()], Page(colour=True))


def test_an_empty_grading_says_why() -> None:
    """No runs, no pass."""
    text = FORMAT.render([empty()], Page(width=200))
    assert "no run was selected" in text
    assert "gate not gateable" in text


def test_scores_and_flags_stand_with_the_run() -> None:
    """Where the score is neither nothing nor all."""
    grading = mixed()
    grading.samples[0].flags = ("partially_graded",)
    text = FORMAT.render([grading], Page(width=160))
    assert "(was pass: child joined)  score 0.67  partially_graded" in text
    assert "run run-pass pass  score 0.67" in text


def test_a_named_check_tells_its_kind() -> None:
    """One whose name says it already does not."""
    written = suite("  - {name: c, request: hello, expect: [{called: f, name: c1}, {called: g}]}\n")
    text = FORMAT.render([grade_suite(written, [candidate()], id="g", now=0)], Page(width=160))
    assert "c1 (called): f was never called" in text
    assert "fail  called g: g was never called" in text
