"""What checks on approvals share."""

from typing import Any

import pytest

from collector.tree import Approval
from grader.approvals import waited


@pytest.mark.parametrize(
    ("decision", "source", "answer"),
    [
        ("approve", "human", True),
        ("approve", "unknown", True),
        ("approve", "policy", False),
        ("approve", "auto", False),
        ("reject", "policy", True),
        ("pending", "auto", True),
    ],
)
def test_only_what_a_policy_grants_waits_for_nobody(decision: Any, source: Any, answer: bool) -> None:
    """A denial is an answer, whoever gives it."""
    assert waited(Approval("f", decision=decision, source=source)) is answer
