"""What all report formats share."""

import pytest

from grader.pieces import scan
from grader.report.report_format import Page, exit_code
from tests.grader.report.gradings import empty, mixed


@pytest.mark.parametrize("name", ["json", "junit", "text"])
def test_every_format_renders_every_outcome_and_nothing(name: str) -> None:
    """No gradings, an empty one, one with all outcomes."""
    render = scan("grader.report.formats", "FORMAT")[name].render
    assert all(isinstance(render(g, Page()), str) for g in ([], [empty()], [mixed(), empty()]))


def test_the_exit_code_is_the_worst() -> None:
    """2 over 1, and nothing graded is 2."""
    assert exit_code([mixed()]) == 1
    assert exit_code([mixed(), empty()]) == 2
    assert exit_code([]) == 2
