"""What `approval_decisions` compile to. The rules are tested in `tests/grader/rules/test_s3_approvals.py`."""

import pytest

from grader.checks.approvals_script import ApprovalsScript
from grader.connic.approvals import approvals
from grader.syntax.foreign import Sheet

FILE = "approval_decisions: [{tool: b.refund, params: params.a == 1, decision: timeout, reason: ''}]"


@pytest.mark.parametrize(("strict", "unmatched", "unused"), [(True, "fail", "fail"), (False, "await", "ignore")])
def test_the_script_has_every_parameter(strict: bool, unmatched: str, unused: str) -> None:
    """Once only, whole names, the run's own approvals."""
    found = approvals(Sheet("f", FILE).fields(), strict=strict, built=False)
    assert isinstance(found, ApprovalsScript)
    assert (found.use, found.unmatched, found.unused, found.scope) == ("once", unmatched, unused, "job")
    (entry,) = found.entries
    assert (entry.tell(), entry.names, entry.kind) == ("timeout b.refund where params.a == 1", "exact", None)


def test_nothing_said_of_approvals_asks_nothing() -> None:
    """Unless the test is strict, which no entry is needed for."""
    sheet = Sheet("f", "{a: 1}")
    assert approvals(sheet.fields(), strict=False, built=False) is None
    assert approvals(sheet.fields(), strict=True, built=False) is not None
