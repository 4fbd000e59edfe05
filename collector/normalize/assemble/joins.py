"""Jobs that live in another trace than the one that triggered them: joined by declared job ids or by span links.

A shared conversation alone joins nothing. A link on the later job (or on what wraps it) points at its cause.
"""

from typing import NamedTuple

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import Sighting
from collector.normalize.reading import Link, Span

NOT_A_CAUSE = frozenset({"queued_send", "follows_from", "parent_of", "previous"})
"""Values of a link's `link.type` that say that it is no delegation."""


class Reference(NamedTuple):
    """What a trace offers or wants: `kind` link (key: a trace id) or job (key: a declared job id)."""

    trace_id: str
    kind: str
    key: str
    role: str


def join(drafts: list[Draft], nodes: dict[tuple[str, str], Node]) -> None:
    """Give root jobs that were triggered from elsewhere their parent; never in a circle."""
    by_id = {declared.value: draft for draft in reversed(drafts) if (declared := draft.told("job_id"))}
    for draft in drafts:
        if draft.parent is not None:
            continue
        wanted = draft.told("parent_job_id")
        parent, trigger, reason = (by_id.get(wanted.value) if wanted else None), None, "job id"
        if parent is None:
            parent, trigger = _linked(draft, nodes)
            reason = "link"
        if parent is None or parent is draft or draft in parent.above():
            continue
        draft.parent, draft.reason, draft.trigger = parent, reason, trigger
        draft.via = "key" if reason == "job id" else "link"
        parent.children.append(draft)
        parent.children.sort(key=lambda child: (child.start, child.main.id))


def references(drafts: list[Draft], traces: list[str]) -> set[Reference]:
    """What the traces offer and want, so that traces that arrive later find them."""
    out: set[Reference] = set()
    for draft in drafts:
        trace_id = draft.main.span.trace_id if draft.main.span else ""
        if declared := draft.told("job_id"):
            out.add(Reference(trace_id, "job", declared.value, "offers"))
        if wanted := draft.told("parent_job_id"):
            out.add(Reference(trace_id, "job", wanted.value, "wants"))
        for link in _links(draft):
            if link.trace_id != trace_id:
                out.add(Reference(trace_id, "link", link.trace_id, "wants"))
    out.update(Reference(trace_id, "link", trace_id, "offers") for trace_id in traces)
    return out


def causes(sighted: list[tuple[Span, Sighting]]) -> set[Reference]:
    """The traces that messages came from."""
    messages = [span for span, said in sighted if said.caused and span.parent_id is None]
    return {Reference(span.trace_id, "link", link.trace_id, "wants") for span in messages for link in span.links}


def _links(draft: Draft) -> list[Link]:
    nodes = (*draft.spans, *draft.spans[0].ancestors())
    spans = [node.span for node in nodes if node.span and node.span.links]
    return [link for span in spans for link in span.links if link.attributes.get("link.type") not in NOT_A_CAUSE]


def _linked(draft: Draft, nodes: dict[tuple[str, str], Node]) -> tuple[Draft | None, Node | None]:
    own = draft.main.span.trace_id if draft.main.span else ""
    for link in _links(draft) if nodes else ():
        node = nodes.get((link.trace_id, link.span_id))
        if node is None or node.job is None or link.trace_id == own:
            continue
        tool = next((n for n in (node, *node.ancestors()) if n.role in ("tool", "job", "workflow")), None)
        return node.job, tool if tool is not None and tool.role == "tool" else None
    return None, None


def components(drafts: list[Draft]) -> list[list[Draft]]:
    """The jobs by connected traces: what is built together with them by chance must not matter to them."""
    leader: dict[str, str] = {}

    def lead(trace_id: str) -> str:
        while (above := leader.setdefault(trace_id, trace_id)) != trace_id:
            trace_id = above
        return trace_id

    for draft in drafts:
        nodes = [*draft.own, *(draft.parent.own if draft.parent else ())]
        first, *others = [node.span.trace_id for node in nodes if node.span]
        for other in others:
            leader[lead(other)] = lead(first)
    grouped: dict[str, list[Draft]] = {}
    for draft in drafts:
        trace_id = draft.main.span.trace_id if draft.main.span else ""
        grouped.setdefault(lead(trace_id), []).append(draft)
    return list(grouped.values())
