"""LangChain and LangGraph through OpenInference."""

import json
from typing import Any

from collector.normalize.dialect import Sighting
from tests.normalize.spans import Row, asks, chat, event, job, row, says, seen, user

SCOPE = "openinference.instrumentation.langchain"
TOOL = {"openinference.span.kind": "TOOL", "tool.name": "look"}


def one(attributes: dict[str, Any], /, **fields: Any) -> Sighting:
    """What is said about one span."""
    return seen(row("s", attributes, scope=SCOPE, **fields))


def message(content: str, **more: Any) -> str:
    """A tool's output as LangChain serialises it."""
    return json.dumps({"type": "tool", "data": {"content": content, "tool_call_id": "c1", **more}})


def test_a_tool_called_agent_is_a_tool() -> None:
    """Its name makes the instrumentation guess a job; `tool.name` says what it is."""
    assert one({"openinference.span.kind": "AGENT", "tool.name": "call_agent"}).role == "tool"


def test_a_result_stands_within_a_message() -> None:
    """With the id of the call, and whether it failed."""
    said = one({**TOOL, "output.value": message('{"ok": 1}', status="error")})
    assert said.result is not None
    assert said.call_id is not None
    assert (said.result.value, said.call_id.value, said.tool_failed) == ({"ok": 1}, "c1", True)


def test_a_single_text_argument_is_known_from_the_request() -> None:
    """The span lost its name, the model's request has it."""
    given = {**TOOL, "input.value": "A-1", "output.value": message("fine")}
    root = job(
        row("g", {"openinference.span.kind": "AGENT"}, scope=SCOPE, name="support_agent"),
        chat("m", [user("hi")], [asks(("c1", "look", {"order": "A-1"}))], parent="g"),
        row("t", given, scope=SCOPE, parent="g", name="look"),
    )
    (call,) = root.tool_calls
    assert (call.arguments, call.flags) == ({"order": "A-1"}, ["arguments_from_request"])


def test_a_jump_to_another_agent_is_a_handoff() -> None:
    """A tool that answers with a command to the parent graph hands over."""
    command = {"graph": "__parent__", "goto": "refunds", "update": {"messages": [json.loads(message("ok"))]}}
    said = one({**TOOL, "output.value": json.dumps(command)})
    assert said.handed_to is not None
    assert (said.role, said.handed_to.value) == ("handoff", "refunds")


def test_a_state_holds_the_words() -> None:
    """Of the last message of the person and of the model."""
    said = {"messages": [{"type": "human", "data": {"content": "hi"}}, {"type": "ai", "data": {"content": "Hello."}}]}
    root = job(
        row(
            "g",
            {
                "openinference.span.kind": "AGENT",
                "input.value": json.dumps({"messages": [{"role": "user", "content": "hi"}]}),
                "output.value": json.dumps(said),
                "output.mime_type": "application/json",
            },
            scope=SCOPE,
            name="support_agent",
        ),
        chat("m", [user("hi")], [says("Hello.")], parent="g"),
    )
    assert (root.input, root.reply) == ("hi", "Hello.")


def paused(*more: Row) -> list[Row]:
    """A graph that stops to ask for a decision."""
    asked = "(Interrupt(value={'action_requests': [{'name': 'refund', 'args': {'amount': 50}}]}, id='x'),)"
    interrupt = event("exception", {"exception.type": "langgraph.errors.GraphInterrupt", "exception.message": asked})
    return [
        row("g", {"openinference.span.kind": "AGENT", "session.id": "s"}, scope=SCOPE, name="support_agent"),
        chat("m", [user("hi")], [asks(("call_1", "refund", {"amount": 50}))], parent="g"),
        row("h", {"openinference.span.kind": "CHAIN"}, scope=SCOPE, parent="g", events=[interrupt], ok=True),
        *more,
    ]


def test_a_pause_asks_for_a_decision() -> None:
    """An interrupt is no failure: the run waits, and what it waits for is known."""
    root = job(*paused())
    assert root.status == "awaiting_approval"
    assert [(a.tool, a.requested_arguments, a.decision) for a in root.approvals] == [
        ("refund", {"amount": 50}, "pending")
    ]


def test_the_resumption_carries_the_decision() -> None:
    """In a trace of its own, which begins by executing the call that was left open."""
    resume = {"graph": None, "update": None, "resume": {"decisions": [{"type": "approve"}]}, "goto": []}
    root = job(
        *paused(
            row(
                "r",
                {"openinference.span.kind": "AGENT", "session.id": "s", "input.value": json.dumps(resume)},
                scope=SCOPE,
                name="support_agent",
                trace="t2",
            ),
            row(
                "x",
                {**TOOL, "tool.name": "refund", "output.value": message("ok").replace("c1", "call_1")},
                scope=SCOPE,
                parent="r",
                trace="t2",
            ),
        )
    )
    assert (root.input, [(a.decision, a.source) for a in root.approvals]) == ("hi", [("approve", "human")])
    assert [(call.name, call.state) for call in root.tool_calls] == [("refund", "succeeded")]
