"""More of the faults that people reported (see test_field_cases.py)."""

import json

import pytest

from tests.normalize.spans import agent, asks, chat, job, link, row, says, told, tool, user

X = {"x": 1}


def test_case_13_a_dispatcher_is_the_tool_that_it_calls() -> None:
    """mlflow#20043: the span is named after the dispatcher, its inputs name the tool and its arguments."""
    given = {"call": {"tool_name": "list_client", "args": {"active": True}}}
    held = {"mlflow.spanType": '"TOOL"', "mlflow.spanInputs": json.dumps(given), "mlflow.spanOutputs": '["Ann"]'}
    whole = row("a", {"mlflow.spanType": '"AGENT"', "mlflow.spanInputs": '{"q": "hi"}'}, name="support")
    (call,) = job(whole, row("t", held, parent="a", name="ToolManager.handle_call")).tool_calls
    assert (call.name, call.arguments, call.result) == ("list_client", {"active": True}, ["Ann"])
    assert call.qualified == "ToolManager.handle_call"


def test_case_20_of_two_calls_with_one_name_for_an_id_a_single_result_is_given_to_neither() -> None:
    """zerostack#266: which of the two it answers is not guessed."""
    asked = asks(("look", "look", {"x": 1}), ("look", "look", {"x": 2}))
    rows = [
        chat("m", [user("x")], [asked], parent="a"),
        chat("n", [user("x"), asked, told("look", "ok")], [says("y")], parent="a"),
    ]
    calls = job(agent("a"), *rows).tool_calls
    assert [call.result_capture for call in calls] == ["absent", "absent"]


def test_case_21_as_many_nameless_results_as_calls_are_given_in_order() -> None:
    """deer-flow#4246: [bash, bash] and two results without ids."""
    asked = asks((None, "bash", {"x": 1}), (None, "bash", {"x": 2}))
    history = [user("x"), asked, told(None, "first"), told(None, "second")]
    rows = [chat("m", [user("x")], [asked], parent="a"), chat("n", history, [says("y")], parent="a")]
    assert [call.result for call in job(agent("a"), *rows).tool_calls] == ["first", "second"]


def test_case_26_one_call_told_by_two_spans_is_one_and_suspected() -> None:
    """litellm#10588: different span ids, the same call id, both went well: one call, and a flag that says so."""
    rows = [tool(f"t{i}", "look", "c1", X, "ok", parent="a") for i in range(2)]
    (call,) = job(agent("a"), *rows).tool_calls
    assert call.flags == ["suspected_duplicate"]


def test_case_26_a_retry_is_no_suspected_duplicate() -> None:
    """The same family: the first attempt failed, so the second is one."""
    failed = tool("t", "look", "c1", X, None, parent="a", error="down")
    (call,) = job(agent("a"), failed, tool("u", "look", "c1", X, "ok", parent="a")).tool_calls
    assert (call.state, call.attempts, call.flags) == ("succeeded", 2, [])


def test_case_29_words_are_taken_from_the_graph_where_the_root_has_none() -> None:
    """mlflow#23590: the request's span has no input or output, the graph below it has both."""
    scope = "opentelemetry.instrumentation.langchain"
    given = {"inputs": {"messages": [["user", "hi"]]}, "tags": [], "metadata": {}, "kwargs": {"name": "LangGraph"}}
    message = {"lc": 1, "type": "constructor", "id": ["x", "AIMessage"], "kwargs": {"content": "Bye.", "type": "ai"}}
    made = {"outputs": {"messages": [message]}, "kwargs": {"tags": []}}
    graph = {
        "traceloop.span.kind": "workflow",
        "traceloop.workflow.name": "LangGraph",
        "traceloop.entity.name": "LangGraph",
        "traceloop.entity.input": json.dumps(given),
        "traceloop.entity.output": json.dumps(made),
    }
    root = job(
        row("r", {"http.route": "/chat"}, name="POST /chat", kind=2, scope="opentelemetry.instrumentation.fastapi"),
        row("g", graph, parent="r", scope=scope, name="LangGraph.workflow"),
        chat("m", None, None, parent="g", scope=scope),
    )
    assert (root.input, root.reply) == ("hi", "Bye.")


