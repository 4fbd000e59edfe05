"""The canonical model: what agents did, whatever library told of it.

A `Run` is a root job with everything below it. Every value is plain data; the module imports nothing else of ours, so that
the normalizer writes it, the store keeps it (as JSON text, see tree_text.py) and the grader reads it without
knowing each other. Times are nanoseconds since the epoch, money is US dollars.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from collector.message import Conversation

Evidence = Literal["present", "partial", "absent", "malformed"]
"""How much of one kind of evidence was captured: all, some, none, or some that cannot be read."""

CallState = Literal["requested", "awaiting_approval", "denied", "answered", "succeeded", "failed"]
"""A call's life: `answered` means that a result was seen and its success was not captured."""

JobStatus = Literal["completed", "failed", "awaiting_approval", "cancelled", "running", "unknown"]

Via = Literal["root", "tool", "agent", "handoff", "link", "key"]
"""How a job came to be: nothing above it, a tool call, a plain child agent, a handoff, a span link, a declared job id."""

Mode = Literal["waited", "fire_and_forget", "pass_control", "scheduled"]
Decision = Literal["approve", "reject", "edit", "timeout", "pending"]
Decider = Literal["human", "policy", "auto", "unknown"]

MAY_HAVE_RUN = "may_have_run"
"""Flag of a call in state `requested` of which the evidence cannot tell that it did not run."""

CAPTURE_KINDS = (
    "input",
    "reply",
    "tools",
    "requests",
    "tool_args",
    "tool_results",
    "model_calls",
    "children",
    "approvals",
    "skills",
    "retrievals",
    "cost",
    "constraints",
)
"""Kinds of evidence for which a job says how much was captured: `tools` are the calls that ran or were seen otherwise,
`requests` says whether every call that a model asked for is among them, also one that never ran."""


@dataclass(slots=True)
class Capture:
    """How much of one kind of evidence a job's spans hold, and why not more (reason codes, documented in the README)."""

    state: Evidence = "absent"
    reasons: list[str] = field(default_factory=list)


@lru_cache(1_000)
def captured(state: Evidence, *reasons: str) -> Capture:
    """The capture with these reasons: one object for all that are equal, since a run has dozens and few differ.

    It is shared, and so must never be changed.
    """
    return Capture(state, list(reasons))


@dataclass(slots=True)
class ToolCall:
    """One call by one job, however often it was sighted or attempted.

    `arguments` are those that were executed where an execution was seen, else those requested. Whether they are known is
    in `arguments_capture`: None with "present" is a real null. `error` is the text of the failure.
    """

    name: str
    call_id: str | None = None
    qualified: str | None = None
    kind: str = "function"
    state: CallState = "requested"
    arguments: Any = None
    arguments_capture: Evidence = "absent"
    requested_arguments: Any = None
    requested_capture: Evidence = "absent"
    result: Any = None
    result_capture: Evidence = "absent"
    error: str | None = None
    attempts: int = 1
    started: int | None = None
    ended: int | None = None
    flags: list[str] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ModelCall:
    """One inference. Tokens include cached ones; None means not captured (never 0)."""

    model: str | None = None
    provider: str | None = None
    response_id: str | None = None
    finish_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None
    error: str | None = None
    started: int | None = None
    ended: int | None = None
    spans: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Approval:
    """A request for a person's or a policy's decision, and the decision."""

    tool: str | None = None
    call_id: str | None = None
    kind: str = "tool"
    decision: Decision = "pending"
    source: Decider = "unknown"
    requested_arguments: Any = None
    final_arguments: Any = None
    reason: str | None = None
    requested_at: int | None = None
    decided_at: int | None = None
    spans: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SkillRead:
    """A skill's text that a job read; `declared` is False where it was inferred from a file path."""

    name: str
    resource: str | None = None
    source: str | None = None
    declared: bool = True
    at: int | None = None
    spans: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Retrieval:
    """One retrieval; a document is {id, score, content?}, content None where it was not captured."""

    query: str | None = None
    documents: list[dict[str, Any]] = field(default_factory=list)
    at: int | None = None
    spans: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Delegation:
    """The edge to a child job: how it was triggered, by which call, with what payload."""

    mode: Mode | None = None
    call_id: str | None = None
    tool: str | None = None
    payload: Any = None
    payload_capture: Evidence = "absent"
    reason: str = "nested"


@dataclass(slots=True)
class Job(Conversation):
    """One agent's work. `agent` is None where no span names it; a service's name is not an agent's."""

    id: str
    trace_id: str
    agent: str | None = None
    agent_id: str | None = None
    via: Via = "root"
    delegation: Delegation | None = None
    status: JobStatus = "unknown"
    error: str | None = None
    conversation_id: str | None = None
    input: Any = None
    reply: Any = None
    reply_source: str | None = None
    constraints: list[str] | None = None
    context: Any = None
    started: int | None = None
    ended: int | None = None
    synthetic: bool = False
    tool_calls: list[ToolCall] = field(default_factory=list)
    model_calls: list[ModelCall] = field(default_factory=list)
    approvals: list[Approval] = field(default_factory=list)
    skills: list[SkillRead] = field(default_factory=list)
    retrievals: list[Retrieval] = field(default_factory=list)
    jobs: list["Job"] = field(default_factory=list)
    capture: dict[str, Capture] = field(default_factory=dict)
    steps: int = 0
    spans: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.messages = []

    def walk(self) -> Iterator["Job"]:
        """This job and every job below it, parents first, in start order."""
        stack: list[Job] = [self]
        while stack:
            job = stack.pop()
            yield job
            stack.extend(reversed(job.jobs))


@dataclass(slots=True)
class Member:
    """A trace that belongs to a run, and the reason why it was joined ("root", "link", "job id", …)."""

    trace_id: str
    reason: str


@dataclass(slots=True)
class Run:
    """A root job with everything below it, over one trace or several.

    `aliases` are ids of runs that later joins absorbed. `open` is True until the root has ended (the quiet period is the
    reader's business: `last_arrival`). `capture` is the meet over the jobs. `attributes` are what a suite may select by.
    """

    id: str
    root: Job
    aliases: list[str] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    service: str | None = None
    case_name: str | None = None
    suite_name: str | None = None
    batch: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    dialects: list[str] = field(default_factory=list)
    open: bool = False
    capture: dict[str, Capture] = field(default_factory=dict)
    digest: str = ""
