"""Small trees for checks: everything captured unless a test says otherwise."""

from typing import Any

from collector.tree import CAPTURE_KINDS, Capture, Delegation, Evidence, Job, Member, ModelCall, Run, ToolCall
from grader.sample import Candidate
from grader.scene import Scene

SECOND = 1_000_000_000


def captured(**states: Evidence) -> dict[str, Capture]:
    """Everything present, but for the kinds named."""
    return {kind: Capture(states.get(kind, "present")) for kind in CAPTURE_KINDS}


def call(name: str, arguments: Any = None, result: Any = None, **more: Any) -> ToolCall:
    """A succeeded call with known arguments and result."""
    fields: dict[str, Any] = {
        "state": "succeeded",
        "arguments_capture": "present",
        "result_capture": "present",
        "spans": [f"{abs(hash((name, str(arguments)))):016x}"[:16]],
    }
    return ToolCall(name, arguments=arguments, result=result, **(fields | more))


def job(*calls: ToolCall | str, jobs: list[Job] | None = None, **more: Any) -> Job:
    """A completed job with these calls (a name makes a plain one), a second apart."""
    made = [call(c) if isinstance(c, str) else c for c in calls]
    start = more.pop("started", 100 * SECOND)
    for number, one in enumerate(made):
        one.started = one.started if one.started is not None else start + (number + 1) * SECOND
    fields: dict[str, Any] = {
        "id": "job-1",
        "trace_id": "t" * 32,
        "agent": "support",
        "status": "completed",
        "input": "hello",
        "reply": "done",
        "started": start,
        "ended": start + 30 * SECOND,
        "capture": captured(),
        "spans": ["a" * 16],
    }
    return Job(tool_calls=made, jobs=jobs or [], **(fields | more))


def child(agent: str, *calls: ToolCall | str, mode: Any = "waited", **more: Any) -> Job:
    """A job that another one triggered."""
    fields: dict[str, Any] = {
        "id": f"job-{agent}",
        "via": "tool",
        "delegation": Delegation(mode=mode),
        "started": 110 * SECOND,
    }
    return job(*calls, agent=agent, **(fields | more))


def run(root: Job | None = None, **more: Any) -> Run:
    """A run of one trace."""
    root = root or job()
    fields: dict[str, Any] = {"id": "run-1", "members": [Member(root.trace_id, "root")], "capture": captured()}
    return Run(root=root, **(fields | more))


def scene(*calls: ToolCall | str, **more: Any) -> Scene:
    """A scene over a run of one job."""
    return Scene(run(job(*calls, **more)))


def candidate(root: Job | None = None, **more: Any) -> Candidate:
    """A stored run, ready to be graded."""
    made = run(root, **more)
    return Candidate(made, digest=f"digest of {made.id}")


def model_call(**more: Any) -> ModelCall:
    """A model call with all its figures."""
    fields: dict[str, Any] = {"model": "m", "input_tokens": 10, "output_tokens": 5, "cost_usd": 0.01}
    return ModelCall(**(fields | more))
