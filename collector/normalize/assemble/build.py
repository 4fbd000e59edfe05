"""Drafts → runs: the passes of the assembler, in their order.

A pure function of the set of spans: same trees for any order of arrival and any duplication.
"""

from typing import Any

from collector.normalize.assemble import (
    answers,
    approvals,
    calls,
    capture,
    clusters,
    continuations,
    conversation,
    edges,
    graphs,
    implied,
    joins,
    lost,
    models,
    redacted,
    status,
    twins,
    words,
)
from collector.normalize.assemble import jobs as finding
from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import BY_START, Node, plant, walk
from collector.normalize.dialect import Sighting, attribute
from collector.normalize.reading import Span
from collector.tree import Job, Member, Retrieval, Run, SkillRead
from collector.tree_text import digest

DEEPEST = 40
"""Jobs nested deeper than this hang below their ancestor at this depth: a tree must stay writable as JSON."""


LONGEST = 200
"""Characters of an attribute that a suite may select by."""


def build(sighted: list[tuple[Span, Sighting]]) -> tuple[list[Run], list[joins.Reference]]:
    """Runs in start order, and what their traces offer and want."""
    roots = lost.hang(plant(sighted))
    planted = walk(roots)
    graphs.settle(planted)
    implied.imply(planted)
    walked = walk(roots)
    drafts = finding.find(walked)
    linked = any(span.links for span, _ in sighted)
    nodes = _by_key(walked) if linked else {}
    traces = sorted({span.trace_id for span, _ in sighted})
    references = sorted({*joins.references(drafts, traces), *joins.causes(sighted), *continuations.references(drafts)})
    joins.join(drafts, nodes)
    drafts = continuations.join(drafts)
    scopes: dict[int, frozenset[str]] = {}
    for connected in joins.components(drafts):
        _move_calls(connected)
        scopes |= dict.fromkeys(map(id, connected), capture.tool_scopes(connected))
    tops = [draft for draft in drafts if draft.parent is None]
    hides = any(span.redacted for span, _ in sighted)
    for top in tops:
        for draft in reversed(_tree(top)):  # children before parents
            _fill(draft, scopes[id(draft)], hides=hides)
        if hides:
            redacted.tell_tree((draft, draft.job) for draft in _tree(top) if draft.job)
    caused = any(said.caused for _, said in sighted)
    runs = [_run(top, caused=caused) for top in tops]
    _untie(walked, drafts)
    return runs, references


def _by_key(walked: list[list[Node]]) -> dict[tuple[str, str], Node]:
    """What a link may point at."""
    return {node.span.key: node for nodes in walked for node in nodes if node.span and not node.implied}


def _untie(walked: list[list[Node]], drafts: list[Draft]) -> None:
    """Take back what refers upwards: without circles all is freed at once, and no search for garbage has to find it."""
    for nodes in walked:
        for node in nodes:
            node.parent = node.job = node.twin = None
    for draft in drafts:
        draft.parent = None


def _tree(top: Draft) -> list[Draft]:
    """The job and all below it, parents first."""
    order, stack = [], [top]
    while stack:
        draft = stack.pop()
        order.append(draft)
        stack.extend(reversed(draft.children))
    return order


def _move_calls(drafts: list[Draft]) -> None:
    """Parent chains break across threads, call ids do not: an execution belongs to the job whose model asked for it."""
    for draft in drafts:
        twins.mark(draft)
        draft.job = Job("", "")
        draft.job.model_calls = models.collect(draft)
    if len(drafts) > 1:
        _share_out(drafts)
    for draft in drafts:
        edges.trigger(draft)
    gathered = [(draft, clusters.gather(draft)) for draft in drafts]
    answers.report(gathered)
    for draft, found in gathered:
        if draft.job is not None:
            draft.job.tool_calls = calls.collect(draft, found)


def _share_out(drafts: list[Draft]) -> None:
    owned: dict[int, list[Node]] = {id(draft): [] for draft in drafts}
    asked = clusters.requester(drafts)
    for draft in drafts:
        for node in draft.tools:
            key = twins.real_id(twins.outermost(node).said.call_id)
            owned[id((asked.get(key) if key else None) or draft)].append(node)
    for draft in drafts:
        draft.tools = sorted(owned[id(draft)], key=BY_START)


def _fill(draft: Draft, scopes: frozenset[str], *, hides: bool) -> None:
    """Everything else about a job whose calls are known; its children are filled. `hides`: rules took out some evidence."""
    job = draft.job
    span = draft.main.span
    if job is None or span is None:
        return
    job.id = _own_id(draft)
    job.trace_id, job.agent, job.via, job.synthetic = span.trace_id, draft.agent, draft.via, draft.synthetic
    job.agent_id, job.conversation_id = _value(draft, "agent_id"), _conversation(draft)
    job.constraints, job.context = _value(draft, "constraints"), _value(draft, "context")
    job.jobs = [child.job for child in draft.children if child.job]
    job.approvals = approvals.collect(draft, job)
    _looked_up(draft, job)
    job.status, job.error = status.of(draft, job)
    asked = words.asked(draft)
    answered = words.answered(draft, job)
    job.input, job.reply, job.reply_source = asked.value, answered.value, answered.source
    job.messages = conversation.collect(draft, job)
    _times(draft, job)
    job.spans = [node.id for node in draft.own if not node.implied]
    job.capture = capture.of(draft, job, asked, answered, scopes)
    for child in draft.children:
        if child.job is not None:
            child.job.delegation = edges.edge(child)
            if hides:
                redacted.tell_edge(child.job.delegation)
    if hides:
        redacted.tell(draft, job)


