"""Jobs that a job triggered, from their own spans and from the calls that triggered them."""

from typing import Any

import pytest

from collector.tree import Delegation, Job, ToolCall
from grader.scene import Scene
from grader.triggers import Trigger, triggered
from tests.grader.trees import call, child, job, run

TRIGGERS = (
    Trigger(tool="trigger_agent", agent="agent_name", payload="payload", wait="wait_for_response", mode="waited"),
    Trigger(tool="trigger_agent_at", agent="agent_name", payload="payload", wait=None, mode="scheduled"),
)


def trigger(agent: str = "s", tool: str = "trigger_agent", **more: Any) -> ToolCall:
    """A call that triggers an agent with the payload 'p'."""
    facts = {k: more.pop(k) for k in ("wait_for_response", "payload") if k in more}
    return call(tool, {"agent_name": agent, "payload": "p"} | facts, **more)


def told(*calls: ToolCall, jobs: list[Job] | None = None) -> list[tuple[Any, ...]]:
    """Agent, mode, payload and status of each."""
    found = triggered(Scene(run(job(*calls, jobs=jobs or []))), TRIGGERS)
    edges = [j.delegation or Delegation() for j in found]
    return [(j.agent, e.mode, e.payload, j.status) for j, e in zip(found, edges, strict=True)]


@pytest.mark.parametrize(
    ("made", "mode"),
    [
        (trigger(), "waited"),
        (trigger(wait_for_response=True), "waited"),
        (trigger(wait_for_response=False), "fire_and_forget"),
        (trigger(tool="trigger_agent_at"), "scheduled"),
    ],
)
def test_a_call_whose_job_is_not_seen(made: ToolCall, mode: str) -> None:
    """It tells the agent, the mode and the payload, and nothing of what the agent did."""
    assert told(made) == [("s", mode, "p", "unknown")]
    (one,) = triggered(Scene(run(job(made))), TRIGGERS)
    assert {c.state for c in one.capture.values()} == {"absent"}
    assert one.spans == made.spans


def test_arguments_that_were_not_captured_tell_nothing() -> None:
    """But for a tool that is never waited for."""
    hidden = {"arguments_capture": "absent"}
    assert told(call("trigger_agent", None, **hidden)) == [(None, None, None, "unknown")]
    assert told(call("trigger_agent_at", None, **hidden)) == [(None, "scheduled", None, "unknown")]


@pytest.mark.parametrize("state", ["awaiting_approval", "denied"])
def test_a_call_that_was_stopped_triggered_nothing(state: Any) -> None:
    """It never ran."""
    assert told(trigger(state=state)) == []


@pytest.mark.parametrize(
    "edge",
    [
        {"delegation": Delegation(mode="fire_and_forget", call_id="c1", tool="trigger_agent")},
        {"delegation": Delegation(mode="fire_and_forget", tool="trigger_agent")},
        {"delegation": Delegation(mode="fire_and_forget")},
        {"delegation": None},
    ],
)
def test_a_job_that_is_seen_is_its_calls(edge: dict[str, Any]) -> None:
    """By the call's id, else by the agent; the call says mode and payload better than times do."""
    seen = child("s", **edge)
    assert told(trigger(call_id="c1", wait_for_response=True), jobs=[seen]) == [("s", "waited", "p", "completed")]
    assert seen.delegation is edge["delegation"]


def test_a_job_of_another_call_or_agent_is_not_its() -> None:
    """Then the call triggered one more."""
    other = child("s", delegation=Delegation(mode="waited", call_id="c2", tool="trigger_agent"))
    assert len(told(trigger(call_id="c1"), jobs=[other])) == 2
    assert len(told(trigger(), jobs=[child("o")])) == 2
    assert len(told(trigger(), jobs=[child("s", delegation=Delegation(tool="delegate"))])) == 2
    assert len(told(trigger(), trigger(), jobs=[child("s")])) == 2


def test_ids_go_before_names() -> None:
    """A call without an id does not take the job that another call names."""
    named, loose = trigger(call_id="c1", payload="one"), trigger(payload="two")
    jobs = [child("s", delegation=Delegation(call_id="c1")), child("s")]
    assert [t[2] for t in told(loose, named, jobs=jobs)] == ["one", "two"]


def test_a_declared_payload_and_mode_stand() -> None:
    """What the trace declares of a job is not overruled by a call that says nothing else."""
    declared = Delegation(mode="fire_and_forget", call_id="c1", payload={"x": 1}, payload_capture="present")
    assert told(trigger(call_id="c1"), jobs=[child("s", delegation=declared)]) == [
        ("s", "fire_and_forget", {"x": 1}, "completed")
    ]


def test_arguments_taken_for_the_payload_are_taken_apart() -> None:
    """The normalizer knows no argument by its meaning, so it gives them all."""
    made = trigger(call_id="c1")
    edge = Delegation(mode="waited", call_id="c1", payload=made.arguments, payload_capture="present")
    assert told(made, jobs=[child("s", delegation=edge)]) == [("s", "waited", "p", "completed")]
    nameless = child("s", delegation=edge)
    nameless.agent = None
    assert told(made, jobs=[nameless])[0][0] == "s"


@pytest.mark.parametrize(
    ("result", "status", "reply", "error"),
    [
        ({"status": "completed", "response": {"x": 1}, "error": None}, "completed", {"x": 1}, None),
        ('{"status": "failed", "error": "late"}', "failed", None, "late"),
        ({"status": "timeout"}, "unknown", None, None),
        ("fine", "unknown", None, None),
        (None, "unknown", None, None),
    ],
)
def test_what_a_trigger_returned(result: Any, status: str, reply: Any, error: Any) -> None:
    """Its status, answer and error are the job's, where it has them."""
    (one,) = triggered(Scene(run(job(trigger(result=result)))), TRIGGERS)
    assert (one.status, one.reply, one.error) == (status, reply, error)
    assert (one.capture["reply"].state == "present") is (reply is not None)


def test_without_triggers_the_jobs_are_those_below() -> None:
    """The same ones."""
    below = child("s")
    assert triggered(Scene(run(job(trigger(), jobs=[below]))), ())[0] is below
