"""Tool calls that the reply itself reports, where a trace records none: a list of `{name, status, input, output}`."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import orjson

from collector.tree import CallState, Capture, Job, ToolCall
from grader.outcome import Finding
from grader.scene import Primitive, Scene

_STATES: dict[str, CallState] = {"requested": "requested", "succeeded": "succeeded", "failed": "failed"}
_MISSING = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedCalls:
    """`then` decides over the calls in the reply's field `key`, where the trace holds no evidence of calls at all."""

    key: str
    then: Primitive

    def decide(self, scene: Scene) -> Finding:
        """What the trace recorded goes before what the reply says of it."""
        if scene.capture("tools", "tree") != "absent" or not scene.complete("reply", "job"):
            return self.then.decide(scene)
        reported = _field(scene.job.reply, self.key)
        if reported is _MISSING:
            return self.then.decide(scene)
        return self.then.decide(scene.at(_with_calls(scene.job, reported, self.key)))


def _field(reply: Any, key: str) -> Any:
    if isinstance(reply, str):
        try:
            reply = orjson.loads(reply)
        except ValueError:
            return _MISSING
    return reply.get(key, _MISSING) if isinstance(reply, dict) else _MISSING


def _with_calls(job: Job, reported: Any, key: str) -> Job:
    """The job with these calls in place of its own; one bad entry makes the whole evidence malformed."""
    wrong = _wrong(reported, key)
    tools = Capture("present") if wrong is None else Capture("malformed", [wrong])
    calls = [] if wrong is not None else [_call(entry) for entry in reported]
    captures = job.capture | {"tools": tools, "children": Capture("present")}
    return dataclasses.replace(job, tool_calls=calls, jobs=[], capture=captures)


def _wrong(reported: Any, key: str) -> str | None:
    """What is malformed in the evidence; None where nothing is."""
    if not isinstance(reported, list):
        return f"{key} is not a list"
    for number, entry in enumerate(reported):
        if not isinstance(entry, dict):
            return f"{key}[{number}] is not an object"
        if not isinstance(entry.get("name"), str) or not entry["name"]:
            return f"{key}[{number}] has no name"
        if not isinstance(entry.get("status"), str) or entry["status"] not in _STATES:
            return f"{key}[{number}] has none of the states {', '.join(_STATES)}"
    return None


def _call(entry: dict[str, Any]) -> ToolCall:
    return ToolCall(
        entry["name"],
        state=_STATES[entry["status"]],
        arguments=entry.get("input"),
        arguments_capture="present" if "input" in entry else "absent",
        result=entry.get("output"),
        result_capture="present" if "output" in entry else "absent",
    )


FORMS = ()
