"""Requests for a decision and the decisions: all that is told of one call is one approval.

A decision beats "pending"; a call that ran after it was deferred was approved, by whom is not told.
"""

from collector.normalize.assemble.draft import Draft
from collector.tree import Approval, Job


def collect(draft: Draft, job: Job) -> list[Approval]:
    """The job's approvals in the order of their requests; `job` must know its calls."""
    told: list[Approval] = []
    for node in (*draft.spans, *draft.nodes):
        for approval in node.said.approvals:
            approval.spans = approval.spans or [node.id]
            told.append(approval)
        if node.said.deferred is not None and node.said.deferred.value == "ApprovalRequired":
            told.append(_deferred(draft, node_id=id(node), span=node.id, at=node.start))
    merged: dict[object, Approval] = {}
    for position, approval in enumerate(told):
        key = approval.call_id or (approval.tool, position)
        merged[key] = _merge(merged[key], approval) if key in merged else approval
    states = {call.call_id: call.state for call in job.tool_calls if call.call_id}
    for approval in merged.values():
        if approval.decision == "pending" and states.get(approval.call_id) in ("answered", "succeeded", "failed"):
            approval.decision = "approve"
    return sorted(merged.values(), key=lambda a: (a.requested_at or a.decided_at or 0, a.call_id or "", a.tool or ""))


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
