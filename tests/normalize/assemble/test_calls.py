"""Clusters → tool calls: what was asked for, what ran, what came of it."""

from typing import Any

import pytest

from collector.tree import ToolCall
from tests.normalize.spans import Row, agent, asks, chat, exception, job, row, says, told, tool, user

X = {"x": 1}
ASK = asks(("c1", "look", X))
ASKED = chat("m", [user("x")], [ASK], parent="a")


def calls(*rows: Row) -> list[ToolCall]:
    """The calls of one agent."""
    return job(agent("a"), *rows).tool_calls


def later(*history: dict[str, Any]) -> Row:
    """A further model call that was given these messages."""
    return chat("n", [user("x"), *history], [says("y")], parent="a")


@pytest.mark.parametrize(
    ("rows", "state"),
    [
        ([ASKED], "requested"),
        ([ASKED, later(ASK, told("c1", "ok"))], "answered"),
        ([ASKED, tool("t", "look", "c1", X, "ok", parent="a")], "succeeded"),
        ([ASKED, tool("t", "look", "c1", X, None, parent="a")], "succeeded"),
        ([ASKED, tool("t", "look", "c1", X, None, parent="a", error="boom")], "failed"),
        ([ASKED, tool("t", "look", "c1", X, None, {"error.type": "timeout"}, parent="a")], "failed"),
        ([ASKED, tool("t", "look", "c1", X, None, parent="a", end=0)], "requested"),
    ],
)
def test_the_state_is_as_far_as_was_seen(rows: list[Row], state: str) -> None:
    """Asked for, answered, succeeded or failed: nothing is claimed beyond what a sighting shows."""
    assert [call.state for call in calls(*rows)] == [state]


def test_a_result_that_says_it_is_an_error_fails_the_call() -> None:
    """The model was told of an error, so the call failed, whatever its span's status."""
    failed = {
        "role": "tool",
        "parts": [{"type": "tool_call_response", "id": "c1", "response": "no such order", "is_error": True}],
    }
    (call,) = calls(ASKED, tool("t", "look", "c1", X, "no such order", parent="a"), later(ASK, failed))
    assert (call.state, call.error) == ("failed", "no such order")


def test_the_error_has_the_exceptions_words() -> None:
    """Type and message of what was raised."""
    raised = exception("shop.NotFound", "no order")
    (call,) = calls(ASKED, tool("t", "look", "c1", X, None, parent="a", error="", events=[raised]))
    assert call.error == "NotFound: no order"


def test_executed_arguments_count_and_requested_ones_are_kept() -> None:
    """Where a person edited the arguments both sides are known."""
    (call,) = calls(ASKED, tool("t", "look", "c1", {"x": 2}, "ok", parent="a"))
    assert (call.arguments, call.requested_arguments) == ({"x": 2}, X)


def test_requested_arguments_stand_in_for_unrecorded_ones() -> None:
    """An execution without arguments ran with those that were asked for."""
    (call,) = calls(ASKED, tool("t", "look", "c1", None, "ok", parent="a"))
    assert (call.arguments, call.arguments_capture) == (X, "present")


@pytest.mark.parametrize("result", ["0", "", False, [], 0, "null"])
def test_a_result_that_looks_empty_is_a_result(result: Any) -> None:
    """Nothing found is an answer."""
    (call,) = calls(tool("t", "look", "c1", X, result, parent="a"))
    assert (call.state, call.result_capture) == ("succeeded", "present")
    assert call.result == (None if result == "null" else result)


def test_calls_stand_in_the_order_in_which_they_were_asked_for() -> None:
    """Not in the order in which parallel executions began."""
    found = calls(
        chat("m", [user("x")], [asks(("c1", "one", {}), ("c2", "two", {}))], parent="a"),
        tool("u", "two", "c2", {}, "2", parent="a"),
        tool("t", "one", "c1", {}, "1", parent="a"),
        tool("v", "three", None, {}, "3", parent="a"),
    )
    assert [call.name for call in found] == ["one", "two", "three"]


def test_output_tools_are_no_calls() -> None:
    """A tool by which the structured reply is given is the reply."""
    held = {"model_request_parameters": '{"output_tools": [{"name": "final_result"}]}'}
    asked = chat("m", [user("x")], [asks(("c1", "final_result", {"ok": True}))], held, parent="a", scope="pydantic-ai")
    root = job(agent("a"), asked)
    assert (root.tool_calls, root.reply, root.reply_source) == ([], {"ok": True}, "inferred:output_tool")


def test_a_call_knows_every_span_that_told_of_it() -> None:
    """Executions, spans within them, and the model call that asked."""
    (call,) = calls(ASKED, tool("t", "look", "c1", X, "ok", parent="a"), tool("u", "look", None, X, "ok", parent="t"))
    assert set(call.spans) == {"m", "t", "u"}


def test_times_are_those_of_the_execution() -> None:
    """First start to last end over all attempts; a call that never ran has none."""
    (call,) = calls(
        tool("t", "look", "c1", parent="a", start=10, end=20), tool("u", "look", "c1", parent="a", start=30, end=40)
    )
    assert (call.started, call.ended, call.attempts) == (10, 40, 2)
    assert [c.started for c in calls(ASKED)] == [None]


def test_a_call_without_a_name_is_kept() -> None:
    """A request that forgot its name is a call of an unknown tool."""
    bare = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "arguments": X}]}
    assert [c.name for c in calls(chat("m", [user("x")], [bare], parent="a"))] == ["unknown"]


def shown(span_id: str, **held: Any) -> Row:
    """A tool's span by an instrumentation that writes results wherever a tool ran."""
    kept = {"openinference.span.kind": "TOOL", "tool.name": "look", **held}
    return row(span_id, kept, scope="openinference.instrumentation.openai_agents", parent="a")


def test_an_execution_without_a_result_may_have_been_stopped() -> None:
    """Where results are written: with its arguments alone, or as the last thing of the job, it is not said to have run."""
    given = {"input.value": '{"x": 1}'}
    for span in (shown("t", **given), shown("t")):
        (call,) = calls(chat("m", [user("x")], parent="a"), span)
        assert (call.state, call.flags) == ("requested", ["may_have_run"])
    (call,) = calls(chat("m", [user("x")], parent="a"), shown("t", **given, **{"output.value": "ok"}))
    assert (call.state, call.flags) == ("succeeded", [])


def test_an_execution_without_content_ran_where_the_model_was_called_again() -> None:
    """The loop went on, which it does with a result; arguments alone stay doubtful all the same."""
    again = chat("n", parent="a")
    (call,) = calls(chat("m", parent="a"), shown("t"), again)
    assert (call.state, call.flags) == ("succeeded", [])
    (call,) = calls(chat("m", parent="a"), shown("t", **{"input.value": '{"x": 1}'}), again)
    assert (call.state, call.flags) == ("requested", ["may_have_run"])
