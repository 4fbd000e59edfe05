"""Handoffs: a job that took over from a sibling belongs below it, with control passed.

Evidence: the job span names its source (`graph.node.parent_id`), or a handoff span names its target; the target must be a
later sibling.
"""

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node


def nest(drafts: list[Draft], spans: list[Node]) -> None:
    """Move each job that was handed to below the job that handed; the drafts' lists of children change."""
    if len(drafts) < 2:  # noqa: PLR2004
        return
    used: set[int] = set()
    for siblings in _families(drafts):
        earlier: list[Draft] = []
        for draft in sorted(siblings, key=lambda d: (d.start, d.main.id)):
            source, span = _source(draft, earlier, spans, used)
            if source is not None:
                if draft.parent is not None:
                    draft.parent.children.remove(draft)
                draft.parent, draft.via, draft.trigger = source, "handoff", span
                source.children.append(draft)
                used.add(id(span))
            earlier.append(draft)


def _families(drafts: list[Draft]) -> list[list[Draft]]:
    tops = [draft for draft in drafts if draft.parent is None]
    return [tops, *([*draft.children] for draft in drafts if len(draft.children) > 1)]


def _source(draft: Draft, earlier: list[Draft], spans: list[Node], used: set[int]) -> tuple[Draft | None, Node | None]:
    told, agent = draft.told("handed_from"), draft.agent
    for other in reversed(earlier):
        span = next((node for node in spans if node.job is other and id(node) not in used and _to(node, agent)), None)
        if told is not None:
            if other.agent == told.value:
                return other, span
        elif span is not None and span.start <= draft.start:
            return other, span
    return None, None


def _to(node: Node, agent: str | None) -> bool:
    target = node.said.handed_to
    return target is not None and agent is not None and target.value == agent
