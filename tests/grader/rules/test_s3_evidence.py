"""S3, Connic tests: less evidence never makes a test pass."""

from itertools import product
from typing import Any

import pytest

from grader.sample import judge
from tests.grader.rules.connic_runs import rows, suite, tree
from tests.grader.test_evidence import LEFT, without
from tests.grader.trees import candidate

LOST = ("tools", "tool_args", "reply", "approvals", "children")
UNMET = [row for row in rows() if row["outcome"] != "pass"]


@pytest.mark.parametrize("kind", LOST)
def test_S3_04_what_was_not_met_is_not_met_with_less_evidence(kind: str) -> None:
    """For every row of the table, whatever is left of that kind."""
    for row, left, calls in product(UNMET, LEFT, (False, True) if kind == "tools" else (False,)):
        case = suite(row.get("test")).cases[0]
        poorer = without(tree(row.get("run", {})), kind, left, calls=calls)
        assert judge(case, candidate(poorer)).outcome != "pass", (row, left)


MET: list[tuple[dict[str, Any], str]] = [
    ({"expected_result": "output.a == 1"}, "reply"),
    ({"expected_tool_calls": ["f"]}, "tools"),
    ({"expected_tool_calls": [{"f": "params.a == 1"}]}, "tool_args"),
    ({"expected_tool_calls": [{"g": "invocations == 0"}]}, "tools"),
    ({"expected_tool_calls": [{"f": "invocations == 0 and params.a == 2"}]}, "tool_args"),
    ({"expected_tool_call_order": ["f"]}, "tools"),
    ({"expected_no_tool_calls": ["g"]}, "tools"),
    ({"expected_child_agents": {"s": {"expected_no_tool_calls": ["g"]}}}, "tools"),
    ({"expected_child_agents": {"s": {"expected_result": "output == 1"}}}, "reply"),
    ({"approval_decisions": [{"tool": "f", "decision": "approve"}]}, "approvals"),
    ({"strict_approval_decisions": True, "approval_decisions": [{"tool": "f", "decision": "approve"}]}, "approvals"),
]


@pytest.mark.parametrize(("test", "kind"), MET)
def test_S3_04_what_was_met_is_not_without_the_evidence_that_it_asks_for(test: dict[str, Any], kind: str) -> None:
    """Nothing passes for want of evidence."""
    root = tree(
        {
            "reply": '{"a": 1}',
            "calls": [["f", {"a": 1}]],
            "children": [{"agent": "s", "reply": "1", "calls": ["h"]}],
            "approvals": [["f", "approve"]],
        }
    )
    case = suite(test).cases[0]
    assert judge(case, candidate(root)).outcome == "pass"
    for left in LEFT:
        assert judge(case, candidate(without(root, kind, left, calls=True))).outcome == "fail", left
