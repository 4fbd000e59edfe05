"""What `expected_result` compiles to. The rules are tested in `tests/grader/rules/test_s3_results.py`."""

import pytest

from grader.checks.in_turn import InTurn
from grader.connic.results import COMPLETED, expected_result
from grader.syntax.foreign import Sheet


@pytest.mark.parametrize(
    ("source", "guarded"),
    [("output.id == 1", True), ("status == 'failed'", False), ("'x' in error", False), ("output.status == 1", True)],
)
def test_only_an_expression_that_speaks_of_it_sees_an_error(source: str, guarded: bool) -> None:
    """A field of the output that is called status is not the status."""
    found = expected_result(Sheet("f", f'expected_result: "{source}"').fields(), built=True)
    assert (isinstance(found, InTurn) and found.parts[0] is COMPLETED) is guarded


def test_no_expression_is_none() -> None:
    """The format says what is asked then."""
    assert expected_result(Sheet("f", "{a: 1}").fields(), built=False) is None
