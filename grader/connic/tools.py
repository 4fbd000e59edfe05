"""`expected_tool_calls`, `expected_tool_call_order` and `expected_no_tool_calls` (S3-12 to S3-21)."""

from collections.abc import Iterator

from grader.checks.call_condition import CallCondition
from grader.checks.called import Count
from grader.checks.in_order import Subsequence
from grader.checks.not_called import Absent
from grader.connic.reading import TOOL, compiled, fixture, wanted
from grader.expressions.dsl import Expression
from grader.scene import Primitive
from grader.syntax.foreign import Fields, kind_of

Asked = tuple[str, str, Primitive, int]
"""The kind of a check, its label, the primitive, and the line."""

CALLS, ORDER, NONE = "expected_tool_calls", "expected_tool_call_order", "expected_no_tool_calls"


def tool_checks(fields: Fields, *, built: bool) -> Iterator[Asked]:
    """One check an entry, but one for the whole order; all of the agent's own calls, in any order (S3-16, S3-34)."""
    yield from _calls(fields, built=built)
    line = fields.sheet.document.line
    order = fields.texts(ORDER, least=1) if fields.has(ORDER) else []
    if order:
        chain = Subsequence(wanted=tuple(map(wanted, order)), scope="job")  # S3-20
        yield ORDER, f"order {' → '.join(order)}", chain, line((*fields.where, ORDER))
    for number, tool in enumerate(fields.texts(NONE)):
        none = Absent(wanted=(wanted(tool),), scope="job")  # S3-21
        yield NONE, f"no call of {tool}", none, line((*fields.where, NONE, number))


def _calls(fields: Fields, *, built: bool) -> Iterator[Asked]:
    if not fields.has(CALLS):
        return
    entries = fields.values[CALLS]
    if not isinstance(entries, list):
        fields.wrong(CALLS, f"must be a list of tools, is {kind_of(entries)}")
        return
    for number, entry in enumerate(entries):
        where = (*fields.where, CALLS, number)
        line = fields.sheet.document.line(where)
        if isinstance(entry, str) and entry.strip():
            yield CALLS, entry, Count(wanted=wanted(entry), least=1, most=None, scope="job"), line  # S3-12
        elif isinstance(entry, dict):
            yield from _mapping(Fields(fields.sheet, where, entry), line, built=built)
        else:
            fields.sheet.wrong(where, f"must be a tool's name, or `name: expression`; is {kind_of(entry)}")


def _mapping(entry: Fields, line: int, *, built: bool) -> Iterator[Asked]:
    """S3-13: one tool, one expression."""
    if len(entry.values) != 1:
        entry.wrong(
            None, f"must have one tool with its expression, has {len(entry.values)} keys; write an entry for each"
        )
        return
    tool = str(next(iter(entry.values)))
    if not tool.strip():
        entry.wrong(None, "must name a tool before the colon")
        return
    source = entry.text(tool)
    whole = compiled(entry, tool, source, TOOL) if source else None
    parts = None if whole is None else _split(entry, tool, whole)
    if whole is not None and parts is not None:
        gate, where, count = parts
        primitive = CallCondition(wanted=wanted(tool), gate=gate, where=where, count=count, scope="job")
        told = fixture(primitive, built=built, mentions=whole.mentions("context"))
        yield CALLS, f"{tool}: {source}", told, line


Split = tuple[tuple[Expression, ...], tuple[Expression, ...], tuple[Expression, ...]]


def _split(entry: Fields, tool: str, whole: Expression) -> Split | None:
    """S3-15: what `and` joins is about calls or about their number; S3-18: about neither, it is a condition for the entry."""
    gate, where, count = list[Expression](), list[Expression](), list[Expression]()
    for part in whole.conjuncts():
        params, invocations = part.mentions("params"), part.mentions("invocations")
        if params and invocations:
            entry.wrong(
                tool,
                f"“{part.source}” mixes `params` (which calls) with `invocations` (how many of them); join the two with "
                "`and` at the top, or write an entry for each",
            )
            return None
        (where if params else count if invocations else gate).append(part)
    return tuple(gate), tuple(where), tuple(count)
