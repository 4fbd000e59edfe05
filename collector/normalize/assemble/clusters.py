"""Sightings of tool calls → clusters, one a call.

Layers: M, a model asked for it; X, a span of its execution (with what lies inside it: a second instrumentor's span, an MCP
client, an MCP server); R, its result in a later model call's input; T, the job's transcript. A real call id decides;
without one, within one job and name, equal arguments and then order do. Clusters are counted, never spans.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.twins import arguments_key, letters, outermost, real_id
from collector.normalize.dialect import Report, Role, say
from collector.normalize.messages import Message, Part, trailing_results
from collector.normalize.values import Value

_HISTORY = 1_000_000
"""Places of calls known from a history alone: after those that the model call before it is seen to have asked for."""


@dataclass(slots=True, eq=False)
class Cluster:
    """One call in the making."""

    id: str | None
    asked: Part | None = None
    asked_by: Node | None = None
    place: tuple[int, int] = (0, 0)  # model call and part that asked for it
    runs: list[Node] = field(default_factory=list)  # executions, each the outermost span of one attempt
    inner: list[Node] = field(default_factory=list)  # spans within them that tell of the same call
    answer: Part | None = None
    answered_by: Node | None = None  # the model call that was given the answer
    report: Report | None = None
    flags: set[str] = field(default_factory=set)


def gather(draft: Draft) -> list[Cluster]:
    """The clusters of the job's calls; `draft.models` and `draft.tools` must be known."""
    clusters = _asked(draft)
    _executed(draft, clusters)
    _answered(draft, clusters)
    return clusters


def report(gathered: list[tuple[Draft, list[Cluster]]]) -> None:
    """L: what logs tell of calls, by call id over all jobs (a log stands on the span that was open, not on its call's).

    A call that nothing else tells of is known from its log alone, and belongs to the job whose span has the log.
    """
    by_id = {cluster.id: cluster for _, clusters in gathered for cluster in clusters if cluster.id}
    for draft, clusters in gathered:
        for node in (*draft.own, *draft.nodes):
            for told in node.said.reports:
                cluster = by_id.get(told.call_id)
                if cluster is None:
                    cluster = by_id[told.call_id] = Cluster(told.call_id)
                    clusters.append(cluster)
                cluster.report = merged(cluster.report, told)


def merged(known: Report | None, other: Report) -> Report:
    """Two reports of one call: what the first does not say comes from the second."""
    if known is None:
        return other
    return Report(
        known.call_id,
        known.name or other.name,
        known.arguments or other.arguments,
        known.result or other.result,
        known.failed or other.failed,
        known.error or other.error,
    )


def requester(drafts: list[Draft]) -> dict[str, Draft | None]:
    """Which job's model asked for a call id; None where several did (an id that is no identity)."""
    out: dict[str, Draft | None] = {}
    for draft in drafts:
        for node in draft.models:
            for part in _calls(node.said.messages_out):
                key = real_id(part.id)
                if key is not None:
                    out[key] = draft if out.get(key, draft) is draft else None
    return out


def _calls(messages: list[Message] | None) -> Iterator[Part]:
    for message in messages or ():
        yield from message.calls()


def _asked(draft: Draft) -> list[Cluster]:
    """M and T: what the job's models asked for. A history that the run began with is somebody else's."""
    clusters: list[Cluster] = []
    known: dict[str, Cluster] = {}

    def add(part: Part, node: Node | None, place: tuple[int, int], other: str | None = None) -> None:
        key = other or real_id(part.id)
        if key is None or key not in known:
            cluster = Cluster(key, part, node, place)
            clusters.append(cluster)
            if key is not None:
                known[key] = cluster

    before = {key for part in _history(draft, first=True) if (key := real_id(part.id))}
    for position, node in enumerate(draft.models):
        told = [(key, part) for key, part in _told(node.said.messages_in) if key not in before]
        for call in _unheard(told, known, draft.models[position - 1] if position else None, position - 1):
            add(*call)
        for index, part in enumerate(_calls(node.said.messages_out)):
            add(part, node, (position, index + 1))
    for index, part in enumerate(_calls(_transcript(draft))):
        if real_id(part.id) is not None and real_id(part.id) not in before:
            add(part, None, (len(draft.models), index))
    return clusters


