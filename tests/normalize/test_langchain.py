"""What LangChain and LangGraph put into values, in both of their serialised forms."""

from typing import Any

import pytest

from collector.normalize import langchain
from collector.normalize.dialect import Sighting
from collector.normalize.values import Value
from tests.normalize.spans import event, exception, row, spans

TOLD = {"content": "fine", "tool_call_id": "c1", "status": "error"}
FORMS: dict[str, dict[str, Any]] = {
    "data": {"type": "tool", "data": TOLD},
    "kwargs": {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "ToolMessage"],
        "kwargs": TOLD,
    },
}


@pytest.mark.parametrize(("raw", "deep"), [("outer:1|inner:2", 2), ("outer:1", 1), ("", None), (None, None), (3, None)])
def test_depth_in_nested_graphs(raw: Any, deep: int | None) -> None:
    """A checkpoint's name has one part a graph."""
    assert langchain.level(raw) == deep


def test_a_class_is_nobodys_name() -> None:
    """A graph that runs under its class's name has none."""
    assert langchain.agent_name("LangGraph") is None
    assert langchain.agent_name(" ") is None
    assert langchain.agent_name("clerk") == Value("clerk")


@pytest.mark.parametrize("form", FORMS)
def test_a_tool_message_answers_a_call(form: str) -> None:
    """Content, call id and failure are read from either form."""
    assert langchain.output(FORMS[form]) == (Value("fine"), Value("c1"), True, None)


def test_a_command_carries_the_answer_and_the_way_on() -> None:
    """Its last message is the result; only a jump in the parent graph is a handoff."""
    command = {"graph": "__parent__", "goto": "refunds", "update": {"messages": [FORMS["data"]]}}
    assert langchain.output(command) == (Value("fine"), Value("c1"), True, Value("refunds"))
    assert langchain.output({**command, "graph": None}).goto is None
    assert langchain.output({"graph": "__parent__", "goto": [], "update": None}) == (None, None, False, None)


@pytest.mark.parametrize("value", [{"ok": 1}, {"data": 3}, "text", [1], None])
def test_what_is_not_langchains_stands_for_itself(value: Any) -> None:
    """A tool's own values are not taken for messages."""
    assert langchain.output(value) == (Value(value), None, False, None)


def test_a_tools_output_is_said() -> None:
    """Result, call id and failure reach the sighting; text that is no JSON is a result, nothing is none."""
    said = Sighting()
    langchain.tool(said, '{"type": "tool", "data": {"content": "no", "tool_call_id": "c2", "status": "error"}}')
    assert (said.result, said.call_id, said.tool_failed) == (Value("no"), Value("c2"), True)
    plain, silent = Sighting(), Sighting()
    langchain.tool(plain, "done")
    langchain.tool(silent, None)
    assert (plain.result, silent.result) == (Value("done"), None)


def test_a_pause_asks_for_decisions() -> None:
    """The requests are found within the text of the exception; other exceptions ask nothing."""
    text = "(Interrupt(value={'action_requests': [{'name': 'refund', 'args': {'n': 1}}, 3]}, id='x'),)"
    events = [exception("langgraph.errors.GraphInterrupt", text), exception("ValueError", text), event("other")]
    (span,) = spans(row("s", events=events))
    said = Sighting()
    langchain.pauses(span, said)
    (asked,) = said.approvals
    assert (asked.tool, asked.requested_arguments, asked.decision) == ("refund", {"n": 1}, "pending")


def test_decisions_come_in_the_order_of_the_requests() -> None:
    """From a list, from one, and from the words of older versions; what is none is left out."""
    listed = {"resume": {"decisions": [{"type": "approve"}, {"type": "edit"}, {"type": "reject"}, {"type": "?"}, 3]}}
    assert langchain.decisions(listed) == ["approve", "edit", "reject"]
    assert langchain.decisions({"resume": {"type": "accept"}}) == ["approve"]
    assert langchain.decisions({"resume": [{"type": "respond"}]}) == ["reject"]
    assert langchain.decisions({"resume": "yes"}) == langchain.decisions("yes") == []


def test_a_resumption_is_nobodys_words() -> None:
    """A graph that is resumed has no input of its own; one that begins with a state has."""
    resumed, begun = Sighting(), Sighting()
    langchain.begun_with(resumed, Value({"resume": {"type": "ignore"}, "goto": []}))
    langchain.begun_with(begun, Value({"messages": []}))
    assert (resumed.input, resumed.decisions) == (None, ("reject",))
    assert "input" in resumed.settled
    assert begun.input == Value({"messages": []})
