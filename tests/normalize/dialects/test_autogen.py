"""AutoGen: agents and tools without content, and the messages that a team passes in traces of their own."""

import json
from typing import Any

from tests.normalize.spans import Row, agent, job, link, row, run, runs, tool

CORE, RUNTIME = "autogen-core", "autogen SingleThreadedAgentRuntime"
TASK = {"messages": [{"type": "TextMessage", "source": "user", "content": "refund it"}]}
OUTSIDE, INSIDE = {"sender": "None"}, {"sender": "manager/1"}


def process(span_id: str, message: Any, context: Any, **place: Any) -> Row:
    """A message that is received."""
    held = {"messaging.operation": "process", "message": json.dumps(message), "message_context": json.dumps(context)}
    return row(span_id, held, name="autogen process somebody", scope=RUNTIME, **place)


def sent(span_id: str, verb: str, **place: Any) -> Row:
    """A message that is made or sent."""
    return row(span_id, {"messaging.operation": verb}, name=f"autogen {verb} somebody", scope=RUNTIME, **place)


def event(kind: str, content: Any, source: str = "clerk") -> dict[str, Any]:
    """One of AgentChat's messages."""
    return {"message": {"type": kind, "source": source, "content": content}}


def team() -> list[Row]:
    """A team of one: what it was asked, what the agent did, and what others received from it."""
    asks = event("ToolCallRequestEvent", [{"id": "c1", "name": "look", "arguments": '{"n": 1}'}])
    gets = event("ToolCallExecutionEvent", [{"call_id": "c1", "name": "look", "content": "found", "is_error": False}])
    return [
        process("p", TASK, OUTSIDE, trace="t1"),
        sent("c", "create", parent="p", trace="t1"),
        sent("s", "publish", trace="t2", links=[link("c", "t1")]),
        process("q", {}, INSIDE, parent="s", trace="t2"),
        agent("a", "clerk", parent="q", trace="t2", scope=CORE),
        sent("d", "create", parent="a", trace="t2"),
        tool("x", "look", "c1", parent="a", trace="t2", scope=CORE),
        sent("m", "publish", trace="t3", links=[link("d", "t2")]),
        process("n", asks, INSIDE, parent="m", trace="t3"),
        process("o", gets, INSIDE, parent="m", trace="t3"),
        process("r", event("TextMessage", "done"), INSIDE, parent="m", trace="t3"),
    ]


def test_what_a_team_does_is_told_by_its_messages() -> None:
    """Input, arguments, result and reply stand in what was received, in other traces."""
    found = job(*team())
    (call,) = found.tool_calls
    assert (found.agent, found.input, found.reply) == ("clerk", "refund it", "done")
    assert (call.name, call.arguments, call.result, call.state) == ("look", {"n": 1}, "found", "succeeded")


def test_the_traces_of_messages_belong_to_the_run() -> None:
    """They are its members, joined by links."""
    assert {member.trace_id for member in run(*team()).members} == {"t1", "t2", "t3"}


def test_who_receives_a_message_does_not_work_for_its_sender() -> None:
    """The next agent of a team stands beside the one before, below the team."""
    found = job(
        *team(),
        sent("e", "create", parent="r", trace="t3"),
        sent("u", "publish", trace="t4", links=[link("e", "t3")]),
        agent("b", "critic", parent="u", trace="t4", scope=CORE),
    )
    assert [(child.agent, child.jobs) for child in found.jobs] == [("clerk", []), ("critic", [])]


def test_making_an_agent_is_no_run() -> None:
    """`create_agent` is a trace of its own."""
    held = {"gen_ai.operation.name": "create_agent", "gen_ai.agent.name": "clerk"}
    assert runs(row("c", held, name="create_agent clerk", scope=CORE)) == []


def test_a_message_that_is_no_json_is_passed_over() -> None:
    """Whatever the message is, the neighbours are unharmed."""
    rows = team()
    rows[8] = row("n", {"message": "No Message"}, name="autogen process x", scope=RUNTIME, parent="m", trace="t3")
    assert job(*rows).tool_calls[0].result == "found"
