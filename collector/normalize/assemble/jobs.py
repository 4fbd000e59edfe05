"""Which spans are jobs, which job is below which, and what belongs to whom.

A container (a workflow, a wrapper without a name) is a job only if it holds several jobs; around a single one it merely
lends what it knows. Activity that no job span covers becomes a synthetic job.
"""

from bisect import bisect_left

from collector.normalize.assemble import handoffs, lost
from collector.normalize.assemble.draft import ACTIVE, CONTAINERS, Draft
from collector.normalize.assemble.forest import BY_START, Node
from collector.normalize.assemble.outcome import failure
from collector.normalize.assemble.rejoin import rejoin
from collector.normalize.assemble.twins import letters

_OPENS = ("job", *CONTAINERS)


def find(walked: list[list[Node]]) -> list[Draft]:
    """All jobs of the forest in start order, each with its parent, its children and what belongs to it."""
    found = [_of_root(nodes) for nodes in walked]
    told = [draft for opened in found for draft in opened]
    by_run = {key.value: draft for draft in reversed(told) if (key := draft.told("run_key"))}
    for nodes, opened in zip(walked, found, strict=True):
        _own(nodes, by_run, opened, _uncovered(nodes, by_run, opened))
    drafts = [draft for opened in found for draft in opened]
    _doubt(walked, drafts)
    drafts.sort(key=lambda draft: (draft.start, draft.main.id))
    for draft in drafts:
        draft.nodes.sort(key=BY_START)
        draft.children.sort(key=lambda child: (child.start, child.main.id))
    return drafts


def _of_root(nodes: list[Node]) -> list[Draft]:
    opened = _opened(nodes)
    lost.jobs(nodes, opened)
    handoffs.nest(opened, nodes)
    opened = _unwrapped(rejoin(opened))
    opened = [draft for draft in opened if not _empty(draft)]
    for draft in opened:
        draft.missing_parent = dangles(draft.spans[0])
    return opened


def _uncovered(nodes: list[Node], by_run: dict[str, Draft], opened: list[Draft]) -> Draft | None:
    """A synthetic job for activity that no job's span covers, where its own span may be what is missing."""
    root = nodes[0]
    loose = [n for n in nodes if n.job is None and n.said.role in ACTIVE and _by_key(n, by_run) is None]
    if not loose or (opened and root.span):
        return None
    own = loose[0] if opened else root if root.span else root.children[0]
    draft = Draft([own], synthetic=True, missing_parent=dangles(own))
    below, asked = {id(node) for node in loose}, _asked(loose)
    for job in opened:  # jobs that the loose activity started
        called = job.spans[0].said.tool or job.told("agent")
        wanted = called is not None and asked.get(letters(called.value), job.start) < job.start
        if job.parent is None and (wanted or any(id(above) in below for above in job.spans[0].ancestors())):
            job.parent = draft
            draft.children.append(job)
    opened.append(draft)
    return draft


def _asked(loose: list[Node]) -> dict[str, int]:
    """By the names of what models asked for, in letters, when that was first."""
    out: dict[str, int] = {}
    for node in loose:
        for message in node.said.messages_out or () if node.role == "model" else ():
            for part in message.calls():
                out.setdefault(letters(part.name or ""), node.start)
    return out


def _doubt(walked: list[list[Node]], drafts: list[Draft]) -> None:
    """A span is missing somewhere in a trace: each job that ran at that time may have lost something with it."""
    gaps: dict[str, list[int]] = {}
    ghosts = (node for nodes in walked for node in nodes if node.span is None)
    for span in (child.span for ghost in ghosts for child in ghost.children):
        if span and not span.remote_parent:
            gaps.setdefault(span.trace_id, []).append(span.start)
    for starts in gaps.values():
        starts.sort()
    for draft in drafts:
        first, last = draft.spans[0].span, draft.main.span
        if first is None or last is None:
            continue
        starts, ends = gaps.get(last.trace_id, []), (first.end, last.end)
        place = bisect_left(starts, min(first.start, last.start))
        if place < len(starts) and (not all(ends) or starts[place] <= max(ends)):
            draft.missing_parent = True