def _told(messages: list[Message] | None) -> Iterator[tuple[str, Part]]:
    """A history's calls by their ids. A call that no result names, followed by a result that names none of them, is that
    call under another id (the item's own, where the result has the call's)."""
    parts = [part for message in messages or () for part in message.parts if real_id(part.id)]
    ids = {kind: {part.id for part in parts if part.kind == kind} for kind in ("call", "result")}
    waiting: deque[Part] = deque()
    for part in parts:
        if part.kind == "call" and part.id in ids["result"]:
            yield part.id or "", part
        elif part.kind == "call":
            waiting.append(part)
        elif part.kind == "result" and part.id not in ids["call"] and waiting:
            yield part.id or "", waiting.popleft()
    yield from ((part.id or "", part) for part in waiting)


def _unheard(
    told: list[tuple[str, Part]], known: dict[str, Cluster], asker: Node | None, turn: int
) -> list[tuple[Part, Node | None, tuple[int, int], str]]:
    """Calls that a history alone tells of: made by a model call whose output is not there, before those that follow them."""
    found: list[tuple[Part, Node | None, tuple[int, int], str]] = []
    first = _HISTORY
    for index, (key, part) in reversed(list(enumerate(told))):
        following = known.get(key)
        if following is None:
            found.append((part, asker, (turn, first + index), key))
        else:
            asker, (turn, place) = following.asked_by, following.place
            first = place - len(told)
    return found[::-1]


def _history(draft: Draft, *, first: bool) -> Iterator[Part]:
    models = draft.models[:1] if first else draft.models
    for node in models:
        yield from _calls(node.said.messages_in)


def _transcript(draft: Draft) -> list[Message]:
    out: list[Message] = []
    for node in (*draft.own, *draft.nodes):
        if node.said.transcript:
            out.extend(node.said.transcript[node.said.transcript_from :])
    return out


def _executed(draft: Draft, clusters: list[Cluster]) -> None:
    """X: match executions to requests by call id, else by name and arguments, else by name and order."""
    by_id = {cluster.id: cluster for cluster in clusters if cluster.id}
    waiting = _Waiting(clusters)
    for node in draft.tools:
        if node.twin is not None:
            continue
        key = real_id(node.said.call_id)
        cluster = by_id.get(key) if key else waiting.take(node)
        if cluster is None:
            cluster = Cluster(key)
            clusters.append(cluster)
            if key:
                by_id[key] = cluster
        cluster.runs.append(node)
    _handed(draft, clusters)
    _ran_as_tools(draft, clusters)
    owners = {id(node): cluster for cluster in clusters for node in cluster.runs}
    for node in draft.tools:
        top = outermost(node)
        if top is not node and id(top) in owners:
            owners[id(top)].inner.append(node)


class _Waiting:
    """Requests without an execution yet, found by name and arguments in constant time."""

    def __init__(self, clusters: list[Cluster]) -> None:
        self.by_arguments: dict[tuple[str, str], deque[Cluster]] = defaultdict(deque)
        self.unknown: dict[str, deque[Cluster]] = defaultdict(deque)
        self.by_name: dict[str, deque[Cluster]] = defaultdict(deque)
        for cluster in clusters:
            if cluster.asked is None or not cluster.asked.name:
                continue
            name, key = letters(cluster.asked.name), arguments_key(cluster.asked.value)
            self.by_name[name].append(cluster)
            (self.unknown[name] if key is None else self.by_arguments[name, key]).append(cluster)

    def take(self, node: Node) -> Cluster | None:
        """The earliest request of the span's name, made before it, with equal arguments, or with some that one side lacks."""
        if node.said.tool is None:
            return None
        name, key = letters(node.said.tool.value), arguments_key(node.said.arguments)
        if key is None:
            return _earliest(self.by_name.get(name), node)
        return _earliest(self.by_arguments.get((name, key)), node) or _earliest(self.unknown.get(name), node)


