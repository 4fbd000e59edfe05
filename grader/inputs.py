"""What goes into a grading beside the suite and the trees; part of a verdict's key."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.tree import Run
from grader.case import digest
from grader.syntax import yaml12
from grader.syntax.mistakes import Mistake, SuiteError


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """`context`: facts of a fixture by case name, run id or trace id, in place of what a run carries itself.

    `tenant_gate`: cases that answer an approval for a person are left out (S4-26).
    """

    context: Mapping[str, Any] = field(default_factory=dict)
    tenant_gate: bool = False
    hash: str = field(init=False)
    """Equal for equal inputs (32 hex digits)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", digest((dict(self.context), self.tenant_gate)))

    def context_of(self, case: str, run: Run) -> Any:
        """What was given for the case or the run, the nearest first; None where nothing was."""
        for key in (run.id, *(member.trace_id for member in run.members), run.root.trace_id, case):
            if key in self.context:
                return self.context[key]
        return None


def read_context(path: Path) -> dict[str, Any]:
    """A file of fixtures: one JSON or YAML object whose keys are case names, run ids or trace ids.

    Raises:
        SuiteError: it cannot be read, or is no object.
    """
    try:
        document = yaml12.read(path, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise SuiteError([Mistake(str(path), 1, "", f"cannot be read: {reason}")]) from None
    if document.mistakes:
        raise SuiteError(document.mistakes)
    if not isinstance(document.value, dict):
        raise SuiteError(
            [Mistake(str(path), 1, "", "must be an object whose keys are case names, run ids or trace ids")]
        )
    return {str(key): value for key, value in document.value.items()}


NONE = Inputs()
