"""Siblings that belong below one another: a job that took over, and a job that ran as another's tool.

A handoff is told by the job that took over (`graph.node.parent_id` names its source) or by a span that names its target, or
at least its source; where that span was lost, by the model's call that asked for it (`transfer_to_refunds`). An agent that
ran as a tool while its span stands beside its caller's is known by time: it lies within that tool's span. Both are looked
for among siblings only.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.twins import letters
from collector.normalize.messages import Part

_TO = ("transferto", "handoff")
"""How the names of tools begin by which agents hand over, in letters."""
_TARGETS = ("to_agent", "agent_name")
"""The argument of such a tool that names the agent, where one tool serves for all."""


def nest(drafts: list[Draft], nodes: list[Node]) -> None:
    """Move each such job below its source; the drafts' lists of children change. `nodes` are those of the local root."""
    if len(drafts) < 2:  # noqa: PLR2004
        return
    handing = [n for n in nodes if n.role == "handoff" or (n.role == "tool" and n.said.handed_to is not None)]
    tools = _Tools(nodes)
    used: set[int] = set()
    wishes: list[tuple[Node, Part]] | None = None
    for siblings in list(_families(drafts)):
        earlier = _Earlier()
        for draft in sorted(siblings, key=lambda d: (d.start, d.main.id)):
            source, span = _handed(draft, earlier, handing, used)
            if source is None and earlier.drafts and draft.agent is not None:
                wishes = _wishes(nodes) if wishes is None else wishes
                source = _wished(draft, earlier.drafts, wishes)
            if source is not None:
                _move(draft, source, span, "handoff")
                used.add(id(span))
            elif earlier.drafts and not draft.container and (tool := tools.around(draft)) and tool.job is not None:
                _move(draft, tool.job, tool, "tool")
            earlier.add(draft)


def _families(drafts: list[Draft]) -> Iterator[list[Draft]]:
    yield [draft for draft in drafts if draft.parent is None]
    yield from ([*draft.children] for draft in drafts if len(draft.children) > 1)


def _move(draft: Draft, source: Draft, span: Node | None, via: str) -> None:
    if draft.parent is not None:
        draft.parent.children.remove(draft)
    draft.parent, draft.trigger = source, span
    draft.via = "handoff" if via == "handoff" else "tool"
    source.children.append(draft)


class _Earlier:
    """The siblings that began before, found by their agents and in their order without going through all."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.place: dict[int, int] = {}
        self.by_agent: dict[str | None, Draft] = {}

    def add(self, draft: Draft) -> None:
        self.place[id(draft)] = len(self.drafts)
        self.drafts.append(draft)
        self.by_agent[draft.agent] = draft


def _handed(draft: Draft, earlier: _Earlier, spans: list[Node], used: set[int]) -> tuple[Draft | None, Node | None]:
    """The job that handed over, the latest that fits, and the span by which it did."""
    told, agent = draft.told("handed_from"), draft.agent
    free = [n for n in spans if id(n) not in used and id(n.job) in earlier.place]
    named = [n for n in free if n.start <= draft.start and n.said.handed_to and _same(n.said.handed_to.value, agent)]
    if told is not None:
        source = earlier.by_agent.get(told.value) if isinstance(told.value, str) else None
        return source, next((n for n in named if n.job is source), None)
    if named:
        best = max(earlier.place[id(n.job)] for n in named)
        return earlier.drafts[best], next(n for n in named if n.job is earlier.drafts[best])
    # a handoff that does not say to whom: to the job that began next
    blind = [n for n in free if n.job is earlier.drafts[-1] and n.said.handed_to is None]
    if blind and blind[-1].start <= draft.start:
        return earlier.drafts[-1], blind[-1]
    return None, None


def _wishes(nodes: list[Node]) -> list[tuple[Node, Part]]:
    """The calls by which models ask for a handoff."""
    asking = [node for node in nodes if node.role == "model" and node.said.messages_out]
    calls = [(node, part) for node in asking for message in node.said.messages_out or () for part in message.calls()]
    return [(node, part) for node, part in calls if part.name and letters(part.name).startswith(_TO)]


def _wished(draft: Draft, earlier: list[Draft], wishes: list[tuple[Node, Part]]) -> Draft | None:
    """The job whose model asked for a handoff to this agent, of whose jobs this one began first after that."""
    if not wishes:
        return None
    agent = letters(draft.agent or "")
    before = max((other.start for other in earlier if other.agent == draft.agent), default=0)
    for node, part in reversed(wishes):
        asked = (node.span.end or node.start) if node.span else node.start
        if node.job in earlier and before < asked <= draft.start and _target(part) == agent:
            return node.job
    return None


def _target(part: Part) -> str:
    """To whom a call hands over, in letters: told by its name (`transfer_to_refunds`) or by an argument of one word's agent."""
    given = part.value.value if part.value is not None and part.value.state == "present" else None
    named = [given.get(key) for key in _TARGETS] if isinstance(given, dict) else []
    told = next((name for name in named if isinstance(name, str)), None)
    if told is not None:
        return letters(told)
    return letters(part.name or "").removeprefix("transferto").removeprefix("handoffto")


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one == other


class _Tools:
    """The tool spans of a tree in the order of their starts: those in whose time a job lies are found from its start back."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = sorted((n for n in nodes if n.role == "tool" and n.span), key=lambda n: (n.start, n.id))
        self.starts = [n.start for n in self.nodes]
        self.latest = list(accumulate((n.span.end if n.span else 0 for n in self.nodes), max))

    def around(self, draft: Draft) -> Node | None:
        """The innermost tool span of an earlier sibling (or of a job below one) in whose time the job began and ended."""
        span = draft.main.span
        if span is None or not span.end:
            return None
        for at in range(bisect_right(self.starts, span.start) - 1, -1, -1):
            if self.latest[at] < span.end:
                return None  # nothing before ends late enough
            node = self.nodes[at]
            job = node.job
            if node.span is None or node.span.end < span.end or job is None or job is draft or job.container:
                continue
            if draft not in job.above():
                return node
        return None
