"""Our own names (`tracegrade.*`, `test.case.name`): what no convention carries and a user declares.

Declared facts win over anything inferred, so this dialect speaks first.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, any_key, either, keys, prefix
from collector.normalize.reading import Event, Span
from collector.normalize.values import Value, content, name, names
from collector.tree import Approval

_DECISIONS = ("approve", "reject", "edit", "timeout", "pending")
_DECIDERS = ("human", "policy", "auto")
_JOB_KEYS = ("tracegrade.job.status", "tracegrade.job.constraints", "tracegrade.job.parent.id")
_EVENT = "tracegrade.approval"


def _one_of(*allowed: str) -> Any:
    def read(raw: Any) -> Value | None:
        return Value(raw) if raw in allowed else None

    return read


def _role(span: Span) -> Role | None:
    """A span that declares a job's facts and that no other dialect knows stands for that job."""
    declares = any(key in span.attributes for key in _JOB_KEYS)
    return "job" if declares and "gen_ai.operation.name" not in span.attributes else None


def _approvals(span: Span, said: Sighting) -> None:
    said.approvals += tuple(_approval(event) for event in span.events if event.name == _EVENT)


def _approval(event: Event) -> Approval:
    held = {**(event.body if isinstance(event.body, dict) else {}), **event.attributes}
    decision, source = held.get(f"{_EVENT}.decision"), held.get(f"{_EVENT}.source")
    decided = decision in _DECISIONS and decision != "pending"
    arguments = content(held.get(f"{_EVENT}.arguments"))
    value = arguments.value if arguments and arguments.state == "present" else None
    return Approval(
        tool=_string(held.get("gen_ai.tool.name")),
        call_id=_string(held.get("gen_ai.tool.call.id")),
        kind=_string(held.get(f"{_EVENT}.kind")) or "tool",
        decision=decision if decision in _DECISIONS else "pending",
        source=source if source in _DECIDERS else "unknown",
        requested_arguments=None if decided else value,
        final_arguments=value if decided else None,
        reason=_string(held.get(f"{_EVENT}.reason")),
        requested_at=None if decided else event.time or None,
        decided_at=event.time or None if decided else None,
    )


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None


DIALECT = Dialect(
    name="tracegrade",
    rank=0,
    claims=either(
        prefix("tracegrade."),
        any_key("test.case.name", "test.suite.name"),
        lambda span: any(event.name == _EVENT for event in span.events),
    ),
    role=_role,
    fields={
        "job_id": keys("tracegrade.job.id"),
        "parent_job_id": keys("tracegrade.job.parent.id"),
        "status": keys(
            "tracegrade.job.status", read=_one_of("completed", "failed", "awaiting_approval", "cancelled", "running")
        ),
        "constraints": keys("tracegrade.job.constraints", read=names),
        "mode": keys(
            "tracegrade.delegation.mode", read=_one_of("waited", "fire_and_forget", "pass_control", "scheduled")
        ),
        "payload": keys("tracegrade.delegation.payload", read=content),
        "context": keys("tracegrade.context", read=content),
        "captured": keys("tracegrade.capture", read=names),
        "batch": keys("tracegrade.batch", read=name),
        "case": keys("test.case.name", read=name),
        "suite": keys("test.suite.name", read=name),
    },
    quirks=(_approvals,),
)
