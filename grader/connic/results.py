"""`expected_result` and what is asked of a result where it is not written (S3-7 to S3-11)."""

from grader.checks.in_turn import InTurn
from grader.checks.status import Status
from grader.condition import Condition
from grader.connic.reading import RESULT, expression, fixture
from grader.scene import Primitive
from grader.syntax.foreign import Fields

COMPLETED = Status(allowed=("completed",), error_contains=None)
"""S3-10: without an expression the run must have completed."""


def expected_result(fields: Fields, *, built: bool) -> Primitive | None:
    """The expression; a run that did not complete fails before it, unless it speaks of `error` or `status` (S3-9)."""
    found = expression(fields, "expected_result", RESULT)
    if found is None:
        return None
    condition = Condition(source=found.source, roots=RESULT, scope="job")
    told = fixture(condition, built=built, mentions=found.mentions("context"))
    return told if found.mentions("error", "status") else InTurn(parts=(COMPLETED, told))
