"""Model calls: one row an inference, however many spans tell of it.

An outer span of the same call (an SDK's wrapper, a proxy) lends what the inner one lacks; the inner one owns tokens and
cost, so that nothing is counted twice.
"""

from operator import attrgetter

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import BY_START, Node
from collector.normalize.assemble.outcome import failure
from collector.normalize.dialect import Sighting
from collector.tree import ModelCall

FACTS = (
    "model", "provider", "response_id", "finish", "input_tokens", "output_tokens", "cache_read_tokens",
    "cache_write_tokens", "reasoning_tokens", "cost_usd",
)  # fmt: skip
"""What a sighting says of a model call, in the order of the first fields of `ModelCall`."""
_FINISH = FACTS.index("finish")
_facts = attrgetter(*FACTS)
_ENDS = frozenset({"job", "workflow", "tool"})


def collect(draft: Draft) -> list[ModelCall]:
    """The job's model calls in start order; `draft.models` becomes their spans (the innermost of each call)."""
    groups: dict[int, list[Node]] = {}  # by the innermost span: the spans of one call, outer ones first
    by_response: dict[str, Node] = {}
    for node in draft.nodes:  # start order, so that an outer span comes before what it holds
        if node.said.role != "model":
            continue
        twin = _outer(node) or _same_response(node, by_response)
        group = groups.pop(id(twin), []) if twin is not None else []
        if twin is not None and group:
            _lend(twin.said, node.said)
            node.twin = twin
        groups[id(node)] = [*group, node]
        if node.said.response_id:
            by_response[node.said.response_id.value] = node
    calls = sorted(groups.values(), key=lambda group: BY_START(group[-1]))
    draft.models = [group[-1] for group in calls]
    return [_call(group[-1], group) for group in calls]


def _outer(node: Node) -> Node | None:
    """The model span that this one is part of: the nearest above, with no job or tool between."""
    above = node.parent
    while above is not None:
        role = above.said.role
        if role == "model":
            return above
        if role in _ENDS:
            return None
        above = above.parent
    return None


def _same_response(node: Node, by_response: dict[str, Node]) -> Node | None:
    """An earlier span of the same response by another instrumentation; one scope never tells twice."""
    seen = node.said.response_id
    other = by_response.get(seen.value) if seen else None
    return other if other and other.span and node.span and other.span.scope != node.span.scope else None


def _lend(outer: Sighting, inner: Sighting) -> None:
    for fact in (*FACTS, "messages_in", "messages_out"):
        if getattr(inner, fact) is None:
            setattr(inner, fact, getattr(outer, fact))


def _call(node: Node, group: list[Node]) -> ModelCall:
    facts = [None if value is None else value.value for value in _facts(node.said)]
    made = node.said.messages_out
    if node.said.finish is None and made:
        facts[_FINISH] = made[-1].finish
    span = node.span
    return ModelCall(
        *facts,
        error=failure(node),
        started=span.start or None if span else None,
        ended=span.end or None if span else None,
        spans=[node.id] if len(group) == 1 else [n.id for n in group],
    )
