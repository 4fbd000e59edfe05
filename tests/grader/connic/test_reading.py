"""What the parts of a Connic file share. The rules are tested in `tests/grader/rules/test_s3_*.py`."""

import pytest

from grader.checks.without_fixture import WithoutFixture
from grader.connic.reading import RESULT, check, expression, fixture, wanted
from grader.connic.results import COMPLETED
from grader.syntax.foreign import Sheet


def test_an_expression_that_is_wrong_is_told_with_a_caret() -> None:
    """At its key; nothing is compiled of it."""
    sheet = Sheet("f", "{e: 'output.id = 1'}")
    assert expression(sheet.fields(), "e", RESULT) is None
    (mistake,) = sheet.mistakes
    assert (mistake.field, mistake.message.splitlines()[-1].strip()) == ("e", "^")


def test_an_expression_that_is_not_there_is_none() -> None:
    """Without a mistake."""
    sheet = Sheet("f", "{e: null}")
    assert (expression(sheet.fields(), "e", RESULT), sheet.mistakes) == (None, [])


@pytest.mark.parametrize(
    ("built", "mentions", "wrapped"), [(False, True, True), (True, True, False), (False, False, False)]
)
def test_only_what_speaks_of_a_fixture_that_nobody_built_is_told_that_it_is_empty(
    built: bool, mentions: bool, wrapped: bool
) -> None:
    """Everything else stays as it is."""
    assert isinstance(fixture(COMPLETED, built=built, mentions=mentions), WithoutFixture) is wrapped


def test_what_is_not_known_is_not_met() -> None:
    """The format's policy, and its reading of names and states."""
    made = check("expected_result", "x", 3, COMPLETED, 7)
    assert (made.unknown, made.severity, made.position, made.line) == ("fail", "critical", "3", 7)
    assert (wanted("f").names, wanted("f").states.name) == ("segment", "not stopped")
