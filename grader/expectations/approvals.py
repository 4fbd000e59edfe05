"""`approvals`: how a person answers what a case's jobs wait for (S4-19 to S4-26). No check of its own in a live run.

After the fact the entries are replayed over the recorded decisions.
"""

from dataclasses import dataclass
from typing import Any

from collector.tree import Decision
from grader.checks.approval_left import ApprovalLeft
from grader.checks.approvals_script import Answer, ApprovalsScript
from grader.checks.as_shown import AsShown
from grader.scene import Primitive
from grader.syntax.foreign import Fields

KINDS = ("tool", "hook", "loop", "budget", "flow")
DECISIONS: dict[str, Decision] = {"approve": "approve", "deny": "reject", "edit": "edit"}
"""What an entry says, and how a trace records it."""

UNANSWERED = "the eval case does not answer this approval"
CONFIRMATION = (
    "not applicable after the fact: a live runner types confirmations and answers approvals itself; the answers are "
    "compared with the decisions that were recorded"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a case's answers come to: primitives with their labels, and why a tenant's gate leaves the case out."""

    primitives: tuple[tuple[str, Primitive], ...]
    left_out: str = ""
    notices: tuple[str, ...] = ()


def read_approvals(expect: Fields) -> Answers:
    """The answers of a case; without any, an approval that waited for an answer fails it (S4-21)."""
    entries = [_entry(fields) for fields in expect.items("approvals")]
    if not entries:
        left = ApprovalLeft(why=UNANSWERED, scope="tree")
        return Answers(primitives=(("approvals answered (implied)", left),))
    script = ApprovalsScript(
        entries=tuple(entries),
        use="reuse",  # S4-20
        unmatched="deny",  # S4-21
        unused="ignore",
        scope="tree",  # S4-22
        granted="ignore",
    )
    told = f"approvals, {len(entries)} {'answer' if len(entries) == 1 else 'answers'}"
    made = ((told, script), ("approvals bind to what they show", AsShown(scope="tree")))
    return Answers(primitives=made, left_out=_left_out(entries), notices=(CONFIRMATION,))


def _left_out(entries: list[Answer]) -> str:
    """S4-26: on a tenant nothing is ever approved, so a case that needs a yes cannot run there."""
    yes = sorted({entry.decision for entry in entries} & {"approve", "edit"})
    return f"it answers an approval with {' and '.join(yes)}, and a tenant's gate approves nothing" if yes else ""


def _entry(fields: Fields) -> Answer:
    """One answer: `what` and `kind` must both match where both are given (S4-20)."""
    what = fields.text_or("what", None)
    kind = fields.one_of("kind", KINDS) if fields.has("kind") else None
    said = fields.one_of("decision", tuple(DECISIONS))
    edit = _edit(fields, said)
    fields.text_or("comment", "", empty=True)
    if not fields.has("what") and not fields.has("kind"):
        fields.wrong(None, "say which approvals it answers: what (a function or a flow's step), kind, or both")
    fields.close()
    return Answer(decision=DECISIONS[said], tool=what, names="glob", kind=kind, edit=edit)


def _edit(fields: Fields, said: str) -> Any:
    """S4-25: the arguments that an edit changes, and no others."""
    edit = fields.fields("edit")
    if edit is None:
        if said == "edit":
            fields.wrong("decision", "edit needs `edit`, the arguments to change before approving")
        return None
    if fields.values.get("decision") in DECISIONS and said != "edit":
        fields.wrong("edit", f"only goes with `decision: edit`, not with {said}")
    if not edit.values and not edit.broken:
        fields.wrong("edit", "changes nothing: name at least one argument")
    return fields.raw("edit")