def _by_key(node: Node, by_run: dict[str, Draft]) -> Draft | None:
    """The job whose run's id the span carries."""
    return by_run.get(node.said.run_key.value) if node.said.run_key else None


def _opened(nodes: list[Node]) -> list[Draft]:
    """A draft for each job and container span, below the nearest one above it."""
    opened: list[Draft] = []
    actors: dict[tuple[int, str], Draft] = {}
    for node in nodes:
        parent, role = node.parent, node.said.role
        node.job = parent.job if parent else None
        if node.job and parent and parent.said.relay:
            node.job = node.job.parent or node.job
        if role in _OPENS:
            draft = Draft([node], container=role in CONTAINERS, parent=node.job)
            if node.job:
                node.job.children.append(draft)
            node.job = draft
            opened.append(draft)
        elif node.said.actor is not None:
            node.job = _acted(node, opened, actors)
    return opened


def _acted(node: Node, opened: list[Draft], actors: dict[tuple[int, str], Draft]) -> Draft | None:
    """The job of an agent that has no span of its own: one for each agent id below a job."""
    above, actor = node.job, node.said.actor.value if node.said.actor else ""
    if above is None or any(draft.actor == actor for draft in (above, *above.above())):
        return above
    draft = actors.get((id(above), actor))
    if draft is None:
        draft = actors[id(above), actor] = Draft([node], synthetic=True, actor=actor, parent=above)
        above.children.append(draft)
        opened.append(draft)
    return draft


def _unwrapped(opened: list[Draft]) -> list[Draft]:
    """Merge containers around a single job, and doubles of one job, into that job (whose own span stays last)."""
    kept: list[Draft] = []
    for draft in reversed(opened):  # inner ones first
        only = draft.children[0] if len(draft.children) == 1 else None
        wraps = draft.container or draft.agent is None or (only is not None and draft.agent == only.agent)
        if only is None or not wraps or draft.synthetic or draft.main.said.orchestrates or _acts(draft):
            kept.append(draft)
            continue
        only.wrap(draft.spans)
        only.parent = draft.parent
        if draft.parent:
            siblings = draft.parent.children
            siblings[siblings.index(draft)] = only
    return kept


def _empty(draft: Draft) -> bool:
    """A container of nothing, which says nothing: whatever it held is not here, and no run is known from it."""
    if not draft.container or draft.parent is not None or draft.children or draft.synthetic:
        return False
    says = any(draft.told(fact) is not None for fact in ("input", "output", "status", "job_id"))
    failed = any(failure(node) for node in draft.own)
    return not (says or failed or _acts(draft))


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


def _own(nodes: list[Node], by_run: dict[str, Draft], drafts: list[Draft], loose: Draft | None) -> None:
    """Give each node to its job: by the run's id where the span carries one, else by the nearest job above."""
    own = {id(node): draft for draft in drafts for node in (*draft.own, *draft.ghosts)}
    tops = [draft for draft in drafts if draft.parent is None]
    actors = {(id(draft.parent), draft.actor): draft for draft in drafts if draft.actor is not None}
    for node in nodes:
        draft = own.get(id(node))
        if draft is not None:
            node.job = draft
            if not draft.synthetic:
                continue
        else:
            above = node.parent.job if node.parent else None
            acted = actors.get((id(above), node.said.actor.value)) if node.said.actor else None
            node.job = _by_key(node, by_run) or acted or above or loose or _adopter(node, tops)
        if node.job is not None and node.span is not None:
            node.job.nodes.append(node)


def _adopter(node: Node, tops: list[Draft]) -> Draft | None:
    """Activity beside the jobs of its trace (under a missing parent, say) goes to the one whose time holds it alone."""
    if not tops or node.role not in ACTIVE:
        return None
    held = [d for d in tops if d.main.span and d.start <= node.start <= (d.main.span.end or node.start)]
    return held[0] if len(held) == 1 else tops[0]


def dangles(node: Node) -> bool:
    """A span above the job is missing, and it did not live in another process (where that is normal)."""
    below = node
    for above in node.ancestors():
        if above.span is None:
            return bool(below.span and not below.span.remote_parent)
        below = above
    return False
