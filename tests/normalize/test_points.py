"""The points at which other normalizers went wrong (27 of them), each as one test.

The second number in a name counts the points; the first is that of the list in which they stand.
"""

import json
from typing import Any

import pytest

from tests.normalize.spans import (
    agent,
    asks,
    chat,
    event,
    exception,
    job,
    link,
    log,
    row,
    run,
    runs,
    says,
    told,
    tool,
    user,
)  # fmt: skip

X = {"x": 1}
ASK, ANSWER = asks(("c1", "look", X)), told("c1", "ok")


def test_09_01_tool_definitions_are_no_calls() -> None:
    """A chat span that lists what may be called calls nothing."""
    offered = {"gen_ai.tool.definitions": json.dumps([{"type": "function", "name": "erase"}])}
    assert job(agent("a"), chat("m", [user("x")], [says("y")], offered, parent="a")).tool_calls == []


def test_09_02_four_layers_are_one_call_and_two_parallel_equal_calls_are_two() -> None:
    """Model, execution, MCP client and MCP server told of one call; equal calls side by side stay two."""
    mcp = {"mcp.method.name": "tools/call", "gen_ai.tool.name": "look"}
    layers = [
        chat("m", [user("x")], [ASK], parent="a"),
        tool("t", "look", "c1", X, "ok", parent="a"),
        row("c", mcp, parent="t", kind=3, name="tools/call look"),
        row("s", mcp, parent="c", kind=2, name="tools/call look", flags=0x300, resource={"service.name": "server"}),
    ]
    assert len(job(agent("a"), *layers).tool_calls) == 1
    twice = chat("m", [user("x")], [asks((None, "look", X), (None, "look", X))], parent="a")
    pair = [tool("t", "look", None, X, "1", parent="a"), tool("u", "look", None, X, "2", parent="a")]
    assert [c.result for c in job(agent("a"), twice, *pair).tool_calls] == ["1", "2"]


@pytest.mark.parametrize("placeholder", [None, "unknown", "<not specified>", ""])
def test_09_03_missing_ids_are_matched_by_name_arguments_and_order(placeholder: str | None) -> None:
    """A placeholder is no id: calls that carry it are not one call."""
    rows = [
        chat("m", [user("x")], [asks((placeholder, "look", {"x": 1}), (placeholder, "find", {}))], parent="a"),
        tool("u", "find", placeholder, {}, "found", parent="a"),
        tool("t", "look", placeholder, {"x": 1}, "ok", parent="a"),
    ]
    found = job(agent("a"), *rows).tool_calls
    assert [(c.name, c.result, c.call_id) for c in found] == [("look", "ok", None), ("find", "found", None)]


def test_09_04_merged_tools_is_no_tool() -> None:
    """ADK's span that stands for several parallel calls is not a further call."""
    merged = tool("t", "(merged tools)", "<not specified>", "N/A", "N/A", {"gen_ai.system": "gcp.vertex.agent"}, parent="a",
                  scope="gcp.vertex.agent")  # fmt: skip
    real = tool("u", "look", "c1", X, "ok", parent="a", scope="gcp.vertex.agent")
    assert [c.name for c in job(agent("a", scope="gcp.vertex.agent"), real, merged).tool_calls] == ["look"]


def test_09_05_a_final_result_is_the_reply() -> None:
    """The output tool's arguments are the structured reply, and its request and span are no calls."""
    rows = [
        chat("m", [user("x")], [asks(("c1", "final_result", {"ok": True}))], parent="a", scope="pydantic-ai"),
        tool("t", "final_result", "c1", {"ok": True}, "done", parent="a", scope="pydantic-ai"),
    ]
    root = job(agent("a", scope="pydantic-ai"), *rows)
    assert (root.reply, root.tool_calls) == ({"ok": True}, [])


