"""Requests for a decision and the decisions: all that is told of one call is one approval.

A decision beats "pending"; a call that ran after it was deferred was approved, by whom is not told.
"""

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node
from collector.normalize.assemble.twins import outermost
from collector.tree import Approval, Decision, Job, ToolCall


def collect(draft: Draft, job: Job) -> list[Approval]:
    """The job's approvals in the order of their requests; `job` must know its calls."""
    told: list[Approval] = []
    for node in (*draft.own, *draft.nodes):
        for approval in node.said.approvals:
            approval.spans = approval.spans or [node.id]
            told.append(_placed(approval, draft, node))
        if node.said.deferred is not None and node.said.deferred.value == "ApprovalRequired":
            told.append(_deferred(draft, node_id=id(node), span=node.id, at=node.start))
    if not told:
        return []
    _decide(told, [decision for node in draft.own for decision in node.said.decisions])
    merged: dict[object, Approval] = {}
    for position, approval in enumerate(told):
        key = approval.call_id or (approval.tool, position)
        merged[key] = _merge(merged[key], approval) if key in merged else approval
    calls = {call.call_id: call for call in job.tool_calls if call.call_id}
    for approval in merged.values():
        call = calls.get(approval.call_id or "") or _unnamed(approval, job.tool_calls)
        if call is not None:
            _settle(approval, call)
    return sorted(merged.values(), key=lambda a: (a.requested_at or a.decided_at or 0, a.call_id or "", a.tool or ""))


def _settle(approval: Approval, call: ToolCall) -> None:
    """What became of the call tells the decision, and a refusal the call's state (beating a made-up failed result)."""
    ran = call.started is not None and call.state in ("succeeded", "failed")
    if approval.decision == "pending" and ran:
        approval.decision = "approve"
    if approval.decision in ("reject", "timeout"):
        call.state, call.error = "denied", None
    elif approval.decision == "pending" and call.state == "requested":
        call.state = "awaiting_approval"


def _unnamed(approval: Approval, calls: list[ToolCall]) -> ToolCall | None:
    """The call that a pending request without an id is about: the last one of its tool.

    Where that ran, it must have begun after the request and with the arguments that were shown: the decision is not seen,
    but what came of it is.
    """
    if approval.decision != "pending" or approval.call_id is not None or approval.tool is None:
        return None
    last = next((call for call in reversed(calls) if call.name == approval.tool), None)
    if last is None or not (_ran_later(last, approval) if last.started is not None else last.state == "requested"):
        return None
    approval.call_id = last.call_id
    return last


def _ran_later(call: ToolCall, approval: Approval) -> bool:
    asked_at, shown = approval.requested_at, approval.requested_arguments
    later = asked_at is not None and call.started is not None and asked_at <= call.started
    return later and shown is not None and shown == call.arguments


def _placed(approval: Approval, draft: Draft, node: Node) -> Approval:
    """An approval that names no call belongs to the tool span that it stands under."""
    if approval.call_id is None:
        for above in (node, *node.ancestors()):
            call = draft.calls.get(id(outermost(above)))
            if call is not None:
                approval.call_id, approval.tool = call.call_id, approval.tool or call.name
                break
    return approval


def _decide(told: list[Approval], decisions: list[Decision]) -> None:
    """Decisions that name no call answer the open requests in their order."""
    waiting = [approval for approval in told if approval.decision == "pending" and approval.call_id is None]
    for approval, decision in zip(waiting, decisions, strict=False):
        approval.decision, approval.source = decision, "human"


def _deferred(draft: Draft, *, node_id: int, span: str, at: int) -> Approval:
    call = draft.calls.get(node_id)
    return Approval(
        tool=call.name if call else None,
        call_id=call.call_id if call else None,
        requested_arguments=call.arguments if call else None,
        requested_at=at or None,
        spans=[span],
    )


def _merge(one: Approval, other: Approval) -> Approval:
    decided, pending = (other, one) if one.decision == "pending" else (one, other)
    return Approval(
        tool=decided.tool or pending.tool,
        call_id=decided.call_id or pending.call_id,
        kind=decided.kind,
        decision=decided.decision,
        source=decided.source if decided.source != "unknown" else pending.source,
        requested_arguments=pending.requested_arguments
        if pending.requested_arguments is not None
        else decided.requested_arguments,
        final_arguments=decided.final_arguments,
        reason=decided.reason or pending.reason,
        requested_at=pending.requested_at or decided.requested_at,
        decided_at=decided.decided_at,
        spans=sorted({*one.spans, *other.spans}),
    )
