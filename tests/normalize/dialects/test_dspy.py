"""DSPy through OpenInference."""

import json
from typing import Any

from tests.normalize.spans import Row, job, row

SCOPE = "openinference.instrumentation.dspy"


def span(span_id: str, kind: str, name: str, given: Any, made: Any, parent: str | None = None) -> Row:
    """A span of OpenInference's."""
    held = {"openinference.span.kind": kind, "input.value": json.dumps(given)}
    held["output.value"] = made if isinstance(made, str) else json.dumps(made)
    return row(span_id, held, name=name, parent=parent, scope=SCOPE)


QUESTION = {"input_args": {"question": "where is it?"}}
ANSWER = {"trajectory": {"thought_0": "look"}, "reasoning": "so", "answer": "here"}


def test_react_is_an_agent_without_a_name() -> None:
    """Its only input field is the question, its output the answer without the trajectory."""
    found = job(span("a", "CHAIN", "ReAct.forward", QUESTION, ANSWER))
    assert (found.agent, found.input, found.reply, found.synthetic) == (None, "where is it?", "here", False)


def test_a_tools_name_stands_in_the_spans_name() -> None:
    """`finish` ends the loop and is no call."""
    found = job(
        span("a", "CHAIN", "ReAct.forward", QUESTION, ANSWER),
        span("x", "TOOL", "look.__call__", {"kwargs": {"n": 1}}, {"total": 5}, "a"),
        span("y", "TOOL", "finish.__call__", {"kwargs": {}}, "Completed.", "a"),
    )
    assert [(c.name, c.arguments, c.result) for c in found.tool_calls] == [("look", {"n": 1}, {"total": 5})]


def test_an_agent_in_a_tool_is_a_job_below_the_call() -> None:
    """Two modules without a name stay two jobs."""
    found = job(
        span("a", "CHAIN", "ReAct.forward", QUESTION, ANSWER),
        span("x", "TOOL", "ask_finder.acall", {"kwargs": {"q": "find"}}, "found", "a"),
        span("b", "CHAIN", "ReAct.forward", {"input_args": {"question": "find"}}, {"answer": "found"}, "x"),
    )
    assert [call.name for call in found.tool_calls] == ["ask_finder"]
    assert [(child.input, child.via) for child in found.jobs] == [("find", "tool")]


def test_a_prediction_may_be_written_as_python() -> None:
    """Several output fields are an object."""
    found = job(
        span("a", "CHAIN", "ReAct.forward", QUESTION, "Prediction(trajectory={'a': 1}, answer='here', sure=True)")
    )
    assert found.reply == {"answer": "here", "sure": True}
