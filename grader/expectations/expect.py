"""`expect`: what a case demands, compiled key by key in one fixed order. All must hold (S4-1); missing evidence fails."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grader.case import Check
from grader.checks.answer import AnswerIs, AnswerSays
from grader.checks.called import Count
from grader.checks.constraints_reach import ConstraintsReach
from grader.checks.limits import Seconds, Total
from grader.checks.not_called import Absent
from grader.checks.skills_read import SkillsRead
from grader.checks.status import Status
from grader.checks.wellformed import Wellformed
from grader.condition import CelCondition
from grader.expectations import names
from grader.expectations.approvals import Answers, read_approvals
from grader.expressions.bad_expression import BadExpression
from grader.scene import Primitive
from grader.syntax.foreign import Fields
from grader.wanted import NOT_STOPPED, Wanted

VARIABLES = ("output", "cost_usd", "calls", "seconds", "tool_calls", "skills_read")
"""What a `cel` expression sees (S4-6)."""

STEPS = ("tool_calls", "skills_read")
"""Facts read from steps: a case that mentions one fails where the steps cannot be read (S4-15)."""

CALL_FIELDS = ("tool", "function", "target", "agent")
"""What it sees of a call: names only (S4-13, S4-15)."""

DEEPEST = 8
"""Of `constraints_reach` (S4-18)."""

Made = tuple[str, str, Primitive]
"""A key of `expect`, the check's label, and what it compiles to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """What a case's `expect` comes to."""

    checks: tuple[Check, ...]
    answers: Answers


def read_expect(expect: Fields, constraints: tuple[str, ...]) -> Expectations:
    """The checks. `constraints` are those that the case gives its job."""
    made = [*_status(expect), *_answer(expect), *_limits(expect), *_steps(expect), *_constraints(expect, constraints)]
    answers = read_approvals(expect)
    made += [("approvals", label, primitive) for label, primitive in answers.primitives]
    expect.close()
    checks = tuple(
        Check(
            label=label,
            kind=key,
            position=str(number),
            primitive=primitive,
            severity="critical",
            unknown="fail",  # S4-7, S4-15: evidence that is not there fails the case, with the reason
            line=expect.sheet.document.line((*expect.where, key)),
        )
        for number, (key, label, primitive) in enumerate(made, 1)
    )
    return Expectations(checks=checks, answers=answers)


def _status(expect: Fields) -> Iterator[Made]:
    """S4-2: checked even where nothing is written. S4-3: an error's text belongs to a job that is to fail."""
    wanted = expect.one_of("status", ("completed", "failed"), "completed")
    text = expect.text_or("error_contains", None)
    if expect.has("error_contains") and wanted == "completed":
        expect.wrong("error_contains", "goes with `status: failed`; a job that completes has no error")
    implied = "" if expect.has("status") else " (implied)"
    label = f"status {wanted}{implied}" + (f", error contains “{text}”" if text else "")
    ending = "failed" if wanted == "failed" else "completed"
    yield "status", label, Status(allowed=(ending,), error_contains=text)


def _answer(expect: Fields) -> Iterator[Made]:
    """S4-4, S4-5, S4-6."""
    for key, wanted in (("contains", True), ("not_contains", False)):
        for phrase in expect.texts(key, single=True):
            yield key, f"{key} “{phrase}”", AnswerSays(phrase=phrase, wanted=wanted)
    value = expect.raw("equals")
    if "equals" in expect.values:
        yield "equals", "equals", AnswerIs(value=value)
    source = expect.text_or("cel", None)
    if source is not None:
        condition = _condition(expect, source)
        if condition is not None:
            yield "cel", f"cel {source}", condition


def _condition(expect: Fields, source: str) -> Primitive | None:
    try:
        return CelCondition(
            source=source,
            variables=VARIABLES,
            scope="tree",  # cost_usd and the steps over the whole tree; calls, seconds and output are the job's own
            needed=STEPS,
            states=NOT_STOPPED,
            call_fields=CALL_FIELDS,
            answer="structures",
        )
    except BadExpression as error:
        expect.wrong("cel", str(error))
        return None


def _limits(expect: Fields) -> Iterator[Made]:
    """S4-7: no more than, both inclusive; the cost over the whole job tree."""
    usd = expect.number_or("max_cost_usd", None, 0)
    if usd is not None:
        yield "max_cost_usd", f"max_cost_usd {usd:g}", Total(quantity="usd", most=usd, scope="tree")
    seconds = expect.number_or("max_seconds", None, 0)
    if seconds is not None:
        yield "max_seconds", f"max_seconds {seconds:g}", Seconds(most=seconds)


def _steps(expect: Fields) -> Iterator[Made]:
    """S4-8, S4-11, S4-12: over the whole job tree; steps that cannot be read decide nothing (S4-15)."""
    for name in names.functions(expect, "tools_called"):
        count = Count(wanted=_wanted(name), least=1, most=None, scope="tree")
        yield "tools_called", f"tools_called {name}", Wellformed(kind="tools", scope="tree", then=count)
    for name in names.functions(expect, "not_called"):
        yield "not_called", f"not_called {name}", Absent(wanted=(_wanted(name),), scope="tree")
    for name in names.skills(expect, "skills_read"):
        read = SkillsRead(skills=(name,), declared=False, scope="tree")
        yield "skills_read", f"skills_read {name}", Wellformed(kind="skills", scope="tree", then=read)


def _wanted(name: str) -> Wanted:
    return Wanted(tool=name, names="tool_dot_function", states=NOT_STOPPED)


def _constraints(expect: Fields, constraints: tuple[str, ...]) -> Iterator[Made]:
    """S4-18."""
    depth: Any = expect.whole_or("constraints_reach", None, 0, DEEPEST)
    if expect.has("constraints_reach") and not constraints:
        expect.wrong("constraints_reach", "needs `constraints` beside `expect`, which the case gives its job")
    elif depth is not None:
        reach = ConstraintsReach(constraints=constraints, depth=depth)
        yield "constraints_reach", f"constraints_reach {depth}", reach
