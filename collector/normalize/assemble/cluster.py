"""One tool call in the making: everything that was sighted of it."""

from dataclasses import dataclass, field

from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import Report
from collector.normalize.messages import Part


@dataclass(slots=True, eq=False)
class Cluster:
    """One call in the making."""

    id: str | None
    asked: Part | None = None
    asked_by: Node | None = None
    place: tuple[int, int] = (0, 0)  # model call and part that asked for it
    runs: list[Node] = field(default_factory=list)  # executions, each the outermost span of one attempt
    inner: list[Node] = field(default_factory=list)  # spans within them that tell of the same call
    answer: Part | None = None
    answered_by: Node | None = None  # the model call that was given the answer
    report: Report | None = None
    flags: set[str] = field(default_factory=set)
