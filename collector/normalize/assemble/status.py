"""How a job ended. A failed tool call does not fail a job; a job that took over does."""

from collector.normalize.assemble import requests
from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.outcome import failure
from collector.tree import Job, JobStatus


def of(draft: Draft, job: Job) -> tuple[JobStatus, str | None]:
    """Status and error text; `job` must know its calls and its children."""
    error = next((text for node in reversed(draft.last.spans) if (text := failure(node))), None)
    declared = draft.told_last("status")
    if declared is not None:
        return declared.value, error if declared.value == "failed" else None
    if draft.synthetic:
        return _synthetic(draft)
    if error is not None:
        return "failed", error
    taken = [child.job for child in draft.children if child.via == "handoff" and child.job]
    if taken and taken[-1].status in ("failed", "awaiting_approval"):
        return taken[-1].status, taken[-1].error
    if any(call.state == "awaiting_approval" for call in job.tool_calls):
        return "awaiting_approval", None
    if _undecided(job):  # of a call that is not known it is not known either whether a later trace answers it
        return ("unknown" if requests.left_open(draft, job) else "awaiting_approval"), None
    end = draft.last.main.span
    if end is None or not end.end:
        return "running", None
    broken = _broken(draft)
    return ("failed", broken) if broken is not None else (_stopped(draft, job), None)


def _synthetic(draft: Draft) -> tuple[JobStatus, str | None]:
    """Nothing declares the job: its last model call tells how far it came."""
    if not draft.models:
        return "unknown", None
    error = failure(draft.models[-1])
    if error is not None:
        return "failed", error
    if draft.missing_parent:
        return "unknown", None  # more may have come, in what is missing
    made = draft.models[-1].said.messages_out
    asks = bool(made) and any(message.calls() for message in made or ())
    return ("unknown" if asks or not made else "completed"), None


def _broken(draft: Draft) -> str | None:
    """The error of the last model call, where nothing was answered after it: some frameworks end the job's span well."""
    if not draft.models or draft.told_last("output") is not None:
        return None
    return failure(draft.models[-1])


def _undecided(job: Job) -> bool:
    """The last request for a decision is open, and its call was not answered all the same."""
    if not job.approvals or job.approvals[-1].decision != "pending":
        return False
    call = next((call for call in job.tool_calls if call.call_id == job.approvals[-1].call_id), None)
    return call is None or call.call_id is None or call.state != "answered"


def _stopped(draft: Draft, job: Job) -> JobStatus:
    """A job that ended well while its last model call waited for a call that is not seen to have run: unknown.

    It may have been stopped for a decision, or a result may not have been recorded. A request alone may also be the end
    of a run that does not execute its tools.
    """
    last = draft.models[-1] if draft.models else None
    if requests.left_open(draft, job) and draft.told_last("output") is None:
        return "unknown"
    if last is None or not job.tool_calls:
        return "completed"
    call = job.tool_calls[-1]
    if call.state != "requested":
        return "completed"
    if call.started is not None:
        return "unknown" if call.started >= last.start else "completed"
    # never ran where every run is recorded, and nothing was answered: it waits for somebody, a decider or the caller
    recorded = any("tools" in node.said.proves for node in draft.last.spans)
    asked = {part.id for message in last.said.messages_out or () for part in message.calls()}
    silent = draft.told_last("output") is None and call.call_id in asked and call.call_id is not None
    handed = any(child.via == "handoff" for child in draft.children)
    return "unknown" if recorded and silent and not handed else "completed"
