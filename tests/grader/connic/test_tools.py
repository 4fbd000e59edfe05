"""What assertions on tools compile to. The rules are tested in `tests/grader/rules/test_s3_tools.py`."""

from grader.checks.call_condition import CallCondition
from grader.connic.tools import tool_checks
from grader.syntax.foreign import Sheet

FILE = """
expected_tool_calls:
  - math.add
  - math.add: params.a == 4 and invocations >= 1 and context.on and invocations < 3 and not params.b
expected_tool_call_order: [a, b]
expected_no_tool_calls:
  - c
  - d
"""


def test_each_entry_is_a_check_with_its_line() -> None:
    """The order is one check as a whole."""
    found = list(tool_checks(Sheet("f", FILE).fields(), built=True))
    assert [(kind, label, line) for kind, label, _, line in found] == [
        ("expected_tool_calls", "math.add", 3),
        (
            "expected_tool_calls",
            "math.add: params.a == 4 and invocations >= 1 and context.on and invocations < 3 and not params.b",
            4,
        ),
        ("expected_tool_call_order", "order a → b", 5),
        ("expected_no_tool_calls", "no call of c", 7),
        ("expected_no_tool_calls", "no call of d", 8),
    ]


def test_the_parts_of_an_expression_go_where_they_belong() -> None:
    """Filters, counts, and conditions on the fixture."""
    _, (_, _, found, _), *_ = tool_checks(Sheet("f", FILE).fields(), built=True)
    assert isinstance(found, CallCondition)
    parts = [[e.source for e in part] for part in (found.gate, found.where, found.count)]
    assert parts == [["context.on"], ["params.a == 4", "not params.b"], ["invocations >= 1", "invocations < 3"]]
