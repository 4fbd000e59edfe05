"""Which spans are jobs, which job is below which, and what belongs to whom.

A container (a workflow, a wrapper without a name) is a job only if it holds several jobs; around a single one it merely
lends what it knows. Activity that no job span covers becomes a synthetic job.
"""

from collector.normalize.assemble import handoffs
from collector.normalize.assemble.draft import ACTIVE, CONTAINERS, Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import Role


def find(roots: list[Node]) -> list[Draft]:
    """All jobs of the forest in start order, each with its parent, its children and what belongs to it."""
    drafts: list[Draft] = []
    for root in roots:
        opened = _opened(root)
        handoffs.nest(opened, [node for node in _all(root) if node.role is Role.HANDOFF])
        opened = _unwrapped(opened)
        if not opened and any(node.role in ACTIVE for node in _all(root)):
            own = root if root.span else root.children[0]
            opened = [Draft([own], synthetic=True)]
        for draft in opened:
            draft.missing_parent = _dangles(draft.spans[0])
        drafts.extend(opened)
    by_run = {key.value: draft for draft in reversed(drafts) if (key := draft.told("run_key"))}
    for root in roots:
        _own(root, by_run, [draft for draft in drafts if _root_of(draft.main) is root])
    drafts.sort(key=lambda draft: (draft.start, draft.main.id))
    for draft in drafts:
        draft.nodes.sort(key=lambda node: (node.start, node.id))
        draft.children.sort(key=lambda child: (child.start, child.main.id))
    return drafts


def _all(root: Node) -> list[Node]:
    return [root, *root.below()]


def _root_of(node: Node) -> Node:
    return next(reversed([node, *node.ancestors()]))


def _opened(root: Node) -> list[Draft]:
    """A draft for each job and container span, below the nearest one above it."""
    opened: list[Draft] = []
    for node in _all(root):
        node.job = node.parent.job if node.parent else None
        if node.role in (Role.JOB, *CONTAINERS):
            draft = Draft([node], container=node.role in CONTAINERS, parent=node.job)
            if node.job:
                node.job.children.append(draft)
            node.job = draft
            opened.append(draft)
    return opened


def _unwrapped(opened: list[Draft]) -> list[Draft]:
    """Merge containers around a single job, and doubles of one job, into that job (whose own span stays last)."""
    kept: list[Draft] = []
    for draft in reversed(opened):  # inner ones first
        only = draft.children[0] if len(draft.children) == 1 else None
        wraps = draft.container or draft.agent is None or (only is not None and draft.agent == only.agent)
        if only is None or not wraps or _acts(draft):
            kept.append(draft)
            continue
        only.spans[:0] = draft.spans
        only.parent = draft.parent
        if draft.parent:
            siblings = draft.parent.children
            siblings[siblings.index(draft)] = only
    return kept


def _acts(draft: Draft) -> bool:
    """Whether the job does something itself, apart from what its children do."""
    stack = list(draft.main.children)
    while stack:
        node = stack.pop()
        if node.job is draft:
            if node.role in ACTIVE:
                return True
            stack.extend(node.children)
    return False


def _own(root: Node, by_run: dict[str, Draft], drafts: list[Draft]) -> None:
    """Give each node to its job: by the run's id where the span carries one, else by the nearest job above."""
    own = {id(node): draft for draft in drafts for node in draft.spans}
    tops = [draft for draft in drafts if draft.parent is None]
    for node in _all(root):
        draft = own.get(id(node))
        if draft is not None:
            node.job = draft
            if not draft.synthetic:
                continue
        else:
            key = node.said.run_key
            above = node.parent.job if node.parent else None
            node.job = (by_run.get(key.value) if key else None) or above or _adopter(node, tops)
        if node.job is not None and node.span is not None:
            node.job.nodes.append(node)


def _adopter(node: Node, tops: list[Draft]) -> Draft | None:
    """Activity beside the jobs of its trace (under a missing parent, say) goes to the one whose time holds it alone."""
    if not tops or node.role not in ACTIVE:
        return None
    held = [d for d in tops if d.main.span and d.start <= node.start <= (d.main.span.end or node.start)]
    return held[0] if len(held) == 1 else tops[0]


def _dangles(node: Node) -> bool:
    """A span above the job is missing, and it did not live in another process (where that is normal)."""
    below = node
    for above in node.ancestors():
        if above.span is None:
            return bool(below.span and not below.span.remote_parent)
        below = above
    return False
