"""A trajectory: steps that an agent reports as part of its reply, else the calls that its trace shows.

Some agents return `{"answer": ..., "steps": [{"tool", "args"}]}`: then these steps are what a check about calls looks at.
"""

from dataclasses import dataclass
from typing import Any

import orjson

from collector.tree import CAPTURE_KINDS, Capture, Job, ToolCall
from grader.outcome import Finding
from grader.replies import parsed
from grader.scene import Primitive, Scene, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """`inner`, a check about calls, over the steps at `key`: of the reply, else of the run's attributes, else its calls.

    Without any of them there is no trajectory, and whatever is asked of it is unknown, also what an empty one would meet.
    """

    key: str
    inner: Primitive
    scope: Scope

    def decide(self, scene: Scene) -> Finding:
        """Steps of which one cannot be read leave everything open."""
        reported = self._reported(scene)
        spans = scene.job.spans[:1]
        if isinstance(reported, str):
            return Finding(None, reported, spans)
        if reported is not None:
            return self.inner.decide(scene.at(_job(scene.job, reported)))
        if scene.capture("tools", self.scope) in ("absent", "malformed"):
            return Finding(None, f"there is no trajectory: {scene.lack('tools', self.scope)}", spans)
        return self.inner.decide(scene)

    def _reported(self, scene: Scene) -> list[ToolCall] | str | None:
        """The steps, or why they cannot be read; None where nobody reports any."""
        if scene.capture("reply", "job") == "present":
            reply, _ = parsed(scene.job.reply)
            if isinstance(reply, dict) and self.key in reply:
                return _steps(reply[self.key], f"{self.key} of the reply")
        attribute = scene.run.attributes.get(self.key)
        if isinstance(attribute, str) and attribute.lstrip().startswith("["):
            try:
                attribute = orjson.loads(attribute)
            except orjson.JSONDecodeError:
                return f"the attribute {self.key} is a list that cannot be read"
        return _steps(attribute, f"the attribute {self.key}") if isinstance(attribute, list) else None


def _steps(raw: Any, where: str) -> list[ToolCall] | str:
    if not isinstance(raw, list):
        return f"{where} is no list of steps"
    steps = []
    for number, step in enumerate(raw):
        if not isinstance(step, dict) or not isinstance(step.get("tool"), str) or not step["tool"]:
            return f"{where}: step {number + 1} names no tool"
        given = {} if step.get("args") is None else step["args"]
        steps.append(ToolCall(step["tool"], state="answered", arguments=given, arguments_capture="present"))
    return steps


def _job(job: Job, steps: list[ToolCall]) -> Job:
    """A job of which these steps are all that it did."""
    capture = {kind: Capture("present") for kind in CAPTURE_KINDS}
    return Job(job.id, job.trace_id, agent=job.agent, tool_calls=steps, capture=capture, spans=job.spans[:1])


FORMS = ()
"""The native suite looks at calls as the trace shows them."""