def test_case_31_vercels_arguments_are_found_under_either_name() -> None:
    """posthog-js#3011, vercel/ai#10037: `input` instead of `args`, on a span beside the model call, not below it."""
    outer = {"ai.operationId": "ai.generateText", "ai.telemetry.functionId": "support", "ai.prompt": '{"prompt": "hi"}'}
    asked = json.dumps([{"toolCallId": "c1", "toolName": "look", "input": X}])
    inner = {"ai.operationId": "ai.generateText.doGenerate", "ai.response.toolCalls": asked}
    for told_as in ("ai.toolCall.input", "ai.toolCall.args"):
        held = {
            "ai.operationId": "ai.toolCall",
            "ai.toolCall.name": "look",
            "ai.toolCall.id": "c1",
            told_as: '{"x": 1}',
        }
        rows = [
            row("a", outer, scope="ai"),
            row("m", inner, parent="a", scope="ai"),
            row("t", held, parent="a", scope="ai"),
        ]
        (call,) = job(*rows).tool_calls
        assert (call.arguments, call.requested_arguments, call.arguments_capture) == (X, X, "present")


@pytest.mark.parametrize("end", [0, 500_000])
def test_case_36_a_task_in_the_background_is_a_child_that_has_ended_only_when_that_is_seen(end: int) -> None:
    """hermes-agent#40946: the call gives a handle at once; the child goes on, and is not done because its parent is."""
    parent = [
        agent("a", trace="one", start=1, end=90),
        tool("t", "delegate_task", "c1", {"background": True}, {"handle": 7}, trace="one", parent="a", start=2, end=9),
    ]
    late = agent("b", "helper", trace="two", links=[link("t", "one")], start=40, end=end)
    root = job(*parent, late)
    (child,) = root.jobs
    assert child.delegation is not None
    assert (child.delegation.mode, child.delegation.call_id) == ("fire_and_forget", "c1")
    assert (root.status, child.status) == ("completed", "completed" if end else "running")


def test_case_38_what_a_tool_calls_itself_is_told_from_what_the_model_asked_for() -> None:
    """NeMo-Agent-Toolkit#1225: both ran; only one was chosen by the agent."""
    rows = [
        chat("m", [user("x")], [asks(("c1", "report", X))], parent="a"),
        tool("t", "report", "c1", X, "ok", parent="a"),
        tool("u", "query", None, {"q": 1}, "rows", parent="t"),
    ]
    calls = job(agent("a"), *rows).tool_calls
    assert [(call.name, call.requested_capture) for call in calls] == [("report", "present"), ("query", "absent")]


@pytest.mark.parametrize(
    ("word", "decision", "state"), [("approved", "approve", "succeeded"), ("denied", "reject", "denied")]
)
def test_case_41_a_decision_in_the_metadata_is_read(word: str, decision: str, state: str) -> None:
    """braintrust-claude-plugin#38: `metadata.tool_approval` on the tool's span."""
    for more in ({"metadata.tool_approval": word}, {"braintrust.metadata": json.dumps({"tool_approval": word})}):
        root = job(agent("a"), tool("t", "look", "c1", X, "ok", more, parent="a"))
        assert [(a.call_id, a.tool, a.decision) for a in root.approvals] == [("c1", "look", decision)]
        assert [call.state for call in root.tool_calls] == [state]


def test_case_48_the_second_part_of_a_run_alone_does_not_pass_for_the_whole() -> None:
    """Inspect PR#5120: what was called before the pause is unknown as long as the first trace is not there."""
    asked = asks(("call_7f3a9b", "look", X))
    first = [agent("a", trace="one"), chat("m", [user("x")], [asked], trace="one", parent="a")]
    second = [
        agent("b", trace="two"),
        chat("n", [user("x"), asked, told("call_7f3a9b", "ok")], [says("Done.")], trace="two", parent="b"),
    ]
    alone = job(*second).capture["tools"]
    assert (alone.state, alone.reasons) == ("partial", ["beginning_missing"])
    assert job(*first, *second).capture["tools"].state == "present"


def test_case_53_calls_of_one_name_are_all_kept_in_order() -> None:
    """langfuse#9518: first, last, all or any are chosen by who asks; none is dropped, and the reply is the last one's."""
    rows = [
        chat(f"m{i}", [user("x")], [says(f"draft {i}")], {"gen_ai.usage.input_tokens": i}, parent="a") for i in range(3)
    ]
    root = job(agent("a"), *rows)
    assert [call.input_tokens for call in root.model_calls] == [0, 1, 2]
    assert root.reply == "draft 2"
