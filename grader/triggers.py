"""Jobs that a job triggered, those that only the call tells of among them: they run later, elsewhere, or unrecorded.

The call of such a tool says which agent was triggered, with what payload, and whether its answer was waited for; where it
says so, that is better known than what the times of spans suggest.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, get_args

from collector import tree
from grader.patterns import equal
from grader.replies import value_of
from grader.scene import Scene
from grader.wanted import NOT_STOPPED


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A tool that triggers an agent, and which of its arguments say what.

    `wait`: the argument that says whether the answer is waited for (None: no argument does). `mode`: how it is where nothing
    says otherwise.
    """

    tool: str
    agent: str
    payload: str
    wait: str | None
    mode: tree.Mode


def triggered(scene: Scene, triggers: Sequence[Trigger]) -> list[tree.Job]:
    """The jobs right below, each with what its trigger's call says of it; then one for each call whose job is not seen."""
    jobs = list(scene.job.jobs)
    if not triggers:
        return jobs
    open_ = [(trigger, call) for trigger in triggers for call in _calls(scene, trigger)]
    taken: set[int] = set()
    for same in (_by_id, _by_agent):
        left = []
        for trigger, call in open_:
            place = next((p for p, j in enumerate(jobs) if p not in taken and same(j, call, trigger)), None)
            if place is None:
                left.append((trigger, call))
            else:
                taken.add(place)
                jobs[place] = _told(jobs[place], call, trigger)
        open_ = left
    return jobs + [_unseen(scene.job, call, trigger) for trigger, call in open_]


def _calls(scene: Scene, trigger: Trigger) -> Iterator[tree.ToolCall]:
    """A call that was stopped before it ran triggered nothing."""
    calls = scene.calls("job")
    yield from (c for p in calls.named(trigger.tool, "segment") if NOT_STOPPED.of(c := calls.items[p]) is not False)


def _by_id(job: tree.Job, call: tree.ToolCall, _: Trigger) -> bool:
    return job.delegation is not None and call.call_id is not None and job.delegation.call_id == call.call_id


def _by_agent(job: tree.Job, call: tree.ToolCall, trigger: Trigger) -> bool:
    """A job of the agent that was called for, of which nothing says that another call began it."""
    edge = job.delegation or tree.Delegation()
    elsewhere = edge.call_id is not None or edge.tool not in (None, call.name)
    return not elsewhere and job.agent is not None and job.agent == _arguments(call).get(trigger.agent)


def _arguments(call: tree.ToolCall) -> dict[str, Any]:
    known = call.arguments_capture == "present" and isinstance(call.arguments, dict)
    return call.arguments if known else {}


def _told(job: tree.Job, call: tree.ToolCall, trigger: Trigger) -> tree.Job:
    arguments = _arguments(call)
    edge = job.delegation or tree.Delegation()
    declared = edge.payload_capture == "present" and not equal(edge.payload, arguments)
    job = copy(job)
    job.agent = job.agent or _name(arguments.get(trigger.agent))
    job.delegation = replace(edge, mode=_mode(arguments, trigger, edge.mode))
    if arguments and not declared:
        job.delegation.payload, job.delegation.payload_capture = arguments.get(trigger.payload), "present"
    return job


def _unseen(parent: tree.Job, call: tree.ToolCall, trigger: Trigger) -> tree.Job:
    """Of what the agent did only that is known which the call returned: its status, its answer, its error."""
    arguments = _arguments(call)
    known = tree.Delegation(
        mode=_mode(arguments, trigger, None),
        call_id=call.call_id,
        tool=call.name,
        payload=arguments.get(trigger.payload),
        payload_capture="present" if arguments else "absent",
        reason="call",
    )
    job = tree.Job(
        id=call.call_id or "",
        trace_id=parent.trace_id,
        agent=_name(arguments.get(trigger.agent)),
        via="tool",
        delegation=known,
        capture={kind: tree.Capture("absent", ["not_recorded"]) for kind in tree.CAPTURE_KINDS},
        spans=list(call.spans),
    )
    _answered(job, value_of(call.result) if call.result_capture == "present" else None)
    return job


def _answered(job: tree.Job, result: Any) -> None:
    if not isinstance(result, dict) or result.get("status") not in get_args(tree.JobStatus):
        return
    job.status = result["status"]
    job.error = result["error"] if isinstance(result.get("error"), str) else None
    if "response" in result:
        job.reply, job.capture["reply"] = result["response"], tree.Capture("present")


def _mode(arguments: dict[str, Any], trigger: Trigger, known: tree.Mode | None) -> tree.Mode | None:
    if trigger.wait is None:
        return trigger.mode
    if trigger.wait in arguments:
        return "waited" if arguments[trigger.wait] is True else "fire_and_forget"
    return known or (trigger.mode if arguments else None)


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
