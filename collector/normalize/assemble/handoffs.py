"""Siblings that belong below one another: a job that took over, and a job that ran as another's tool.

A handoff is told by the job that took over (`graph.node.parent_id` names its source) or by a span that names its target, or
at least its source; where that span was lost, by the model's call that asked for it (`transfer_to_refunds`). An agent that
ran as a tool while its span stands beside its caller's is known by time: it lies within that tool's span. Both are looked
for among siblings only.
"""

from collections.abc import Iterator

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.twins import letters
from collector.normalize.dialect import Role
from collector.normalize.messages import Part

_TO = ("transferto", "handoff")
"""How the names of tools begin by which agents hand over, in letters."""
_TARGETS = ("to_agent", "agent_name")
"""The argument of such a tool that names the agent, where one tool serves for all."""


def nest(drafts: list[Draft], nodes: list[Node]) -> None:
    """Move each such job below its source; the drafts' lists of children change. `nodes` are those of the local root."""
    if len(drafts) < 2:  # noqa: PLR2004
        return
    handing = [n for n in nodes if n.role is Role.HANDOFF or (n.role is Role.TOOL and n.said.handed_to is not None)]
    tools = [n for n in nodes if n.role is Role.TOOL]
    used: set[int] = set()
    wishes: list[tuple[Node, Part]] | None = None
    for siblings in list(_families(drafts)):
        earlier: list[Draft] = []
        for draft in sorted(siblings, key=lambda d: (d.start, d.main.id)):
            source, span = _handed(draft, earlier, handing, used)
            if source is None and earlier and draft.agent is not None:
                wishes = _wishes(nodes) if wishes is None else wishes
                source = _wished(draft, earlier, wishes)
            if source is not None:
                _move(draft, source, span, "handoff")
                used.add(id(span))
            elif (
                draft.container is False
                and (tool := _around(draft, earlier, tools)) is not None
                and tool.job is not None
            ):
                _move(draft, tool.job, tool, "tool")
            earlier.append(draft)


def _families(drafts: list[Draft]) -> Iterator[list[Draft]]:
    yield [draft for draft in drafts if draft.parent is None]
    yield from ([*draft.children] for draft in drafts if len(draft.children) > 1)


def _move(draft: Draft, source: Draft, span: Node | None, via: str) -> None:
    if draft.parent is not None:
        draft.parent.children.remove(draft)
    draft.parent, draft.trigger = source, span
    draft.via = "handoff" if via == "handoff" else "tool"
    source.children.append(draft)


def _handed(draft: Draft, earlier: list[Draft], spans: list[Node], used: set[int]) -> tuple[Draft | None, Node | None]:
    told, agent = draft.told("handed_from"), draft.agent
    for other in reversed(earlier):
        own = [n for n in spans if n.job is other and id(n) not in used and n.start <= draft.start]
        named = next((n for n in own if n.said.handed_to is not None and _same(n.said.handed_to.value, agent)), None)
        if told is not None:
            if _same(other.agent, told.value):
                return other, named
        elif named is not None:
            return other, named
    if told is None and earlier:  # a handoff that does not say to whom: to the job that began next
        other = earlier[-1]
        blind = [n for n in spans if n.job is other and id(n) not in used and n.said.handed_to is None]
        if blind and blind[-1].start <= draft.start:
            return other, blind[-1]
    return None, None


def _wishes(nodes: list[Node]) -> list[tuple[Node, Part]]:
    """The calls by which models ask for a handoff."""
    asking = [node for node in nodes if node.role is Role.MODEL and node.said.messages_out]
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


def _around(draft: Draft, earlier: list[Draft], tools: list[Node]) -> Node | None:
    """The innermost tool span of an earlier sibling (or of a job below one) in whose time the job began and ended."""
    span = draft.main.span
    if span is None or not span.end or not earlier:
        return None
    fits = [
        n
        for n in tools
        if n.span and n.span.start <= span.start and span.end <= n.span.end
        and n.job is not None and n.job is not draft and not n.job.container and draft not in n.job.above()
    ]  # fmt: skip
    return max(fits, key=lambda n: (n.start, n.id), default=None)