def _earliest(queue: "deque[Cluster] | None", node: Node) -> Cluster | None:
    while queue and queue[0].runs:
        queue.popleft()
    if not queue:
        return None
    asked_by = queue[0].asked_by
    return None if asked_by is not None and asked_by.start > node.start else queue[0]


def _handed(draft: Draft, clusters: list[Cluster]) -> None:
    """A handoff span is the execution of the tool by which the model asked for the handoff."""
    for node in draft.nodes:
        if node.role is not Role.HANDOFF or node.said.handed_to is None:
            continue
        target = letters(node.said.handed_to.value)
        for cluster in clusters:
            name = letters(cluster.asked.name or "") if cluster.asked else ""
            if not cluster.runs and target and name.endswith(target):
                say(node.said, "tool_kind", Value("handoff"))
                cluster.runs.append(node)
                break


def _ran_as_tools(draft: Draft, clusters: list[Cluster]) -> None:
    """A child job that no tool span holds is the execution of the call that is named after its agent, or that it names."""
    for child in draft.children:
        span = child.spans[0]
        called = span.said.tool or child.told("agent")
        if child.via != "agent" or called is None:
            continue
        name = letters(called.value)
        fits = (c for c in clusters if not c.runs and c.asked is not None and letters(c.asked.name or "") == name)
        cluster = next((c for c in fits if c.asked_by is None or c.asked_by.start <= child.start), None)
        if cluster is None and span.said.tool is not None:
            cluster = Cluster(None)
            clusters.append(cluster)
        if cluster is not None:
            cluster.runs.append(span)
            child.via, child.trigger = "tool", span


def _answered(draft: Draft, clusters: list[Cluster]) -> None:
    """R: results in later inputs and in the transcript, by call id; the last one counts (a retry's)."""
    by_id = {cluster.id: cluster for cluster in clusters if cluster.id}
    failed = {call for node in draft.nodes for call in node.said.failed_results}
    sources = [*((node, node.said.messages_in) for node in draft.models), (None, _transcript(draft))]
    for node, messages in sources:
        for message in messages or ():
            for part in message.parts:
                if part.kind == "result" and part.id in by_id:
                    answer = part._replace(failed=True) if part.id in failed else part
                    by_id[part.id].answer, by_id[part.id].answered_by = answer, node
    unnamed: dict[int, list[Cluster]] = defaultdict(list)
    for cluster in clusters:
        if cluster.id is None and cluster.asked_by is not None:
            unnamed[id(cluster.asked_by)].append(cluster)
    for before, node in pairwise(draft.models) if unnamed else ():
        open_ones = unnamed.get(id(before))
        if open_ones:
            _answer_in_order(open_ones, [p for p in trailing_results(node.said.messages_in) if p.id not in by_id], node)


def _answer_in_order(open_ones: list[Cluster], results: list[Part], node: Node) -> None:
    """Results without ids answer the calls of the model call before: by name, else as many results as calls, in order.

    Where several could be exchanged the order is an assumption, and said so; where the numbers differ nothing is assumed.
    """
    names = {cluster.asked.name for cluster in open_ones if cluster.asked}
    groups: dict[str | None, list[Part]] = defaultdict(list)
    for part in results:
        named = part.name or part.id
        groups[named if named in names else None].append(part)
    for name, parts in groups.items():
        fits = [c for c in open_ones if c.answer is None and (name is None or (c.asked and c.asked.name == name))]
        if len(fits) != len(parts):
            for cluster in fits:
                cluster.flags.add("ambiguous_result")
            continue
        for cluster, part in zip(fits, parts, strict=True):
            cluster.answer, cluster.answered_by = part, node
            if len(parts) > 1:
                cluster.flags.add("result_by_order")
