"""One job that a framework enters again and again: siblings of one agent become one job, in parts.

A graph's node is run anew when control comes back to its agent (a supervisor after its worker). With what was handed off in
between already below the agent, its pieces stand side by side.
"""

from collector.normalize.assemble.draft import Draft


def rejoin(drafts: list[Draft]) -> list[Draft]:
    """The drafts without those that were absorbed by the part before."""
    gone: set[int] = set()
    for parent in drafts:
        if not parent.container or len(parent.children) < 2:  # noqa: PLR2004
            continue
        kept: list[Draft] = []
        for child in sorted(parent.children, key=lambda c: (c.start, c.main.id)):
            before = kept[-1] if kept else None
            if before is not None and _same(before, child):
                before.absorb(child)
                gone.add(id(child))
            else:
                kept.append(child)
        parent.children = kept
    return [draft for draft in drafts if id(draft) not in gone] if gone else drafts


def _same(before: Draft, after: Draft) -> bool:
    """The same agent comes back after it handed off: never two calls of one agent that are merely neighbours."""
    handed = any(child.via == "handoff" for child in before.children)
    return handed and before.agent is not None and before.agent == after.agent