def _value(draft: Draft, fact: str) -> Any:
    told = draft.told(fact)
    return told.value if told and told.state == "present" else None


def _conversation(draft: Draft) -> str | None:
    told = draft.told("conversation") or next((n.said.conversation for n in draft.nodes if n.said.conversation), None)
    return told.value if told else None


_STEPS = frozenset({"step", "guardrail", "memory", "embedding", None})


def _looked_up(draft: Draft, job: Job) -> None:
    """What the job read and looked up, and how many steps it took."""
    for node in draft.own:
        if node.said.skills:
            job.skills += _skills(node)
    for node in draft.nodes:
        said = node.said
        if said.role in _STEPS:
            job.steps += 1
        if said.skills:
            job.skills += _skills(node)
        if said.documents is not None or said.role == "retrieval":
            job.retrievals.append(_retrieval(node))
    job.skills.sort(key=lambda skill: (skill.at or 0, skill.name))


def _skills(node: Node) -> tuple[SkillRead, ...]:
    for skill in node.said.skills:
        skill.spans = [node.id]
    return node.said.skills


def _retrieval(node: Node) -> Retrieval:
    documents = node.said.documents
    listed = documents.value if documents and isinstance(documents.value, list) else []
    kept = [item for item in listed if isinstance(item, dict)]
    return Retrieval(node.said.query.value if node.said.query else None, kept, at=node.start or None, spans=[node.id])


def _times(draft: Draft, job: Job) -> None:
    spans = [node.span for node in (draft.nodes if draft.synthetic else draft.own) if node.span]
    starts = [span.start for span in spans if span.start]
    ends = [span.end for span in spans] if draft.synthetic else [n.span.end for n in draft.last.spans if n.span]
    job.started = min(starts) if starts else None
    job.ended = max(ends) if ends and all(ends) else None


def _run(top: Draft, *, caused: bool) -> Run:
    drafts = _tree(top)
    _flatten(top)
    root = top.job
    span = top.main.span
    if root is None or span is None:  # a draft always has a span: ghosts open no job
        raise ValueError("a run without a span")
    run = Run(root.id, root)
    run.members = _members(drafts, top, caused=caused)
    run.aliases = sorted(
        {_own_id(part) for draft in drafts for part in draft.parts if part.reason != "nested"} - {run.id}
    )
    run.service = _text(span.resource.get("service.name"))
    nodes = [node for draft in drafts for node in (*draft.own, *draft.nodes)]
    declared = _declared([node.span for node in nodes if node.span])
    run.case_name, run.suite_name = declared.get("test.case.name"), declared.get("test.suite.name")
    run.batch = declared.get("tracegrade.batch") or declared.get("cicd.pipeline.run.id")
    run.attributes = {**span.resource, **_selectable(span)}
    run.dialects = sorted(set().union(*{node.said.dialects for node in nodes}))
    run.open = (root.ended is None and not top.synthetic) or finding.dangles(top.spans[0])
    run.capture = capture.meet(job.capture for job in root.walk())
    run.digest = digest(run)
    return run


def _selectable(span: Span) -> dict[str, Any]:
    """The root span's short attributes: what a suite may select by, without messages and documents."""
    return {
        key: value
        for key, value in span.attributes.items()
        if (len(value) <= LONGEST if isinstance(value, str) else isinstance(value, (int, float)))
    }


def _own_id(draft: Draft) -> str:
    """The id under which a draft stood for a run of its own."""
    declared, span = draft.told("job_id"), draft.main.span
    return declared.value if declared else f"{span.trace_id}-{span.span_id}" if span else ""


def _members(drafts: list[Draft], top: Draft, *, caused: bool) -> list[Member]:
    reasons = {top.main.span.trace_id: "root"} if top.main.span else {}
    for draft in drafts:
        for part in draft.parts:
            reasons.setdefault(part.main.span.trace_id if part.main.span else "", part.reason)
            for node in part.doubles:
                reasons.setdefault(node.span.trace_id if node.span else "", "same response")
    if caused:
        root = [top.main, *top.main.ancestors()][-1]
        for node in (root, *root.below()):
            if node.said.caused and node.span:
                reasons.setdefault(node.span.trace_id, "link")
    return [Member(trace_id, reason) for trace_id, reason in reasons.items()]


_DECLARED = ("test.case.name", "test.suite.name", "tracegrade.batch", "cicd.pipeline.run.id")


def _declared(spans: list[Span]) -> dict[str, str]:
    """What the spans or their resources declare of the run as a whole; the first that does so counts."""
    found: dict[str, str] = {}
    resource: dict[str, Any] | None = None
    tells = False
    for span in spans:
        if span.resource is not resource:  # nearly all spans of a run share one
            resource = span.resource
            tells = not resource.keys().isdisjoint(_DECLARED)
        if not tells and span.attributes.keys().isdisjoint(_DECLARED):
            continue
        for path in _DECLARED:
            if path not in found and (told := _text(attribute(span, path))):
                found[path] = told
    return found


def _text(raw: object) -> str | None:
    return raw if isinstance(raw, str) and raw else None


def _flatten(top: Draft) -> None:
    level = [top]
    for depth in range(DEEPEST + 1):
        if depth == DEEPEST:
            for draft in level:
                deeper = _tree(draft)[1:]
                if draft.job is not None:
                    draft.job.jobs = [d.job for d in deeper if d.job]
                for other in deeper:
                    if other.job is not None:
                        other.job.jobs = []
        level = [child for draft in level for child in draft.children]
        if not level:
            return
