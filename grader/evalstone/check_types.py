"""The check types of an evalstone file: exactly these names (S2-3)."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.case import Circuit
from grader.evalstone import answer_checks, judged_checks, safety_checks, trajectory_checks
from grader.evalstone.reading import Around, Make, Reader, always, unscored
from grader.nearest import nearest
from grader.syntax.foreign import Fields

_CONTRACT: Mapping[str, Reader] = {
    "exact": answer_checks.exact,
    "contains": answer_checks.contains,
    "regex": answer_checks.regex,
    "json_schema": answer_checks.json_schema,
    "numeric_tolerance": answer_checks.numeric_tolerance,
    "length": answer_checks.length,
    "python": answer_checks.python,
    "safety.refusal": safety_checks.refusal,
    "safety.no_pii": safety_checks.no_pii,
    "safety.forbidden": safety_checks.forbidden,
    "trajectory.tool_called": trajectory_checks.tool_called,
    "trajectory.tool_order": trajectory_checks.tool_order,
    "trajectory.max_steps": trajectory_checks.max_steps,
    "trajectory.no_repeated_calls": trajectory_checks.no_repeated_calls,
    "trajectory.finished": trajectory_checks.finished,
}
_JUDGED: Mapping[str, Reader] = {
    "judge": judged_checks.judge,
    **judged_checks.RAG,
    "comparison.pairwise": judged_checks.pairwise,
}
READERS: Mapping[str, Reader] = {**_CONTRACT, **_JUDGED, "human": judged_checks.human}


@dataclass(frozen=True, slots=True)
class CheckType:
    """A check of the file: its type, how it is made for a sample, and the line on which it stands."""

    kind: str
    make: Make
    line: int = 0

    @property
    def circuit(self) -> Circuit:
        """Under `short_circuit`: a failed contract check spares the judges and comparisons (S2-57)."""
        return "breaks" if self.kind in _CONTRACT else "spared" if self.kind in _JUDGED else ""


def read(fields: Fields, around: Around) -> CheckType:
    """A check with all its keys; every mistake is noted in the fields' sheet."""
    kind = fields.text("type")
    reader = READERS.get(kind)
    if reader is None:
        if kind:
            near = nearest(kind, list(READERS))
            fields.wrong("type", f"{kind!r} is no check type{near or '; known are ' + ', '.join(READERS)}")
        return CheckType(kind, always(unscored(kind, "its type is not known")))
    made = reader(fields, around)
    fields.close()
    return CheckType(kind, made, fields.line)