def test_09_06_a_rollup_on_the_agent_is_not_added() -> None:
    """Tokens and cost are those of the model calls alone."""
    usage = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.cost": 0.5}
    root = job(agent("a", "x", usage), chat("m", None, None, usage, parent="a"))
    assert sum(c.input_tokens or 0 for c in root.model_calls) == 10
    assert [c.cost_usd for c in root.model_calls] == [0.5]


def test_09_07_content_in_span_events_alone_is_found() -> None:
    """Strands writes arguments and results as events of the tool's span."""
    scope = "strands.telemetry.tracer"
    told_by = [
        event("gen_ai.tool.message", {"role": "tool", "content": '{"x": 1}', "id": "c1"}, at=1),
        event("gen_ai.choice", {"message": '[{"text": "ok"}]', "id": "c1"}, at=2),
    ]
    said = [
        event("gen_ai.user.message", {"content": '[{"text": "hi"}]'}),
        event("gen_ai.choice", {"message": '[{"text": "Bye"}]', "finish_reason": "end_turn"}),
    ]
    root = job(agent("a", scope=scope), chat("m", parent="a", scope=scope, events=said),
               tool("t", "look", "c1", parent="a", scope=scope, events=told_by))  # fmt: skip
    (call,) = root.tool_calls
    assert (call.arguments, call.state, root.input) == (X, "succeeded", "hi")


def test_09_08_logs_that_came_before_their_spans_are_joined() -> None:
    """Both are rows of one trace: which came first does not show."""
    rows, records = [agent("a"), chat("m", parent="a")], [log("m", "gen_ai.choice", {"message": {"content": "Bye"}})]
    assert job(*rows, told_by=records).reply == "Bye"
    assert [r.root.input for r in runs(*rows, told_by=[log("other", "gen_ai.user.message", {"content": "hi"})])] == [
        None
    ]


def test_09_09_shuffled_and_repeated_rows_give_the_same_tree() -> None:
    """See the property tests: here with every span under one start."""
    rows = [
        agent("a", start=5, end=9),
        *(tool(f"t{i}", "look", None, {"x": i}, i, parent="a", start=5, end=6) for i in range(6)),
    ]
    assert run(*rows).digest == run(*reversed(rows)).digest


def test_09_10_a_missing_root_keeps_its_children_together_and_a_remote_one_is_normal() -> None:
    """Without the root's span there is one run, which says what it lacks."""
    rows = [chat("m", [user("x")], [ASK], parent="lost"), tool("t", "look", "c1", X, "ok", parent="lost")]
    root = job(*rows)
    assert (root.synthetic, [c.state for c in root.tool_calls]) == (True, ["succeeded"])
    assert root.capture["tools"].state != "present"
    remote = job(agent("a", parent="elsewhere", flags=0x300), chat("m", [user("x")], [says("y")], parent="a"))
    assert (remote.via, remote.capture["tools"].state) == ("root", "present")


def test_09_11_a_denied_call_is_not_a_call_that_failed() -> None:
    """Who was told "denied" instead of a result did not see it run."""
    denial = [
        event(
            "tracegrade.approval",
            {"gen_ai.tool.call.id": "c1", "gen_ai.tool.name": "look", "tracegrade.approval.decision": "reject"},
        )
    ]
    history = [user("x"), ASK, told("c1", "The tool call was denied.")]
    root = job(
        agent("a", events=denial),
        chat("m", [user("x")], [ASK], parent="a"),
        chat("n", history, [says("Sorry")], parent="a"),
    )
    assert [c.state for c in root.tool_calls] == ["denied"]
    assert [a.decision for a in root.approvals] == ["reject"]


def test_09_12_arguments_edited_on_approval_are_both_kept() -> None:
    """What was asked for and what ran."""
    rows = [chat("m", [user("x")], [ASK], parent="a"), tool("t", "look", "c1", {"x": 2}, "ok", parent="a")]
    (call,) = job(agent("a"), *rows).tool_calls
    assert (call.requested_arguments, call.arguments) == (X, {"x": 2})


