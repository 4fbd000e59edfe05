"""A job in the making."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from collector.normalize.assemble.forest import BY_START, Node
from collector.normalize.messages import Message
from collector.normalize.values import Value
from collector.tree import Job, ToolCall, Via

ACTIVE = ("model", "tool", "handoff", "retrieval")
CONTAINERS = ("workflow",)

Key = tuple[str, str]
"""A reference's kind and key."""


@dataclass(slots=True, eq=False)
class Draft:
    """A job in the making: its own spans (outer ones that only wrap it included) and everything that it did itself.

    `later` are drafts that continue it: after a pause for a decision, or as the next model call of a loop that no span holds.
    """

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
    inferences: list[Node] | None = None  # all its model spans, see continuations.py
    tools: list[Node] = field(default_factory=list)
    calls: dict[int, ToolCall] = field(default_factory=dict)  # by id() of the execution's span
    left_open: set[Key] | None = None  # worked out once, see continuations.py
    begins_with: set[Key] | None = None
    later: list["Draft"] = field(default_factory=list)
    doubles: list[Node] = field(default_factory=list)  # copies of its model calls that stood in traces of their own
    ghost: Node | None = None  # the lost span that it stands for
    actor: str | None = None  # of a job without a span of its own: its agent's id on the spans of what it did
    missing_parent: bool = False
    job: Job | None = None
    main: Node = field(init=False)
    """The span that stands for the job: the innermost of its own, else the first of a synthetic job."""

    def __post_init__(self) -> None:
        self.main = _innermost(self.spans)

    def wrap(self, outer: list[Node]) -> None:
        """The spans around the job's own are its own, too."""
        self.spans[:0] = outer
        self.main = _innermost(self.spans)

    @property
    def start(self) -> int:
        """Start in nanoseconds."""
        return self.main.start

    @property
    def parts(self) -> "list[Draft]":
        """The draft and those that continue it, in order."""
        return [self, *self.later]

    @property
    def last(self) -> "Draft":
        """The part that came last: it knows how the job ended."""
        return self.later[-1] if self.later else self

    @property
    def own(self) -> list[Node]:
        """The job's own spans over all its parts; to be looked at only."""
        return [node for part in self.parts for node in part.spans] if self.later else self.spans

    @property
    def ghosts(self) -> list[Node]:
        """The lost spans that its parts stand for."""
        return [part.ghost for part in self.parts if part.ghost is not None]

    def told(self, fact: str) -> Value | None:
        """A fact from the job's own spans, the last part's innermost first; an unreadable one where none is readable."""
        return _told(fact, self.parts[::-1] if self.later else (self,))

    def told_first(self, fact: str) -> Value | None:
        """The same, from the first part on: for what was so at the beginning."""
        return _told(fact, self.parts)

    def told_last(self, fact: str) -> Value | None:
        """The same, from the last part alone: for how it ended."""
        return _told(fact, (self.last,))

    @property
    def agent(self) -> str | None:
        """The agent's name, None where no span names it."""
        if self.ghost is not None:
            named = self.ghost.said.agent
        else:
            named = self.told("agent") or (self.trigger.said.child_agent if self.trigger and self.actor else None)
        return named.value if named else None

    def above(self) -> "list[Draft]":
        """The jobs above, nearest first."""
        out, draft = [], self.parent
        while draft is not None:
            out.append(draft)
            draft = draft.parent
        return out

    def transcript(self) -> list[Message]:
        """The messages of this job that its spans list."""
        out: list[Message] = []
        for node in (*self.own, *self.nodes):
            if node.said.transcript:
                out.extend(node.said.transcript[node.said.transcript_from :])
        return out

    def absorb(self, other: "Draft") -> None:
        """Take over a draft that continues this one, with all that it did and all below it."""
        self.later += other.parts
        other.later = []
        self.nodes = sorted([*self.nodes, *other.nodes], key=BY_START)
        self.inferences = None
        for node in other.nodes:
            node.job = self
        for child in other.children:
            child.parent = self
        self.children = sorted([*self.children, *other.children], key=lambda child: (child.start, child.main.id))
        other.children = []


def _told(fact: str, parts: Sequence[Draft]) -> Value | None:
    """The first of these parts that says it, each by its innermost span that does."""
    if len(parts) == 1 and len(parts[0].spans) == 1:  # as nearly all have
        return getattr(parts[0].spans[0].said, fact)
    return _first(fact, (node for part in parts for node in reversed(part.spans)))


def _innermost(spans: list[Node]) -> Node:
    for node in reversed(spans):
        if not node.implied:
            return node
    return spans[-1]


def _first(fact: str, nodes: Iterator[Node]) -> Value | None:
    unreadable = None
    for node in nodes:
        value = getattr(node.said, fact)
        if value is not None and value.state == "present":
            return value
        unreadable = unreadable or value
    return unreadable
