"""What `expected_child_agents` compiles to. The rules are tested in `tests/grader/rules/test_s3_children.py`."""

from grader.checks.child import Child
from grader.checks.waited import Waited
from grader.connic.children import TRIGGERS, child_checks
from grader.syntax.foreign import Sheet

FILE = """
expected_child_agents:
  a: {expected_triggered: 2, expected_payload: payload.x}
  b:
    expected_no_tool_calls: [f]
    expected_child_agents:
      c:
"""


def test_each_child_is_a_check() -> None:
    """Only what looks deeper than the payload asks for an answer that was waited for."""
    sheet = Sheet("f", FILE)
    found = list(child_checks(sheet.fields(), built=True))
    assert sheet.mistakes == []
    assert [(label, line) for _, label, _, line in found] == [("child a", 3), ("child b", 4)]
    first, second = (primitive for _, _, primitive, _ in found)
    assert isinstance(first, Child)
    assert isinstance(second, Child)
    assert (first.least, first.most, first.mode, first.triggers) == (2, None, None, TRIGGERS)
    assert [isinstance(p, Waited) for p in first.body] == [False]
    assert [type(p).__name__ for p in second.body] == ["Waited", "Absent", "Child"]
