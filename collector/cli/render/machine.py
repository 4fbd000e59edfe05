"""A run as JSON for machines: one shape for `trees --json` and `show --json`. Keys are only ever added."""

from typing import Any

from collector.message import Message
from collector.tree import Approval, Capture, Job, ModelCall, Run, ToolCall


def run_object(run: Run) -> dict[str, Any]:
    """The run: who and when, the traces that hold it, and its root job with everything below."""
    return {
        "run_id": run.id,
        "aliases": run.aliases,
        "trace_ids": [member.trace_id for member in run.members],
        "joined": {member.trace_id: member.reason for member in run.members},
        "service": run.service,
        "case": run.case_name,
        "suite": run.suite_name,
        "batch": run.batch,
        "open": run.open,
        "dialects": run.dialects,
        "digest": run.digest,
        "attributes": run.attributes,
        "capture": _states(run.capture),
        "capture_reasons": _reasons(run.capture),
        "job": _job(run.root),
    }


def _job(job: Job) -> dict[str, Any]:
    edge = job.delegation
    return {
        "id": job.id,
        "trace_id": job.trace_id,
        "agent": job.agent,
        "via": job.via,
        "status": job.status,
        "input": job.input,
        "reply": job.reply,
        "reply_source": job.reply_source,
        "error": job.error,
        "conversation_id": job.conversation_id,
        "constraints": job.constraints,
        "context": job.context,
        "start": job.started,
        "end": job.ended,
        "delegation": edge and {"mode": edge.mode, "tool": edge.tool, "call_id": edge.call_id, "payload": edge.payload},
        "tool_calls": [_tool_call(call) for call in job.tool_calls],
        "model_calls": [_model_call(call) for call in job.model_calls],
        "approvals": [_approval(approval) for approval in job.approvals],
        "skills": [{"name": s.name, "resource": s.resource, "declared": s.declared} for s in job.skills],
        "retrievals": [{"query": r.query, "documents": r.documents} for r in job.retrievals],
        "messages": [_message(message) for message in job.messages],
        "steps": job.steps,
        "capture": _states(job.capture),
        "capture_reasons": _reasons(job.capture),
        "jobs": [_job(child) for child in job.jobs],
    }


def _tool_call(call: ToolCall) -> dict[str, Any]:
    return {
        "name": call.name,
        "call_id": call.call_id,
        "kind": call.kind,
        "state": call.state,
        "arguments": call.arguments,
        "requested_arguments": call.requested_arguments,
        "result": call.result,
        "error": call.error,
        "attempts": call.attempts,
        "start": call.started,
        "end": call.ended,
        "capture": {"arguments": call.arguments_capture, "result": call.result_capture},
        "spans": call.spans,
    }


def _model_call(call: ModelCall) -> dict[str, Any]:
    return {
        "model": call.model,
        "provider": call.provider,
        "finish_reason": call.finish_reason,
        "input_tokens": call.input_tokens,
        "output_tokens": call.output_tokens,
        "cost_usd": call.cost_usd,
        "error": call.error,
        "start": call.started,
    }


def _approval(approval: Approval) -> dict[str, Any]:
    return {
        "tool": approval.tool,
        "call_id": approval.call_id,
        "kind": approval.kind,
        "decision": approval.decision,
        "source": approval.source,
        "reason": approval.reason,
    }


def _message(message: Message) -> dict[str, Any]:
    return {
        "role": message.role,
        "text": message.text,
        "calls": message.calls,
        "call_id": message.call_id,
        "finish": message.finish,
        "at": message.at,
        "flags": message.flags,
        "spans": message.spans,
    }


def _states(capture: dict[str, Capture]) -> dict[str, str]:
    return {kind: capture[kind].state for kind in capture}


def _reasons(capture: dict[str, Capture]) -> dict[str, list[str]]:
    return {kind: capture[kind].reasons for kind in capture if capture[kind].reasons}
