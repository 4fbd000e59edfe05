"""What expressions speak of: facts of a job by name, UNKNOWN where they were not captured."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from collector.tree import Job, ToolCall
from grader.expressions.cel import CelType
from grader.expressions.comparing import UNKNOWN
from grader.met import context_of
from grader.money import cost
from grader.replies import value_of
from grader.scene import Scene, Scope, tool_and_function

NANOSECONDS = 1_000_000_000
_CALLS = ("tools", "requests")


@dataclass(frozen=True, slots=True)
class Fact:
    """How a fact is read, its type in CEL, the kinds of evidence that it rests on (none: the job itself), and what it is.

    `read` gets the words of the expression: of a call only the fields that stand among them are filled in, so that an
    expression about names is not left open by arguments that nobody captured.
    """

    type: CelType
    evidence: tuple[str, ...]
    read: Callable[[Scene, Scope, frozenset[str]], Any]
    tells: str


def values(names: tuple[str, ...], scene: Scene, scope: Scope, words: frozenset[str]) -> dict[str, Any]:
    """The facts of these names."""
    return {name: FACTS[name].read(scene, scope, words) for name in names}


def words_of(source: str) -> frozenset[str]:
    """The words of an expression, those inside texts among them: naming a field too many is only slower."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", source))


def lacking(name: str, scene: Scene, scope: Scope) -> str:
    """Why a fact is not known, for a sentence."""
    reach = _reach(name, scope)
    lost = next((kind for kind in FACTS[name].evidence if not scene.complete(kind, reach)), None)
    return f"{name} was not captured" if lost is None else f"{name} is not known: {scene.lack(lost, reach)}"


def _reach(name: str, scope: Scope) -> Scope:
    return scope if name in ("tool_calls", "tools", "skills_read", "cost_usd", "model_calls") else "job"


