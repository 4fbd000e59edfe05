"""A run as JSON for machines."""

import json

import orjson

from collector.cli.render.machine import run_object
from collector.message import Message
from collector.tree import Approval, Capture, Delegation, Job, Member, ModelCall, Run, SkillRead, ToolCall


def test_one_object_holds_the_run_and_the_jobs_below() -> None:
    """Jobs, calls and approvals nest under `job`, with the traces of the run beside it."""
    child = Job(id="c", trace_id="b", via="tool", delegation=Delegation(mode="waited", call_id="1"), agent="policy")
    root = Job(
        id="j",
        trace_id="a",
        status="completed",
        input="Refund it",
        reply={"amount": 50},
        tool_calls=[ToolCall(name="lookup", call_id="1", state="succeeded", arguments={"id": "A"}, started=7)],
        model_calls=[ModelCall(model="m")],
        skills=[SkillRead(name="s")],
        approvals=[Approval(tool="lookup", decision="approve")],
        jobs=[child],
        capture={"tools": Capture("partial", ["truncated"])},
    )
    root.messages.append(Message("user", "Refund it"))
    run = Run(id="r", root=root, members=[Member("a", "root"), Member("b", "link")])
    said = json.loads(orjson.dumps(run_object(run)))
    assert said["trace_ids"] == ["a", "b"]
    job = said["job"]
    assert (job["id"], job["agent"], job["via"], job["status"]) == ("j", None, "root", "completed")
    assert (job["input"], job["reply"], job["error"]) == ("Refund it", {"amount": 50}, None)
    lookup = job["tool_calls"][0]
    assert (lookup["name"], lookup["call_id"], lookup["state"], lookup["start"]) == ("lookup", "1", "succeeded", 7)
    assert (lookup["arguments"], lookup["result"]) == ({"id": "A"}, None)
    assert (job["approvals"][0]["tool"], job["approvals"][0]["decision"]) == ("lookup", "approve")
    assert [(m["role"], m["text"], m["calls"], m["flags"]) for m in job["messages"]] == [("user", "Refund it", [], [])]
    assert job["jobs"][0]["agent"] == "policy"
    assert job["capture"] == {"tools": "partial"}
    assert job["capture_reasons"] == {"tools": ["truncated"]}
