"""The seven types of checks (S0-2), each with what it compiles to. Tools by name alone, all calls of the run (S0-5, S0-11)."""

from collections.abc import Callable

from grader.case import Check
from grader.checks.called import Count
from grader.checks.constant import Constant
from grader.checks.in_order import Subsequence
from grader.checks.judge import Criterion
from grader.checks.not_called import Absent
from grader.checks.note import Ungraded
from grader.checks.over_jobs import OverJobs
from grader.checks.reply import Search
from grader.checks.reply_first import ReplyFirst
from grader.checks.valid_json import ValidJson
from grader.expressions.regexes import BadPattern, compile_regex
from grader.outcome import Policy, Severity
from grader.phrases import Phrase
from grader.scene import Primitive, Scope
from grader.syntax.foreign import Fields
from grader.wanted import STATES, Wanted


def wanted(tool: str) -> Wanted:
    """Calls of exactly that name, dots and case included, attempted in whatever way (S0-5, S0-11)."""
    return Wanted(tool=tool, names="exact", states=STATES["attempted"])


def called(tool: str) -> Primitive:
    """At least one call (S0-5)."""
    return _over(lambda scope: Count(wanted=wanted(tool), least=1, most=None, scope=scope))


def not_called(tool: str) -> Primitive:
    """No call (S0-7)."""
    return _over(lambda scope: Absent(wanted=(wanted(tool),), scope=scope))


def ordered(tools: list[str]) -> Primitive:
    """A subsequence of the calls (S0-8, S0-9)."""
    steps = tuple(wanted(t) for t in tools)
    return _over(lambda scope: Subsequence(wanted=steps, scope=scope))


def _over(make: Callable[[Scope], Primitive]) -> Primitive:
    """The run's calls: its own, and those of jobs below where there are any."""
    return OverJobs(own=make("job"), tree=make("tree"))


def says(value: str, *, found: bool, regex: bool = False) -> Primitive:
    """The text without case (S0-14), or a regular expression searched for (S0-15); one that is none fails (S0-20)."""
    if not regex:
        return Phrase(phrase=value, wanted=found, case_sensitive=False)
    try:
        compile_regex(value, ascii=True)
    except BadPattern as error:
        return Constant(truth=False, sentence=f"/{value}/ is not a regular expression: {error}")
    return Search(pattern=value, wanted=found, ascii=True, slow_is_open=True)


def judged(criterion: str) -> Primitive:
    """A judge's verdict (S0-18). Without the reply it fails like every check of content; see S0-29 for the rest."""
    return ReplyFirst(then=Criterion(criterion=criterion))


def _tool_called(fields: Fields) -> tuple[str, Primitive]:
    tool = fields.text("tool")
    return tool, called(tool)


def _tool_not_called(fields: Fields) -> tuple[str, Primitive]:
    tool = fields.text("tool")
    return tool, not_called(tool)


def _tool_order(fields: Fields) -> tuple[str, Primitive]:
    tools = fields.texts("tools", least=1)
    return " → ".join(tools), ordered(tools)


def _contains(fields: Fields) -> tuple[str, Primitive]:
    value, regex = fields.text("value"), fields.truth_or("regex", default=False)
    return f"“{value}”", says(value, found=True, regex=regex)


def _not_contains(fields: Fields) -> tuple[str, Primitive]:
    value, regex = fields.text("value"), fields.truth_or("regex", default=False)
    return f"“{value}”", says(value, found=False, regex=regex)


def _valid_json(fields: Fields) -> tuple[str, Primitive]:  # noqa: ARG001
    return "", ValidJson()


def _llm_judge(fields: Fields) -> tuple[str, Primitive]:
    criterion = fields.text("criterion")
    return f"“{criterion}”", judged(criterion)


TYPES: dict[str, Callable[[Fields], tuple[str, Primitive]]] = {
    "tool_called": _tool_called,
    "tool_not_called": _tool_not_called,
    "tool_order": _tool_order,
    "output_contains": _contains,
    "output_not_contains": _not_contains,
    "output_valid_json": _valid_json,
    "llm_judge": _llm_judge,
}


def read_check(fields: Fields, number: int) -> Check | None:
    """A check as it is stored; None where its type is none (S0-2), which is told."""
    kind = fields.one_of("type", list(TYPES))
    name = fields.id_or("id", "")
    severity = "minor" if fields.one_of("severity", ("critical", "minor"), "critical") == "minor" else "critical"
    if fields.values.get("type") not in TYPES:
        return None
    operand, primitive = TYPES[kind](fields)
    fields.close()
    return check(name or f"{kind} {operand}".rstrip(), kind, number, primitive, severity)


def check(label: str, kind: str, number: int, primitive: Primitive, severity: Severity = "critical") -> Check:
    """What the evidence cannot decide fails (S0-13, S0-21); what only a judge or a person could is not graded."""
    unknown: Policy = "not_graded" if kind in ("llm_judge", "note") else "fail"
    return Check(label=label, kind=kind, position=str(number), primitive=primitive, severity=severity, unknown=unknown)


def note(text: str, number: int, label: str) -> Check:
    """A plain sentence of an older case: listed, never graded (S0-30)."""
    primitive = Ungraded(text=text, why="is a sentence for people and not graded; an llm_judge check would be")
    return check(label, "note", number, primitive, "minor")
