"""What became of calls, as others tell it: results in later model calls' inputs, and logs."""

from collections import defaultdict
from itertools import pairwise

from collector.normalize.assemble.cluster import Cluster
from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.dialect import Report
from collector.normalize.messages import Part, trailing_results


def take(draft: Draft, clusters: list[Cluster]) -> None:
    """R: results in later inputs and in the transcript, by call id; the last one counts (a retry's)."""
    if not clusters:
        return
    by_id = {cluster.id: cluster for cluster in clusters if cluster.id}
    failed = {call for node in draft.nodes for call in node.said.failed_results}
    resumed = [(node, node.said.messages_in) for part in draft.later for node in part.spans]  # what it began with
    sources = [*((node, node.said.messages_in) for node in draft.models), *resumed, (None, draft.transcript())]
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