def _output(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    return value_of(scene.job.reply) if scene.complete("reply", "job") else UNKNOWN


def _input(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    return value_of(scene.job.input) if scene.complete("input", "job") else UNKNOWN


def _status(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    return UNKNOWN if scene.job.status in ("running", "unknown") else scene.job.status


def _error(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    """Null where the job ended well; a failed job's error that nobody wrote down is not null."""
    if scene.job.error is not None:
        return scene.job.error
    return None if scene.job.status in ("completed", "awaiting_approval") else UNKNOWN


def _context(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    return context_of(scene)


def _agent(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    """Where a span is missing, the name may be that of an agent below the one that is missing."""
    return UNKNOWN if scene.job.agent is None or _lossy(scene.job) else scene.job.agent


def _lossy(job: Job) -> bool:
    capture = job.capture.get("children")
    return capture is not None and "parent_missing" in capture.reasons


def _seconds(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    """A job without a span of its own, or with spans missing, may have taken longer than what was seen of it."""
    job = scene.job
    lossy = job.synthetic or scene.capture("model_calls", "job") == "partial"
    if job.started is None or job.ended is None or lossy:
        return UNKNOWN
    return (job.ended - job.started) / NANOSECONDS


def _cost(scene: Scene, scope: Scope, _words: frozenset[str]) -> Any:
    dollars = cost(scene, scope)
    return UNKNOWN if dollars is None else dollars


def _model_calls(scene: Scene, scope: Scope, _words: frozenset[str]) -> Any:
    complete = scene.complete("model_calls", scope)
    return sum(len(job.model_calls) for job in scene.jobs(scope)) if complete else UNKNOWN


def _own_model_calls(scene: Scene, _scope: Scope, words: frozenset[str]) -> Any:
    return _model_calls(scene, "job", words)


def _tools(scene: Scene, scope: Scope, _words: frozenset[str]) -> Any:
    return [c.name for c in scene.calls(scope).items] if _all_calls(scene, scope) else UNKNOWN


def _all_calls(scene: Scene, scope: Scope) -> bool:
    """Whether every call is known, those that never ran among them: an expression may look at any."""
    return all(scene.complete(kind, scope) for kind in _CALLS)


def _skills(scene: Scene, scope: Scope, _words: frozenset[str]) -> Any:
    """Each once, in the order of the first read (S4-14)."""
    if not scene.complete("skills", scope):
        return UNKNOWN
    reads = sorted((r for job in scene.jobs(scope) for r in job.skills), key=lambda r: r.at or 0)
    return list(dict.fromkeys(read.name for read in reads))


def _payload(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    given = scene.job.delegation
    return UNKNOWN if given is None or given.payload_capture != "present" else value_of(given.payload)


def _payload_raw(scene: Scene, _scope: Scope, _words: frozenset[str]) -> Any:
    """The payload's own text; "" for one that is no text (S3-25)."""
    given = scene.job.delegation
    if given is None or given.payload_capture != "present":
        return UNKNOWN
    return given.payload if isinstance(given.payload, str) else ""


def _tool_calls(scene: Scene, scope: Scope, words: frozenset[str]) -> Any:
    """S4-13: in the order in which they began; a tool's name is split at its last dot (S4-9)."""
    if not _all_calls(scene, scope):
        return UNKNOWN
    fields = [name for name in CALL if name in words]
    owners = {id(call): job for job in scene.jobs(scope) for call in job.tool_calls}
    return [{f: CALL[f](call, owners[id(call)]) for f in fields} for call in scene.calls(scope).items]


def _target(call: ToolCall, job: Job) -> Any:
    """The agent that the call started; "" where it started none."""
    for child in job.jobs:
        if child.delegation and call.call_id is not None and child.delegation.call_id == call.call_id:
            return UNKNOWN if child.agent is None else child.agent
    capture = job.capture.get("children")
    return "" if capture is not None and capture.state == "present" else UNKNOWN


CALL: Mapping[str, Callable[[ToolCall, Job], Any]] = {
    "name": lambda call, _: call.name,
    "tool": lambda call, _: tool_and_function(call.qualified or call.name)[0],
    "function": lambda call, _: tool_and_function(call.qualified or call.name)[1],
    "target": _target,
    "agent": lambda _, job: UNKNOWN if job.agent is None else job.agent,
    "state": lambda call, _: call.state,
    "arguments": lambda call, _: call.arguments if call.arguments_capture == "present" else UNKNOWN,
    "result": lambda call, _: call.result if call.result_capture == "present" else UNKNOWN,
}
"""The fields of a call in `tool_calls`."""

FACTS: Mapping[str, Fact] = {
    "output": Fact("dyn", ("reply",), _output, "the reply: what it says where it is JSON, else its text"),
    "status": Fact("string", (), _status, "how the job ended"),
    "error": Fact("dyn", (), _error, "the error's text, or null"),
    "context": Fact("dyn", (), _context, "facts of the fixture"),
    "input": Fact("dyn", ("input",), _input, "what the job was asked"),
    "agent": Fact("string", (), _agent, "the job's agent"),
    "seconds": Fact("double", (), _seconds, "from start to end"),
    "cost_usd": Fact("double", ("model_calls",), _cost, "dollars over all model calls"),
    "model_calls": Fact("int", ("model_calls",), _model_calls, "how many model calls there were"),
    "calls": Fact("int", ("model_calls",), _own_model_calls, "how many model calls the job made itself"),
    "tools": Fact("list(string)", _CALLS, _tools, "the names of the tools called, in order"),
    "tool_calls": Fact("list", _CALLS, _tool_calls, f"the calls in order, each with {', '.join(CALL)}"),
    "skills_read": Fact("list(string)", ("skills",), _skills, "the skills read"),
    "payload": Fact("dyn", (), _payload, "what a triggered job was given"),
    "payload_raw": Fact("string", (), _payload_raw, "the same as text; empty where it is no text"),
}
"""All that an expression may speak of."""

OF_A_JOB = tuple(name for name in FACTS if not name.startswith("payload"))
OF_A_PAYLOAD = ("payload", "payload_raw", "context")
