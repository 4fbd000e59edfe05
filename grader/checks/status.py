"""`status`: how the job ended. Implied as `completed` in a case that has a request and names no status."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from grader.forms import Defaults, Item, Text
from grader.outcome import Finding
from grader.patterns import show
from grader.scene import Primitive, Scene

Ending = Literal["completed", "failed", "awaiting_approval", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The job ended in one of these ways, and its error has that text (`error_contains` None: whatever)."""

    allowed: tuple[Ending, ...]
    error_contains: str | None

    def decide(self, scene: Scene) -> Finding:
        """A job that still runs, or whose end was not seen, is undecided."""
        job = scene.job
        spans = job.spans[:1]
        why = f" ({show(job.error)})" if job.error else ""
        if job.status in ("running", "unknown"):
            seen = "has not ended" if job.status == "running" else "did not say how it ended"
            return Finding(None, f"the job {seen}; expected {' or '.join(self.allowed)}", spans)
        if job.status not in self.allowed:
            return Finding(False, f"the job ended {job.status}{why}; expected {' or '.join(self.allowed)}", spans)
        if self.error_contains is None:
            return Finding(True, f"the job ended {job.status}", spans)
        if job.error is None:
            return Finding(None, f"the job ended {job.status}, and its error was not captured", spans)
        held = self.error_contains in job.error
        return Finding(held, f"the error is {show(job.error)}; expected “{self.error_contains}” in it", spans)


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


class StatusItem(Item):
    """How the job ended."""

    KEY: ClassVar[str] = "status"

    status: Annotated[
        list[Ending], BeforeValidator(_listed, json_schema_input_type=Ending | list[Ending]), Field(min_length=1)
    ] = Field(description="completed, failed, awaiting_approval, cancelled; or a list of those allowed.")
    error_contains: Text | None = Field(default=None, description="The error's text has this, case-sensitive.")

    def compile(self, defaults: Defaults) -> Primitive:  # noqa: ARG002
        """Status."""
        return Status(allowed=tuple(sorted(set(self.status))), error_contains=self.error_contains)

    def label(self) -> str:
        """With the endings."""
        return f"status {' or '.join(self.status)}"


FORMS = (StatusItem,)
