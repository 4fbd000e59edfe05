"""Clusters → tool calls: one row each, with what was asked for, what ran, what came of it and in which state it is."""

from collector.normalize.assemble.cluster import Cluster
from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.outcome import failure
from collector.normalize.values import Value, as_text, withheld
from collector.tree import CallState, ToolCall

_LAST = 2**64


def collect(draft: Draft, clusters: list[Cluster]) -> list[ToolCall]:
    """The job's tool calls in order: by the model's position where known, else by start."""
    dropped = _output_tools(draft)
    found = sorted((c for c in clusters if _name(c) not in dropped), key=_order)
    calls = []
    for cluster in found:
        call = _call(cluster, draft)
        calls.append(call)
        for node in cluster.runs:
            draft.calls[id(node)] = call
    return calls


def _output_tools(draft: Draft) -> set[str | None]:
    """Tools by which the job gives its structured reply: a request for one is no call."""
    return {tool for node in (*draft.own, *draft.models) for tool in node.said.output_tools}


def _name(cluster: Cluster) -> str | None:
    for node in (*cluster.runs, *cluster.inner):
        if node.said.tool:
            return node.said.tool.value
    named = cluster.asked.name if cluster.asked else cluster.report.name if cluster.report else None
    return named or (cluster.answer.name if cluster.answer else None)


def _order(cluster: Cluster) -> tuple[int, tuple[int, int], str]:
    """By the model call that asked, where known, else by start: both stand on one clock."""
    asked = cluster.asked_by.span if cluster.asked_by else None
    at = (asked.end or asked.start) if asked else min((node.start for node in cluster.runs), default=_LAST)
    return (at, cluster.place, cluster.id or "")


def _call(cluster: Cluster, draft: Draft) -> ToolCall:
    last = max(cluster.runs, key=lambda node: (node.start, node.id), default=None)
    told = [node for node in (*reversed(cluster.runs), *cluster.inner) if node.span]
    report = cluster.report
    executed = _first(told, "arguments") or (report.arguments if report else None)
    wanted = cluster.asked.value if cluster.asked else None
    arguments = executed or wanted
    unread = executed is not None and executed.state != "present" and not withheld(executed)
    if unread and wanted is not None and wanted.state == "present":
        arguments = wanted  # what ran cannot be read, what was asked for can
        cluster.flags.add("arguments_from_request")
    result = _first([last, *cluster.inner] if last else [], "result")
    error = _error(cluster, last)
    if result is None and report is not None:
        result = report.result
    if result is None and cluster.answer is not None:
        result = cluster.answer.value
    state = _state(cluster, last, result, error, draft.models)
    if error is None and state == "failed" and result is not None:
        error = as_text(result.value)
    if len(cluster.runs) > 1 and all(_went_well(node) for node in cluster.runs):
        cluster.flags.add("suspected_duplicate")  # nothing failed, so the second was no retry
    ends = [node.span.end for node in cluster.runs if node.span and node.span.end]
    return ToolCall(
        name=_name(cluster) or "unknown",
        call_id=cluster.id,
        qualified=_text(_first(told, "qualified")),
        kind=_text(_first(told, "tool_kind")) or "function",
        state=state,
        arguments=arguments.value if arguments and arguments.state == "present" else None,
        arguments_capture=arguments.state if arguments else "absent",
        requested_arguments=wanted.value if wanted and wanted.state == "present" else None,
        requested_capture=wanted.state if wanted else "absent",
        result=result.value if result and result.state == "present" else None,
        result_capture=result.state if result else "absent",
        error=error,
        attempts=max(1, len(cluster.runs)),
        started=min((node.start for node in cluster.runs), default=0) or None,
        ended=max(ends) if ends else None,
        flags=sorted(cluster.flags),
        spans=_spans(cluster),
    )


def _went_well(node: Node) -> bool:
    return node.said.deferred is None and node.said.result is not None and failure(node) is None


def _spans(cluster: Cluster) -> list[str]:
    told = [*cluster.runs, *cluster.inner, cluster.asked_by, cluster.answered_by]
    return [node.id for node in told if node is not None]


def _first(nodes: list[Node], fact: str) -> Value | None:
    unreadable = None
    for node in nodes:
        value = getattr(node.said, fact)
        if value is not None and value.state == "present":
            return value
        unreadable = unreadable or value
    return unreadable


def _text(value: Value | None) -> str | None:
    return value.value if value and isinstance(value.value, str) else None


def _error(cluster: Cluster, last: Node | None) -> str | None:
    told = [last, *cluster.inner] if last is not None else []
    found = next((text for node in told if (text := failure(node))), None)
    if found is None and cluster.report is not None and cluster.report.failed:
        return cluster.report.error or "failed without a message"
    return found


def _state(
    cluster: Cluster, last: Node | None, result: Value | None, error: str | None, models: list[Node]
) -> CallState:
    if last is None:
        if cluster.report is not None:
            return "failed" if cluster.report.failed else "succeeded"
        if cluster.answer is None:
            return "requested"
        return "failed" if cluster.answer.failed else "answered"
    if last.said.deferred:
        return "awaiting_approval" if cluster.answer is None else "answered"
    if error is not None:
        return "failed"
    if result is not None:
        return "failed" if cluster.answer is not None and cluster.answer.failed else "succeeded"
    if last.span and not last.span.end:
        return "requested"
    return "requested" if _may_be_stopped(last, models) else "succeeded"


def _may_be_stopped(last: Node, models: list[Node]) -> bool:
    """Whether an execution that ended well and shows no result may have been stopped before it ran.

    A call that waits for an approval looks like this in OpenInference, where results are written: arguments, and no result.
    Without either the content may be off; then the model's next call, which needs the result, tells that there was one.
    """
    if last.role != "tool" or last.span is None or "tool_results" not in last.said.proves:
        return False
    if last.said.arguments is not None:
        return True
    span = last.span
    return not any(m.span and m.span.trace_id == span.trace_id and m.start >= span.end for m in models[-1:])
