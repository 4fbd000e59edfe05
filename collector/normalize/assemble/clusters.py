"""Sightings of tool calls → clusters, one a call.

Layers: M, a model asked for it; X, a span of its execution (with what lies inside it: a second instrumentor's span, an MCP
client, an MCP server); R, its result in a later model call's input; T, the job's transcript. A real call id decides;
without one, within one job and name, equal arguments and then order do. Clusters are counted, never spans.
"""

from collections import defaultdict, deque
from collections.abc import Iterator

from collector.normalize.assemble import answers
from collector.normalize.assemble.cluster import Cluster
from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.twins import arguments_key, letters, outermost, real_id
from collector.normalize.dialect import say
from collector.normalize.messages import Message, Part
from collector.normalize.values import Value

_HISTORY = 1_000_000
"""Places of calls known from a history alone: after those that the model call before it is seen to have asked for."""


def gather(draft: Draft) -> list[Cluster]:
    """The clusters of the job's calls; `draft.models` and `draft.tools` must be known."""
    clusters = _asked(draft)
    _executed(draft, clusters)
    answers.take(draft, clusters)
    return clusters


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

    before = {key for told, part in _told(_begun_with(draft.models)) for key in (told, part.id)}
    for position, node in enumerate(draft.models):
        given = node.said.messages_in
        if given is not None and not _all_known(given, known, before):
            told = [(key, part) for key, part in _told(given) if key not in before]
            for call in _unheard(told, known, draft.models[position - 1] if position else None, position - 1):
                add(*call)
        for index, part in enumerate(_calls(node.said.messages_out)):
            add(part, node, (position, index + 1))
    for index, part in enumerate(_calls(draft.transcript())):
        if real_id(part.id) is not None and real_id(part.id) not in before:
            add(part, None, (len(draft.models), index))
    return clusters


def _begun_with(models: list[Node]) -> list[Message] | None:
    """The first history that is there, unless calls may stand in it that a model before it asked for unseen."""
    for node in models:
        if node.said.messages_in is not None:
            return node.said.messages_in
        if node.said.messages_out is None:
            return None
    return None


def _told(messages: list[Message] | None) -> Iterator[tuple[str, Part]]:
    """A history's calls by their ids.

    A call that no result names, followed by a result that names no call, is told under two ids (an item's own, and the call's).
    """
    parts = [part for message in messages or () for part in message.parts if real_id(part.id)]
    if not parts:
        return
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


def _all_known(messages: list[Message], known: dict[str, Cluster], before: set[str | None]) -> bool:
    """Whether a history names no call that is not known, as nearly all: they repeat what their job's models asked for."""
    for message in messages:
        for part in message.parts:
            called = part.kind in ("call", "result") and part.id not in known and part.id not in before
            if called and real_id(part.id):
                return False
    return True


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


def _executed(draft: Draft, clusters: list[Cluster]) -> None:
    """X: match executions to requests by call id, else by name and arguments, else by name and order."""
    by_id = {cluster.id: cluster for cluster in clusters if cluster.id}
    waiting: _Waiting | None = None  # made when it is needed first: where all calls have ids, it never is
    for node in draft.tools:
        if node.twin is not None:
            continue
        key = real_id(node.said.call_id)
        if key is not None:
            cluster = by_id.get(key)
        else:
            waiting = waiting or _Waiting(clusters)
            cluster = waiting.take(node)
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
        if node.said.role != "handoff" or node.said.handed_to is None:
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
        if child.via != "agent" or called is None or child.ghost is not None:  # a lost span ran nothing that is seen
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
