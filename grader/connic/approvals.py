"""`approval_decisions` and `strict_approval_decisions` (S3-38 to S3-43)."""

from collector.tree import Decision
from grader.checks.approvals_script import Answer, ApprovalsScript
from grader.connic.reading import APPROVAL, expression, fixture
from grader.scene import Primitive
from grader.syntax.foreign import Fields

DECISIONS = "approval_decisions"

_WORDS: dict[str, Decision] = {"approve": "approve", "reject": "reject", "timeout": "timeout"}


def approvals(fields: Fields, *, strict: bool, built: bool) -> Primitive | None:
    """The entries replayed over what was recorded; None where nothing is said of approvals."""
    entries = tuple(_entry(item) for item in fields.items(DECISIONS))
    if not entries and not strict:
        return None
    script = ApprovalsScript(
        entries=entries,
        use="once",  # S3-40
        unmatched="fail" if strict else "await",  # S3-42, S3-43
        unused="fail" if strict else "ignore",
        scope="job",
    )
    return fixture(script, built=built, mentions=any(e.where and e.where.mentions("context") for e in entries))


def _entry(fields: Fields) -> Answer:
    """`reason` is for the record: a person may have given another one."""
    tool = fields.text("tool")
    if tool and not tool.strip():
        fields.wrong("tool", "must be a tool's full reference, is blank")
    where = expression(fields, "params", APPROVAL)
    decision = fields.one_of("decision", list(_WORDS))
    fields.text_or("reason", "", empty=True)
    fields.close()
    return Answer(decision=_WORDS[decision], tool=tool, where=where)
