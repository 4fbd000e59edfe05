"""How many calls there were: clusters of sightings, never spans."""

from typing import Any

import pytest

from collector.tree import ToolCall
from tests.normalize.spans import Row, agent, asks, chat, job, says, told, tool, user

X = {"x": 1}


def calls(*rows: Row) -> list[ToolCall]:
    """The calls of one agent."""
    return job(agent("a"), *rows).tool_calls


def test_a_call_seen_three_times_is_one() -> None:
    """Asked for, executed, and answered in the next call's input: one call, with all that each of them tells."""
    (call,) = calls(
        chat("m", [user("x")], [asks(("c1", "look", X))], parent="a"),
        tool("t", "look", "c1", None, None, parent="a"),
        chat("n", [user("x"), asks(("c1", "look", X)), told("c1", "ok")], [says("y")], parent="a"),
    )
    assert (call.state, call.arguments, call.result, call.call_id) == ("succeeded", X, "ok", "c1")


@pytest.mark.parametrize("ids", [("c1", "c2"), (None, None), ("unknown", "unknown")])
def test_two_equal_parallel_calls_stay_two(ids: tuple[Any, Any]) -> None:
    """The same tool with the same arguments, asked for and executed twice, is two calls with or without ids."""
    found = calls(
        chat("m", [user("x")], [asks((ids[0], "look", X), (ids[1], "look", X))], parent="a"),
        tool("t", "look", ids[0], X, "one", parent="a"),
        tool("u", "look", ids[1], X, "two", parent="a"),
    )
    assert [call.result for call in found] == ["one", "two"]
    assert [call.attempts for call in found] == [1, 1]


def test_without_ids_arguments_decide_then_order() -> None:
    """Executions in another order than the requests find theirs by their arguments."""
    found = calls(
        chat("m", [user("x")], [asks((None, "look", {"x": 1}), (None, "look", {"x": 2}))], parent="a"),
        tool("t", "look", None, {"x": 2}, "two", parent="a"),
        tool("u", "look", None, {"x": 1.0}, "one", parent="a"),
    )
    assert [(call.requested_arguments, call.result) for call in found] == [({"x": 1}, "one"), ({"x": 2}, "two")]


def test_an_execution_before_the_request_is_another_call() -> None:
    """A request cannot have been executed before it was made."""
    found = calls(
        tool("t", "look", None, X, "early", parent="a"), chat("m", [user("x")], [asks((None, "look", X))], parent="a")
    )
    assert [call.state for call in found] == ["succeeded", "requested"]


def test_the_same_id_executed_twice_is_one_call_with_two_attempts() -> None:
    """A retry keeps its id: the last attempt's result counts."""
    (call,) = calls(
        chat("m", [user("x")], [asks(("c1", "look", X))], parent="a"),
        tool("t", "look", "c1", X, None, parent="a", error="timeout"),
        tool("u", "look", "c1", X, "ok", parent="a"),
    )
    assert (call.attempts, call.state, call.result, call.error) == (2, "succeeded", "ok", None)


def test_a_growing_history_adds_no_calls() -> None:
    """Every model call repeats the history before it; its calls were counted where they were asked for."""
    asked, answer = asks(("c1", "look", X)), told("c1", "ok")
    found = calls(
        chat("m", [user("x")], [asked], parent="a"),
        chat("n", [user("x"), asked, answer], [asks(("c2", "look", X))], parent="a"),
        chat("o", [user("x"), asked, answer, asks(("c2", "look", X)), told("c2", "ok")], [says("y")], parent="a"),
    )
    assert [call.call_id for call in found] == ["c1", "c2"]
    assert [call.state for call in found] == ["answered", "answered"]


def test_calls_of_earlier_turns_are_somebody_elses() -> None:
    """What the first model call's input tells of happened before this run."""
    before = [user("old"), asks(("c0", "erase", {})), told("c0", "gone"), says("ok")]
    assert calls(chat("m", [*before, user("x")], [says("y")], parent="a")) == []


def test_a_model_call_without_output_shows_its_calls_in_the_next_input() -> None:
    """A request whose own message was not captured is known from the history that follows."""
    (call,) = calls(
        chat("m", [user("x")], None, parent="a"),
        chat("n", [user("x"), asks(("c1", "look", X)), told("c1", "ok")], [says("y")], parent="a"),
    )
    assert (call.name, call.state, call.result) == ("look", "answered", "ok")


def test_an_execution_goes_to_the_job_whose_model_asked_for_it() -> None:
    """Parent chains break across threads; a call id does not."""
    root = job(
        agent("a", "one"),
        agent("b", "two", parent="a"),
        chat("m", [user("x")], [asks(("c1", "look", X))], parent="b"),
        tool("t", "look", "c1", X, "ok", parent="a"),
    )
    assert ([c.name for c in root.tool_calls], [c.state for c in root.jobs[0].tool_calls]) == ([], ["succeeded"])


def test_an_id_that_two_jobs_use_identifies_within_each() -> None:
    """Some models count their ids from zero in every job: each job keeps its own call."""
    rows: list[Row] = [agent("a", "one")]
    for child in ("b", "c"):
        rows += [
            agent(child, child, parent="a"),
            chat(f"m{child}", [user("x")], [asks(("call_0", "look", {"for": child}))], parent=child),
            tool(f"t{child}", "look", "call_0", {"for": child}, child, parent=child),
        ]
    assert [[c.result for c in child.tool_calls] for child in job(*rows).jobs] == [["b"], ["c"]]