def test_09_13_a_run_resumed_in_a_new_trace_goes_on() -> None:
    """The second trace executes the call that the first left waiting: one job in two parts."""
    waits = {"pydantic_ai.tool.deferral.name": "ApprovalRequired"}
    talk = {"gen_ai.conversation.id": "talk"}
    scope = "pydantic-ai"
    before = [
        agent("a", "s", talk, trace="one", scope=scope),
        chat("m", [user("x")], [ASK], parent="a", trace="one", scope=scope),
        tool("t", "look", "c1", X, None, waits, parent="a", trace="one", scope=scope),
    ]
    after = [
        agent("b", "s", talk, trace="two", scope=scope),
        tool("u", "look", "c1", X, "ok", parent="b", trace="two", scope=scope),
        chat("n", [user("x"), ASK, ANSWER], [says("Done")], parent="b", trace="two", scope=scope),
    ]
    root = job(*before, *after)
    assert (root.status, root.reply, [c.state for c in root.tool_calls]) == ("completed", "Done", ["succeeded"])
    assert [a.decision for a in root.approvals] == ["approve"]


def test_09_14_a_tool_whose_name_says_agent_is_a_tool() -> None:
    """LangChain's instrumentor calls every runnable with "agent" in its name an AGENT."""
    scope = "openinference.instrumentation.langchain"
    rows = [
        row("a", {"openinference.span.kind": "CHAIN", "input.value": "hi"}, scope=scope, name="AgentExecutor"),
        row("t", {"openinference.span.kind": "AGENT", "input.value": "x", "tool.name": "ask_agent", "output.value": "ok"},
            parent="a", scope=scope, name="ask_agent"),
        row("m", {"openinference.span.kind": "LLM", "output.value": "y"}, parent="a", scope=scope),
    ]  # fmt: skip
    assert [j.agent for r in runs(*rows) for j in r.root.walk() if j.agent == "ask_agent"] == []


def test_09_15_nested_agents_of_one_name_are_one_unless_a_call_lies_between() -> None:
    """A wrapper doubles the span; a tool call in between makes it a second job."""
    assert len(list(job(agent("a"), agent("b", parent="a"), chat("m", parent="b")).walk())) == 1
    between = [agent("a"), chat("m", parent="a"), tool("t", "again", "c1", parent="a"), agent("b", parent="t")]
    assert len(list(job(*between).walk())) == 2


def test_09_16_truncated_arguments_are_unknown() -> None:
    """Neither empty nor absent: there, and unreadable."""
    (call,) = job(agent("a"), tool("t", "look", "c1", '{"x": "a long te', "ok", parent="a")).tool_calls
    assert (call.arguments, call.arguments_capture) == (None, "malformed")


def test_09_17_two_instrumentors_at_once_count_once() -> None:
    """The same model call and the same tool call in two vocabularies."""
    other = "openinference.instrumentation.openai"
    rows = [
        chat("m", [user("x")], [ASK], {"gen_ai.usage.input_tokens": 10}, parent="a", scope="one"),
        row("n", {"openinference.span.kind": "LLM", "llm.token_count.prompt": 10}, parent="m", scope=other),
        tool("t", "look", "c1", X, "ok", parent="a", scope="one"),
        row("u", {"openinference.span.kind": "TOOL", "tool.name": "look", "input.value": '{"x": 1}', "output.value": "ok"},
            parent="t", scope=other),
    ]  # fmt: skip
    root = job(agent("a", scope="one"), *rows)
    assert (len(root.model_calls), len(root.tool_calls)) == (1, 1)
    assert [c.input_tokens for c in root.model_calls] == [10]


def test_09_18_pending_spans_are_no_nodes() -> None:
    """Logfire's zero-length copy of a running span is neither a job nor a call."""
    pending = {"logfire.span_type": "pending_span", "logfire.pending_parent_id": "0"}
    copy = agent("p", "support", pending, parent="a", scope="pydantic-ai")
    assert len(list(job(agent("a", scope="pydantic-ai"), copy, chat("m", parent="a")).walk())) == 1


