"""Checks on what the agent did: its steps are those in its output, else the tool calls of its trace (S2-40 to S2-50).

Names are whole and exact; a call that was denied, or still waits, is no step. A list of steps knows one run and not who
took which step, so where a run has jobs below it their calls are steps as well, and a result says so.
"""

from collections.abc import Callable

from grader.checks.called import Count
from grader.checks.every import Precedes
from grader.checks.json_reply import NonEmpty
from grader.checks.limits import SameCall, ToolCalls
from grader.checks.over_jobs import OverJobs
from grader.checks.trajectory import Trajectory
from grader.evalstone.reading import Around, Make, always, path_of
from grader.scene import Primitive, Scope
from grader.syntax.foreign import Fields
from grader.wanted import NOT_STOPPED, Wanted


def _tool(name: str) -> Wanted:
    return Wanted(tool=name, names="exact", states=NOT_STOPPED)


def _over(fields: Fields, inner: Callable[[Scope], Primitive]) -> Make:
    """Every check that reads steps takes `steps`, the key below which the output holds them (S2-40)."""
    both = OverJobs(own=inner("job"), tree=inner("tree"))
    return always(Trajectory(key=fields.text_or("steps", "steps"), inner=both, scope="tree"))


def tool_called(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """So often (S2-41 to S2-43)."""
    name = fields.text("name")
    least, most = fields.whole_or("min_times", 1, 0), fields.whole_or("max_times", None, 0)
    if most is not None and most < least:
        fields.wrong("max_times", f"is smaller than min_times ({least})")
    if fields.has("args"):
        fields.wrong("args", "is a Python predicate, which a file cannot hold; write the check in Python")
    return _over(fields, lambda scope: Count(wanted=_tool(name), least=least, most=most, scope=scope))


def tool_order(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """Before every call of `after` stands one of `before` (S2-44, S2-45)."""
    before, after = fields.text("before"), fields.text("after")
    return _over(fields, lambda scope: Precedes(before=_tool(before), after=_tool(after), scope=scope))


def max_steps(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """At most `n` (S2-46)."""
    if not fields.has("n"):
        fields.wrong("n", "is missing")
    most = fields.whole_or("n", 0, 0)
    return _over(fields, lambda scope: ToolCalls(most=most, states=NOT_STOPPED, scope=scope))


def no_repeated_calls(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """No call with the same arguments more often than `max_repeats` (S2-47)."""
    most = fields.whole_or("max_repeats", 1, 0)
    return _over(fields, lambda scope: SameCall(most=most, states=NOT_STOPPED, scope=scope))


def finished(fields: Fields, around: Around) -> Make:  # noqa: ARG001
    """There is something at `path` of the output; it reads no steps (S2-48)."""
    return always(NonEmpty(path=path_of(fields.text_or("path", "answer"))))
