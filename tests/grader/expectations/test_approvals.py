"""Answers to approvals, read."""

from pathlib import Path

import pytest

from grader.checks.approvals_script import Answer
from grader.expectations.approvals import Answers, read_approvals
from grader.syntax.foreign import Sheet


def read(text: str) -> tuple[Answers, Sheet]:
    """The answers of a case, and its mistakes."""
    sheet = Sheet(Path("f.yaml"), text)
    return read_approvals(sheet.fields()), sheet


def test_entries_become_one_script() -> None:
    """Reusable, over the tree, what nobody answers is denied."""
    answers, sheet = read("approvals: [{what: 'a.*', decision: deny}, {kind: loop, decision: edit, edit: {n: 1}}]")
    script = answers.primitives[0][1]
    assert sheet.mistakes == []
    assert script.entries == (  # ty: ignore
        Answer(decision="reject", tool="a.*", names="glob"),
        Answer(decision="edit", kind="loop", names="glob", edit={"n": 1}),
    )
    assert (script.use, script.unmatched, script.unused, script.scope) == ("reuse", "deny", "ignore", "tree")  # ty: ignore
    assert answers.left_out == "it answers an approval with edit, and a tenant's gate approves nothing"


@pytest.mark.parametrize("text", ["{x: 1}", "approvals: []", "approvals: null"])
def test_without_entries_nobody_answers(text: str) -> None:
    """Then one check is implied, and a tenant's gate takes the case."""
    answers, _ = read(text)
    assert [label for label, _ in answers.primitives] == ["approvals answered (implied)"]
    assert (answers.left_out, answers.notices) == ("", ())


def test_comments_are_texts_and_other_keys_are_mistakes() -> None:
    """A comment may be empty."""
    assert read("approvals: [{what: a, decision: deny, comment: ''}]")[1].mistakes == []
    assert len(read("approvals: [{what: a, decision: deny, comment: 1, why: x}]")[1].mistakes) == 2