def test_09_19_the_same_words_twice_are_two_turns() -> None:
    """Two runs with equal input are two runs."""
    one = [agent("a", trace="one"), chat("m", [user("again")], [says("y")], parent="a", trace="one")]
    two = [agent("a", trace="two"), chat("m", [user("again")], [says("y")], parent="a", trace="two")]
    assert [r.root.input for r in runs(*one, *two)] == ["again", "again"]


@pytest.mark.parametrize(
    "result", [{"isError": True, "content": [{"type": "text", "text": "no"}]}, '{"content": [], "isError": true}']
)
def test_09_20_an_mcp_error_fails_the_call_whatever_the_status(result: Any) -> None:
    """Servers answer `isError` with an ok status."""
    held = {"mcp.method.name": "tools/call", "gen_ai.tool.name": "look", "gen_ai.tool.call.result": result}
    assert [c.state for c in job(agent("a"), row("t", held, parent="a", ok=True)).tool_calls] == ["failed"]


def test_09_21_a_history_that_was_compacted_keeps_the_earlier_calls() -> None:
    """A summary takes the place of the first messages; the calls in them were made."""
    rows = [
        chat("m", [user("x")], [ASK], parent="a"),
        tool("t", "look", "c1", X, "ok", parent="a"),
        chat("n", [user("Summary: looked, ok.")], [asks(("c2", "send", {}))], parent="a"),
        tool("u", "send", "c2", {}, "sent", parent="a"),
    ]
    assert [c.name for c in job(agent("a"), *rows).tool_calls] == ["look", "send"]


def test_09_23_structured_text_and_text_in_text_are_equal() -> None:
    """Messages, arguments and results in all three encodings give one tree."""

    def tree(encode: Any) -> str:
        held = {"gen_ai.input.messages": encode([user("x")]), "gen_ai.output.messages": encode([ASK])}
        rows = [
            agent("a"),
            chat("m", None, None, held, parent="a"),
            tool("t", "look", "c1", encode(X), encode({"ok": 1}), parent="a"),
        ]
        return run(*rows).digest

    assert tree(lambda v: v) == tree(json.dumps) == tree(lambda v: json.dumps(json.dumps(v)))


@pytest.mark.parametrize("result", ["0", "", False, [], 0, {}])
def test_09_24_results_that_look_empty_are_kept(result: Any) -> None:
    """They are what the tool gave."""
    (call,) = job(agent("a"), tool("t", "look", "c1", X, result, parent="a")).tool_calls
    assert (call.result, call.result_capture) == (result, "present")


def test_09_25_a_linked_job_that_nobody_waited_for_is_a_child() -> None:
    """Fire and forget: the child lives in another trace, began by a link, and ends when its parent is long gone."""
    parent = [
        agent("a", "one", trace="one", start=1, end=50),
        tool("t", "spawn", "c1", trace="one", parent="a", start=2, end=9),
    ]
    late = agent("b", "two", trace="two", links=[link("t", "one")], start=40, end=900)
    (child,) = job(*parent, late).jobs
    assert child.delegation is not None
    assert (child.via, child.delegation.mode, child.delegation.tool) == ("link", "fire_and_forget", "spawn")


def test_09_27_a_model_call_that_was_tried_twice_is_told_as_two_of_which_one_failed() -> None:
    """The failed attempt carries no tokens and fails nothing else."""
    limited = chat("m", [user("x")], None, parent="a", error="429", events=[exception("RateLimitError", "slow down")])
    root = job(agent("a"), limited, chat("n", [user("x")], [says("y")], {"gen_ai.usage.input_tokens": 3}, parent="a"))
    assert [(c.error, c.input_tokens) for c in root.model_calls] == [("RateLimitError: slow down", None), (None, 3)]
    assert (root.status, root.reply) == ("completed", "y")
