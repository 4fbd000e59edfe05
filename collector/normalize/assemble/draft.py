"""A job in the making."""

from dataclasses import dataclass, field

from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import Role
from collector.normalize.values import Value
from collector.tree import Job, ToolCall, Via

ACTIVE = (Role.MODEL, Role.TOOL, Role.HANDOFF, Role.RETRIEVAL)
CONTAINERS = (Role.WORKFLOW,)


@dataclass(slots=True, eq=False)
class Draft:
    """A job in the making: its own spans (outer ones that only wrap it included) and everything that it did itself."""

    spans: list[Node]
    synthetic: bool = False
    container: bool = False
    parent: "Draft | None" = None
    children: list["Draft"] = field(default_factory=list)
    via: Via = "root"
    trigger: Node | None = None  # the tool or handoff span that started it
    reason: str = "nested"
    nodes: list[Node] = field(default_factory=list)  # what belongs to it, in start order, its own spans left out
    models: list[Node] = field(default_factory=list)
    tools: list[Node] = field(default_factory=list)
    calls: dict[int, ToolCall] = field(default_factory=dict)  # by id() of the execution's span
    missing_parent: bool = False
    job: Job | None = None

    @property
    def main(self) -> Node:
        """The span that stands for the job: the innermost of its own, else the first of a synthetic job."""
        return self.spans[-1]

    @property
    def start(self) -> int:
        """Start in nanoseconds."""
        return self.main.start

    def told(self, fact: str) -> Value | None:
        """A fact from the job's own spans, the innermost first; an unreadable one only where none is readable."""
        unreadable = None
        for node in reversed(self.spans):
            value = getattr(node.said, fact)
            if value is not None and value.state == "present":
                return value
            unreadable = unreadable or value
        return unreadable

    @property
    def agent(self) -> str | None:
        """The agent's name, None where no span names it."""
        named = self.told("agent")
        return named.value if named else None

    def above(self) -> "list[Draft]":
        """The jobs above, nearest first."""
        out, draft = [], self.parent
        while draft is not None:
            out.append(draft)
            draft = draft.parent
        return out
