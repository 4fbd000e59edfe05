"""The check types of an evalstone file."""

import pytest

from grader.evalstone.check_types import READERS, CheckType, read
from grader.evalstone.reading import Around, always, unscored
from grader.syntax.foreign import Sheet
from tests.grader.evalstone_files import refused


def test_the_types_are_those_of_the_catalogue() -> None:
    """No more and no fewer."""
    assert sorted(READERS) == [
        "comparison.pairwise", "contains", "exact", "human", "json_schema", "judge", "length", "numeric_tolerance", "python",
        "rag.answer_relevance", "rag.context_relevance", "rag.faithfulness", "regex", "safety.forbidden", "safety.no_pii",
        "safety.refusal", "trajectory.finished", "trajectory.max_steps", "trajectory.no_repeated_calls",
        "trajectory.tool_called", "trajectory.tool_order",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", sorted(READERS))
def test_every_type_refuses_unknown_keys(kind: str) -> None:
    """A key that is passed over would be a demand that nobody checks."""
    if kind != "python":  # which is refused as a whole
        assert any("unknown key 'nonsense'" in m for m in refused(type=kind, nonsense=1))


def test_who_breaks_a_circuit_and_who_is_spared() -> None:
    """Contract checks, and what costs money; people are neither."""
    made = always(unscored("x", "y"))
    found = {kind: CheckType(kind, made).circuit for kind in READERS}
    assert {k for k, c in found.items() if c == "spared"} == {
        "judge", "rag.faithfulness", "rag.context_relevance", "rag.answer_relevance", "comparison.pairwise",
    }  # fmt: skip
    assert {k for k, c in found.items() if c == ""} == {"human"}


def test_a_type_that_is_none_is_told_with_all_types(tmp_path: object) -> None:
    """Where nothing comes near."""
    from pathlib import Path

    sheet = Sheet("f", "type: zzz")
    read(sheet.fields(), Around(folder=Path()))
    assert "known are exact, contains" in sheet.mistakes[0].message
