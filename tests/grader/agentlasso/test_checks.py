"""What each type of an AgentLasso check compiles to. The rules are tested in `tests/grader/rules/test_s0_*.py`."""

import pytest

from grader.agentlasso.checks import TYPES, check, judged, note, ordered, read_check, says
from grader.checks.constant import Constant
from grader.checks.reply import Phrase, Search
from grader.syntax.foreign import Sheet


@pytest.mark.parametrize(
    ("kind", "unknown"),
    [("tool_called", "fail"), ("output_contains", "fail"), ("llm_judge", "not_graded"), ("note", "not_graded")],
)
def test_what_is_unknown_fails_unless_only_a_judge_could_know(kind: str, unknown: str) -> None:
    """The policy of the vocabulary."""
    assert check("c", kind, 1, judged("x")).unknown == unknown


def test_text_and_patterns_are_different_primitives() -> None:
    """A pattern that is none is a finding that is known before any run."""
    assert isinstance(says("(", found=True), Phrase)
    assert isinstance(says("a", found=True, regex=True), Search)
    assert isinstance(says("(", found=False, regex=True), Constant)


def test_labels_are_ids_or_tell_what_is_asked() -> None:
    """For reports."""
    found = [
        read_check(Sheet("f", text).fields(), 1)
        for text in (
            "{type: tool_order, tools: [a, b]}",
            "{type: output_valid_json}",
            "{type: tool_called, tool: x, id: 5}",
        )
    ]
    assert [c.label for c in found if c] == ["tool_order a → b", "output_valid_json", "5"]


def test_a_check_of_no_known_type_is_none() -> None:
    """One mistake, not one for each key that it has."""
    sheet = Sheet("f", "{type: tool_caled, tols: x}")
    assert read_check(sheet.fields(), 1) is None
    assert len(sheet.mistakes) == 1


def test_notes_weigh_nothing_and_orders_have_a_step_a_tool() -> None:
    """A note is minor; an order has as many steps as tools."""
    assert (note("n", 3, "rubric[0]").severity, note("n", 3, "rubric[0]").position) == ("minor", "3")
    steps = ordered(["a", "a"]).tree.wanted  # ty: ignore[missing-attribute]
    assert [w.tool for w in steps] == ["a", "a"]
    assert len(TYPES) == 7
