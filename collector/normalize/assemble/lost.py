"""Spans that were lost inside a trace: where what stood below them belongs.

A missing parent leaves its children as a tree of their own. Where their trace has one true root, they hang where the lost
span must have stood: below the innermost span whose time holds theirs. Whether what was lost was a mere step of the job there
or a job of its own is told by the call ids: a step's model calls and tools go on with those of the job; without that witness
they become a job without a name, so that nobody gets another's words.
"""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from collector.normalize.assemble.draft import ACTIVE, Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.graphs import announces
from collector.normalize.assemble.twins import real_id
from collector.normalize.dialect import say
from collector.normalize.values import Value


def hang(roots: list[Node]) -> list[Node]:
    """The roots without the ghosts that found their place."""
    by_trace: dict[str, list[Node]] = {}
    for root in roots:
        if root.span is not None:
            by_trace.setdefault(root.span.trace_id, []).append(root)
    kept: list[Node] = []
    places: dict[int, Node] = {}
    search = _Search()
    for root in roots:
        span = root.children[0].span if root.span is None and root.children else None
        tops = by_trace.get(span.trace_id, []) if span else []
        place = search.place(tops[0], root) if len(tops) == 1 else None
        if place is None:
            kept.append(root)
            continue
        root.parent = place
        place.children.append(root)
        places[id(place)] = place
    for place in places.values():
        place.children.sort(key=lambda node: (node.start, node.id))
    return kept


class _Search:
    """Finds the one child whose time holds a moment, for many ghosts below many children."""

    def __init__(self) -> None:
        self.sorted: dict[int, tuple[list[Node], list[int], list[int]]] = {}
        self.graphs: dict[int, dict[str, Node]] = {}

    def place(self, top: Node, ghost: Node) -> Node | None:
        """Within the graph's run that all of its children stand in, where that is seen; else wherever their time fits."""
        runs = {child.said.within for child in ghost.children}
        graph = self._graphs(top).get(runs.pop() or "") if len(runs) == 1 else None
        return (self.innermost(graph, ghost) if graph is not None else None) or self.innermost(top, ghost)

    def _graphs(self, top: Node) -> dict[str, Node]:
        """By the run of a graph the outermost span that stands in it: the graph's own."""
        known = self.graphs.get(id(top))
        if known is None:
            inner = [node for node in (top, *top.below()) if node.said.within is not None]
            known = self.graphs[id(top)] = {node.said.within or "": node for node in reversed(inner)}
        return known

    def innermost(self, top: Node, ghost: Node) -> Node | None:
        """From the top down, as long as exactly one child holds the ghost's time; None where not even the top does."""
        spans = [child.span for child in ghost.children if child.span]
        first, last = min(span.start for span in spans), max(span.end for span in spans)
        if top.span is None or not _holds(top, first, last):
            return None
        node = top
        while (inner := self._only(node, first, last)) is not None:
            node = inner
        return node

    def _only(self, node: Node, first: int, last: int) -> Node | None:
        known = self.sorted.get(id(node))
        if known is None:
            children = [c for c in node.children if c.span is not None and (c.role != "model" or c.children)]
            starts = [c.start for c in children]
            latest = list(accumulate((c.span.end if c.span else 0 for c in children), max))
            known = self.sorted[id(node)] = (children, starts, latest)
        children, starts, latest = known
        found: Node | None = None
        for at in range(bisect_right(starts, first) - 1, -1, -1):
            if latest[at] < last:
                break  # nothing before ends late enough
            child = children[at]
            if not _holds(child, first, last) or (found is not None and announces(child, found)):
                continue
            if found is not None and not announces(found, child):
                return None
            found = child
        return found


def _holds(node: Node, first: int, last: int) -> bool:
    return node.span is not None and node.span.start <= first and last <= node.span.end


@dataclass(slots=True)
class _Seen:
    """What a job is seen to have done outside of what was lost."""

    ids: set[str]
    models: int = 0


def jobs(nodes: list[Node], opened: list[Draft]) -> None:
    """Decide for each ghost below a job whether it was a step of the job or a job of its own; `nodes` parents first."""
    ghosts = [node for node in nodes if node.span is None and not node.implied and node.parent is not None]
    if not ghosts:
        return
    lost = {id(ghost) for ghost in ghosts}
    seen: dict[int, _Seen] = {}
    for node in nodes:
        if node.parent is not None and id(node.parent) in lost:
            lost.add(id(node))
        if node.job is not None and id(node) not in lost:
            did = seen.setdefault(id(node.job), _Seen(set()))
            did.ids.update(_ids(node))
            did.models += node.role == "model" or bool(node.said.messages_out)
    for ghost in ghosts:
        above = ghost.parent.job if ghost.parent else None
        loose = _loose(ghost)
        if above is None or not loose:
            continue
        step = ghost.said.role == "step"  # so a graph's levels say
        if step or (not above.container and _was_a_step(ghost, loose, above, seen.get(id(above)))):
            continue
        named = _named(loose)
        if named is not None and named.value != above.agent:
            say(ghost.said, "agent", named)
        draft = Draft([loose[0]], synthetic=True, parent=above, ghost=ghost)
        above.children.append(draft)
        opened.append(draft)
        _take(draft, ghost, above)


def _named(loose: list[Node]) -> Value | None:
    """The one agent for which all that names any was done."""
    told = {node.said.agent.value: node.said.agent for node in loose if node.said.agent is not None}
    return next(iter(told.values())) if len(told) == 1 else None


def _was_a_step(ghost: Node, loose: list[Node], above: Draft, seen: "_Seen | None") -> bool:
    """Whether what was lost is no job of its own; `seen` is what the job above did elsewhere.

    Another agent's work is one. Ids in common say so; without any ids, a model call alone is no agent's work, nor is a tool
    alone where the job above calls models (where it is not seen to, nobody knows who called the tool), unless a tool ran it.
    """
    named = _named(loose)
    if named is not None and above.agent is not None and named.value != above.agent:
        return False
    own = {key for node in loose for key in _ids(node)}
    models = sum(node.role == "model" for node in loose)
    within_tool = ghost.parent is not None and ghost.parent.role == "tool"
    known = seen.ids if seen else set()
    if models == 0:
        alone = bool(seen and seen.models) or all(node.role != "tool" for node in loose)
    else:
        alone = len(loose) == 1 and not (own and known)
    return bool(own & known) or (alone and not within_tool)


def _take(draft: Draft, ghost: Node, above: Draft) -> None:
    """What the job above held below the ghost, and the jobs that were started there, are the lost job's."""
    for node in (ghost, *ghost.below()):
        if node.job is above:
            node.job = draft
        elif node.job is not None and node.job.parent is above and node in node.job.spans:
            above.children.remove(node.job)
            node.job.parent = draft
            draft.children.append(node.job)


def _loose(ghost: Node) -> list[Node]:
    """What the lost span did itself: activity below it that no job there holds."""
    job = ghost.parent.job if ghost.parent else None
    return [node for node in ghost.below() if node.job is job and node.role in ACTIVE]


def _ids(node: Node) -> set[str]:
    """What tells that activities belong to one job: call ids that were asked for, executed or answered; the run's id."""
    said = node.said
    found = {part.id for messages in (said.messages_in, said.messages_out) for m in messages or () for part in m.parts}
    values = [value for value in (said.call_id, said.run_key) if value is not None]
    return {key for raw in (*found, *values) if (key := real_id(raw))}
