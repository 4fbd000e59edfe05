"""Pass conditions. A call counts when it was attempted (S1-5).

Evidence that is missing or malformed decides nothing (S1-10, S1-11).
"""

from collections.abc import Callable

from grader.case import Check
from grader.checks.called import Count
from grader.checks.not_called import Absent
from grader.checks.over_jobs import OverJobs
from grader.checks.reply import Search
from grader.checks.reported_calls import ReportedCalls
from grader.checks.rooted import Rooted
from grader.checks.valid_json import ValidJson
from grader.checks.wellformed import Wellformed
from grader.expressions.regexes import BadPattern, compile_regex
from grader.outcome import Policy
from grader.phrases import Phrase
from grader.scene import Primitive, Scope
from grader.syntax.foreign import Fields
from grader.wanted import STATES, Wanted

UNSUPPORTED = frozenset(
    {"args", "arguments", "input", "params", "result", "output", "status", "order", "before", "after", "position"}
    | {"count", "times", "minCount", "maxCount", "minCalls", "maxCalls", "min", "max"}
)
"""What an author may look for here, and the format does not have (S1-6)."""


def _wanted(tool: str) -> Wanted:
    return Wanted(tool=tool, names="exact", states=STATES["attempted"])


def _guarded(make: Callable[[Scope], Primitive]) -> Primitive:
    """What the trace recorded, else what the endpoint reports (S1-7); one bad entry spoils the whole evidence (S1-12)."""
    own, tree = (Wellformed(kind="tools", scope=scope, then=make(scope)) for scope in ("job", "tree"))
    return ReportedCalls(key="toolCalls", then=OverJobs(own=own, tree=tree))


def _tool_called(fields: Fields) -> tuple[str, Primitive]:
    tool = fields.text("tool")
    return tool, _guarded(lambda scope: Count(wanted=_wanted(tool), least=1, most=None, scope=scope))


def _tool_not_called(fields: Fields) -> tuple[str, Primitive]:
    tool = fields.text("tool")
    return tool, _guarded(lambda scope: Absent(wanted=(_wanted(tool),), scope=scope))


def _contains(fields: Fields) -> tuple[str, Primitive]:
    value = fields.text("value")
    return f"“{value}”", Phrase(phrase=value, wanted=True, case_sensitive=False)


def _not_contains(fields: Fields) -> tuple[str, Primitive]:
    value = fields.text("value")
    return f"“{value}”", Phrase(phrase=value, wanted=False, case_sensitive=False)


def _matches(fields: Fields) -> tuple[str, Primitive]:
    key = "pattern" if fields.has("pattern") else "value"
    if fields.has("pattern") and fields.has("value"):
        fields.wrong("value", "stands beside `pattern`, which is another name for it")
    pattern = fields.text(key)
    try:
        compile_regex(pattern, ascii=True)
    except BadPattern as error:
        fields.wrong(key, f"is not a regular expression: {error}")
        pattern = "x"
    return f"/{pattern}/", Search(pattern=pattern, wanted=True, ascii=True, slow_is_open=True)


def _valid_json(fields: Fields) -> tuple[str, Primitive]:  # noqa: ARG001
    return "", ValidJson()


_Reader = Callable[[Fields], tuple[str, Primitive]]

CONDITIONS: dict[str, _Reader] = {"tool_called": _tool_called, "tool_not_called": _tool_not_called}
EXTENSIONS: dict[str, _Reader] = {
    "output_contains": _contains,
    "output_not_contains": _not_contains,
    "output_matches": _matches,
    "output_valid_json": _valid_json,
}
"""Not in the service's description, so they are marked wherever they show (S1-4)."""


def read_assertion(fields: Fields, number: int) -> Check | None:
    """A pass condition; None where its type is none, which is told."""
    known = CONDITIONS | EXTENSIONS
    kind = fields.one_of("type", list(known))
    name = fields.id_or("id", "")
    if fields.values.get("type") not in known:
        return None
    operand, primitive = known[kind](fields)
    for key in [k for k in fields.rest() if k in UNSUPPORTED]:
        fields.wrong(key, f"{key!r} is not supported: a condition is on a tool's name alone, never on results, arguments, "
                          "order or counts")  # fmt: skip
        fields.has(key)
    fields.close()
    label = name or f"{kind} {operand}".rstrip()
    label += " (extension)" if kind in EXTENSIONS else ""
    return _check(label, kind, str(number), primitive)


def recorded() -> Check:
    """What every sample needs, though it is no condition: without its root span it is an error (S1-27)."""
    return _check("run recorded", "recorded", "0", Rooted(), "error")


def _check(label: str, kind: str, position: str, primitive: Primitive, unknown: Policy = "indeterminate") -> Check:
    """Every condition decides (S1-20), and what the evidence cannot decide is Indeterminate."""
    return Check(label=label, kind=kind, position=position, primitive=primitive, severity="critical", unknown=unknown)
