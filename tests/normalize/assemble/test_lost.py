"""Spans that were lost inside a trace: what stood below them finds its place."""

from collector.tree import Job
from tests.normalize.spans import Row, agent, asks, chat, job, runs, says, told, tool, user

ASK = asks(("call_9f3a7c21", "look", {"id": 7}))
ANSWER = told("call_9f3a7c21", {"ok": True})


def nested(*rows: Row) -> Job:
    """The root job, whose own span goes on until all is done."""
    return job(agent("a", "support", end=99_000), *rows)


def test_a_lost_step_leaves_the_job_as_it_was() -> None:
    """A call that the job's other model calls know belongs to the job, wherever its parent went."""
    root = nested(
        chat("m", [user("hi")], [ASK], parent="a"),
        tool("t", "look", "call_9f3a7c21", {"id": 7}, {"ok": True}, parent="gone"),
        chat("n", [user("hi"), ASK, ANSWER], [says("Done.")], parent="gone"),
    )
    assert ([call.name for call in root.tool_calls], root.reply, root.jobs) == (["look"], "Done.", [])
    assert root.capture["tools"].state == "partial"
    assert root.capture["tools"].reasons == ["parent_missing"]


def test_a_lost_agent_within_a_tool_keeps_its_work() -> None:
    """Its model calls and tools are those of a job without a name, below the tool that ran it: not its caller's."""
    root = nested(
        chat("m", [user("hi")], [asks(("call_77aa77aa", "delegate", {}))], parent="a"),
        tool("d", "delegate", "call_77aa77aa", {}, "ok", parent="a", end=50_000),
        chat("x", [user("sub")], [ASK], parent="gone"),
        tool("t", "look", "call_9f3a7c21", {"id": 7}, {"ok": True}, parent="gone"),
        chat("y", [user("sub"), ASK, ANSWER], [says("Sub done.")], parent="gone"),
        chat("n", [user("hi")], [says("Done.")], parent="a", start=60_000),
    )
    (child,) = root.jobs
    assert ([call.name for call in root.tool_calls], root.reply) == (["delegate"], "Done.")
    assert (child.agent, child.via, [call.name for call in child.tool_calls]) == (None, "tool", ["look"])


def test_without_ids_a_tool_alone_is_a_step() -> None:
    """No agent's work is a single tool without a model call: it was called by the job whose model calls are seen."""
    root = nested(
        chat("m", [user("hi")], [says("Hm.")], parent="a"),
        tool("t", "look", None, {"id": 7}, {"ok": True}, parent="gone"),
    )
    assert ([call.name for call in root.tool_calls], root.jobs) == (["look"], [])


def test_a_tool_alone_is_nobodys_where_no_model_call_is_seen() -> None:
    """The job above may never have called it: it is the call of a job without a name, told once."""
    root = nested(tool("t", "look", None, {"id": 7}, {"ok": True}, parent="gone"))
    (child,) = root.jobs
    assert (root.tool_calls, child.agent, [call.name for call in child.tool_calls]) == ([], None, ["look"])


def test_another_agents_name_on_what_is_left_makes_it_a_job() -> None:
    """The spans below say for whom they work: no call id is needed to tell that from a step, and the job has its name."""
    held = {"gen_ai.agent.name": "clerk"}
    root = nested(
        chat("m", [user("hi")], [says("Hm.")], parent="a"),
        tool("t", "look", None, {"id": 7}, {"ok": True}, held, parent="gone", scope="gcp.vertex.agent"),
    )
    (child,) = root.jobs
    assert (root.tool_calls, child.agent, [call.name for call in child.tool_calls]) == ([], "clerk", ["look"])


def test_what_lies_outside_the_roots_time_stays_apart() -> None:
    """Nothing says where it belongs: a run of its own, which claims nothing about its end."""
    found = runs(agent("a", "support", end=2_000), chat("m", [user("hi")], [says("Done.")], parent="gone", start=5_000))
    assert [run.root.status for run in found] == ["completed", "unknown"]


def test_two_roots_adopt_nobody() -> None:
    """Where a trace has two roots, neither is the only place that fits."""
    found = runs(
        agent("a", "one", end=99_000),
        agent("b", "two", end=99_000),
        chat("m", [user("hi")], [says("Done.")], parent="gone"),
    )
    assert len(found) == 3
