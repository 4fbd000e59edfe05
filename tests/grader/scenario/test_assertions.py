"""What each pass condition compiles to. The rules are tested in `tests/grader/rules/test_s1_*.py`."""

import pytest

from grader.scenario.assertions import CONDITIONS, EXTENSIONS, read_assertion, recorded
from grader.syntax.foreign import Sheet


@pytest.mark.parametrize("key", ["value", "pattern"])
def test_a_pattern_stands_under_either_key(key: str) -> None:
    """But not under both."""
    sheet = Sheet("f", f"{{type: output_matches, {key}: 'a.c'}}")
    found = read_assertion(sheet.fields(), 1)
    assert found is not None
    assert (found.label, sheet.mistakes) == ("output_matches /a.c/ (extension)", [])
    both = Sheet("f", "{type: output_matches, value: a, pattern: b}")
    read_assertion(both.fields(), 1)
    assert len(both.mistakes) == 1


def test_every_condition_is_critical_and_open_where_evidence_is_missing() -> None:
    """What a run needs to be judged at all is an error where it is missing."""
    needs = "tool: x, value: x"
    for kind in CONDITIONS | EXTENSIONS:
        found = read_assertion(Sheet("f", f"{{type: {kind}, {needs}}}").fields(), 1)
        assert found is not None
        assert (found.severity, found.unknown) == ("critical", "indeterminate")
    assert recorded().unknown == "error"


def test_an_unsupported_key_is_told_once() -> None:
    """With the reason, not as a slip."""
    sheet = Sheet("f", "{type: tool_called, tool: x, count: 1, arguments: {}}")
    read_assertion(sheet.fields(), 1)
    assert [m.field for m in sheet.mistakes] == ["count", "arguments"]
