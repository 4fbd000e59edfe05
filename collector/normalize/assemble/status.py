"""How a job ended (dialects.md 6.4). A failed tool call does not fail a job; a job that took over does."""

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.outcome import failure
from collector.tree import Job, JobStatus


def of(draft: Draft, job: Job) -> tuple[JobStatus, str | None]:
    """Status and error text; `job` must know its calls and its children."""
    error = next((text for node in reversed(draft.spans) if (text := failure(node))), None)
    declared = draft.told("status")
    if declared is not None:
        return declared.value, error if declared.value == "failed" else None
    if draft.synthetic:
        return _synthetic(draft)
    if error is not None:
        return "failed", error
    taken = [child.job for child in draft.children if child.via == "handoff" and child.job]
    if taken and taken[-1].status in ("failed", "awaiting_approval"):
        return taken[-1].status, taken[-1].error
    if any(call.state == "awaiting_approval" for call in job.tool_calls) or _undecided(job):
        return "awaiting_approval", None
    if draft.main.span is None or not draft.main.span.end:
        return "running", None
    return _stopped(draft, job), None


def _synthetic(draft: Draft) -> tuple[JobStatus, str | None]:
    """Nothing declares the job: its last model call tells how far it came."""
    if not draft.models:
        return "unknown", None
    error = failure(draft.models[-1])
    if error is not None:
        return "failed", error
    made = draft.models[-1].said.messages_out
    asks = bool(made) and any(message.calls() for message in made or ())
    return ("unknown" if asks or not made else "completed"), None


def _undecided(job: Job) -> bool:
    return bool(job.approvals) and job.approvals[-1].decision == "pending"


def _stopped(draft: Draft, job: Job) -> JobStatus:
    """A job that ended well while its last model call waited for a call that never ran: stopped for a decision.

    What decides is a tool span that shows its arguments and never ran; a request alone may be the end of a run that
    does not execute its tools.
    """
    last = draft.models[-1] if draft.models else None
    if last is None or not job.tool_calls:
        return "completed"
    call = job.tool_calls[-1]
    waits = call.state == "requested" and call.started is not None and call.started >= last.start
    return "awaiting_approval" if waits else "completed"
