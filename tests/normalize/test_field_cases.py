"""Faults that people reported of systems that do this job: the ones about reading traces, each with the right answer.

The numbers in the names are places in our list of such reports; docstrings name the report where it is public.
"""

import json
from typing import Any

import pytest

from tests.normalize.spans import Row, agent, asks, chat, event, job, link, row, run, runs, says, told, tool, user

X = {"x": 1}


def test_case_01_six_calls_are_six_whatever_was_offered() -> None:
    """promptfoo#9523: three turns with definitions of every tool on every model call, and six real calls."""
    offered = {"gen_ai.tool.definitions": json.dumps([{"name": f"t{i}", "parameters": {}} for i in range(9)])}
    rows: list[Row] = [agent("a")]
    for turn in range(3):
        ids = [f"c{turn}{k}" for k in range(2)]
        rows.append(chat(f"m{turn}", [user("x")], [asks(*((i, "t1", X) for i in ids))], offered, parent="a"))
        rows += [tool(f"x{i}", "t1", i, X, "ok", parent="a") for i in ids]
    assert len(job(*rows).tool_calls) == 6


def test_case_15_arguments_and_result_come_from_the_messages_by_call_id() -> None:
    """kagent#2734: the tool's span has name and id alone."""
    asked = asks(("c1", "look", X))
    rows = [
        chat("m", [user("x")], [asked], parent="a"),
        tool("t", "look", "c1", parent="a"),
        chat("n", [user("x"), asked, told("c1", {"ok": 1})], [says("y")], parent="a"),
    ]
    (call,) = job(agent("a"), *rows).tool_calls
    assert (call.arguments, call.result, call.state) == (X, {"ok": 1}, "succeeded")


def test_case_16_arguments_in_a_span_event_are_found_and_stay_found() -> None:
    """agent-health#320: Strands' events; the answer is the same at every reading."""
    given = {"quantity": 1, "product_id": "PROD-001"}
    events = [
        event("gen_ai.tool.message", {"role": "tool", "content": json.dumps(given), "id": "c1"}, at=1),
        event("gen_ai.choice", {"message": '[{"text": "added"}]', "id": "c1"}, at=2),
    ]
    rows = [agent("a", scope="strands.telemetry.tracer"),
            tool("t", "add_to_cart", "c1", parent="a", scope="strands.telemetry.tracer", events=events)]  # fmt: skip
    assert [call.arguments for call in job(*rows).tool_calls] == [given]
    assert run(*rows).digest == run(*rows).digest


def test_case_17_no_span_of_another_trace_is_taken_in() -> None:
    """agent-health PR#413: another session's spans at the same time belong to the other session."""
    mine = [agent("a", trace="mine", start=10, end=90)]
    theirs = [chat("m", [user("secret")], [says("y")], trace="theirs", start=20, end=30)]
    root = next(r.root for r in runs(*mine, *theirs) if r.root.trace_id == "mine")
    assert (root.model_calls, root.input, root.reply) == ([], None, None)


def test_case_17_an_execution_in_an_unrelated_trace_stays_there() -> None:
    """The same family: a model that counts its call ids from zero has asked for `call_0` in many traces."""
    mine = [
        agent("a", "one", trace="mine"),
        chat("m", [user("x")], [asks(("call_0", "look", {}))], trace="mine", parent="a"),
    ]
    other = {"service.name": "other"}
    theirs = [
        agent("b", "two", trace="theirs", resource=other),
        tool("t", "look", "call_0", X, "ok", trace="theirs", parent="b", resource=other),
    ]
    found = {r.root.trace_id: [c.state for c in r.root.tool_calls] for r in runs(*mine, *theirs)}
    assert found == {"mine": ["requested"], "theirs": ["succeeded"]}


def test_case_20_a_name_as_call_id_is_two_calls_of_two() -> None:
    """agentic-test-runner#19: Gemini's ids are names; two parallel calls of one name are two."""
    asked = asks(("look", "look", {"x": 1}), ("look", "look", {"x": 2}))
    rows = [
        chat("m", [user("x")], [asked], parent="a"),
        tool("t", "look", "look", {"x": 1}, "1", parent="a"),
        tool("u", "look", "look", {"x": 2}, "2", parent="a"),
    ]
    assert len(job(agent("a"), *rows).tool_calls) == 2


def test_case_21_one_nameless_result_for_two_calls_is_given_to_neither() -> None:
    """llmgateway#2789: a result without an id after calls of two tools is ambiguous, and not guessed."""
    asked = asks((None, "search", X), (None, "write_file", X))
    rows = [
        chat("m", [user("x")], [asked], parent="a"),
        chat("n", [user("x"), asked, told(None, "ok")], [says("y")], parent="a"),
    ]
    assert [call.result_capture for call in job(agent("a"), *rows).tool_calls] == ["absent", "absent"]


def test_case_22_a_result_belongs_to_the_call_of_its_own_turn() -> None:
    """Langfuse PR#17611: ids repeat across the traces of a session whose history is replayed."""
    first = [
        agent("a", trace="one"),
        chat("m", [user("x")], [asks(("c0", "look", {"x": 1}))], trace="one", parent="a"),
        tool("t", "look", "c0", {"x": 1}, "first", trace="one", parent="a"),
    ]
    history = [user("x"), asks(("c0", "look", {"x": 1})), told("c0", "first"), says("ok"), user("y")]
    second = [
        agent("b", trace="two"),
        chat("n", history, [asks(("c0", "look", {"x": 2}))], trace="two", parent="b"),
        tool("u", "look", "c0", {"x": 2}, "second", trace="two", parent="b"),
    ]
    assert [[c.result for c in r.root.tool_calls] for r in runs(*first, *second)] == [["first"], ["second"]]


def test_case_23_a_qualified_span_around_a_bare_one_is_one_call() -> None:
    """dd-trace-js#9416: `mcp__myserver__my_tool` with the client's `my_tool` inside."""
    outer = tool("t", "mcp__myserver__my_tool", "c1", X, parent="a")
    (call,) = job(agent("a"), outer, tool("u", "my_tool", None, X, "ok", parent="t")).tool_calls
    assert (call.name, call.result) == ("mcp__myserver__my_tool", "ok")


def test_case_25_copies_of_a_call_are_one_call() -> None:
    """mergeCraft#293: 434 rows for 28 call ids are 28 calls."""
    rows = [tool(f"t{i}", "look", f"c{i % 28}", X, "ok", parent="a") for i in range(434)]
    assert len(job(agent("a"), *rows).tool_calls) == 28


def test_case_28_a_tools_output_is_not_the_runs_reply() -> None:
    """nemo-platform PR#1717: a root without output has no reply."""
    rows = [
        row("a", {"openinference.span.kind": "AGENT", "agent.name": "a", "input.value": "hi"}),
        row("t", {"openinference.span.kind": "TOOL", "tool.name": "look", "output.value": "the result"}, parent="a"),
    ]
    assert (job(*rows).reply, job(*rows).input) == (None, "hi")


def test_case_30_results_of_sibling_agents_are_in_the_tree() -> None:
    """posthog-js#3614: whoever judges the run sees every result that was captured."""
    rows = [
        agent("a"),
        tool("t", "ask", "c1", X, parent="a"),
        agent("b", "child", parent="t"),
        tool("u", "look", "c2", X, "ok", parent="b"),
    ]
    results = [call.result for part in run(*rows).root.walk() for call in part.tool_calls]
    assert "ok" in results


def test_case_32_each_agent_has_its_own_calls() -> None:
    """strands#332, phoenix#14726: one agent's calls are told apart from those of its sub-agent."""
    rows = [
        agent("a"),
        tool("t", "ask", "c1", X, "ok", parent="a"),
        agent("b", "child", parent="t"),
        tool("u", "look", "c2", X, "ok", parent="b"),
    ]
    root = run(*rows).root
    assert ([c.name for c in root.tool_calls], [c.name for c in root.jobs[0].tool_calls]) == (["ask"], ["look"])


def test_case_34_two_delegations_over_one_context_are_two() -> None:
    """kagent#2538: one A2A context id on every call is one conversation, not one delegation."""
    talk = {"gen_ai.conversation.id": "context"}
    rows: list[Row] = [agent("a", trace="one")]
    for i in ("1", "2"):
        rows.append(tool(f"t{i}", "ask", f"c{i}", {"n": i}, "ok", trace="one", parent="a"))
        rows.append(agent(f"b{i}", "remote", talk, trace=f"child{i}", links=[link(f"t{i}", "one")]))
    root = job(*rows)
    assert [child.delegation and child.delegation.call_id for child in root.jobs] == ["c1", "c2"]


def test_case_35_a_linked_child_that_arrives_hours_later_is_in_the_same_place() -> None:
    """qwen-code#4410: the fork links to what started it, and three of them at once stay three."""
    hour = 3_600 * 10**9
    parent, late = [agent("a", trace="T0")], []
    for i in range(3):
        parent.append(tool(f"t{i}", "fork", f"c{i}", {"n": i}, "started", trace="T0", parent="a"))
        late.append(agent(f"b{i}", f"fork{i}", trace=f"T{i + 1}", links=[link(f"t{i}", "T0")], start=hour + i))
    assert run(*parent).id == run(*parent, *late).id
    assert [child.agent for child in job(*late, *parent).jobs] == ["fork0", "fork1", "fork2"]


def test_case_39_an_approval_gated_call_that_ran_is_one_executed_call() -> None:
    """vercel/eve#201: asked for, approved and executed is one call that succeeded."""
    held = {"gen_ai.tool.call.id": "c1", "gen_ai.tool.name": "look", "tracegrade.approval.decision": "approve"}
    rows = [chat("m", [user("x")], [asks(("c1", "look", X))], parent="a"), tool("t", "look", "c1", X, "ok", parent="a")]
    root = job(agent("a", events=[event("tracegrade.approval", held)]), *rows)
    assert [(c.state, c.attempts) for c in root.tool_calls] == [("succeeded", 1)]
    assert [a.decision for a in root.approvals] == ["approve"]


def test_case_42_a_skill_that_was_loaded_by_a_tool_was_read() -> None:
    """Kibana PR#276314: the span says so, no file's path is needed."""
    rows = [tool("t", "load_skill", "c1", {"name": "refunds"}, "…", {"gen_ai.skill.name": "refunds"}, parent="a")]
    assert [(s.name, s.declared) for s in job(agent("a"), *rows).skills] == [("refunds", True)]


def test_case_49_a_redacted_argument_is_unknown() -> None:
    """Langwatch PR#8089: hidden is neither absent nor a value."""
    (call,) = job(agent("a"), tool("t", "look", "c1", "[REDACTED]", "ok", parent="a")).tool_calls
    assert (call.arguments, call.arguments_capture) == (None, "malformed")


def test_case_50_tools_that_nobody_records_are_not_known_to_be_uncalled() -> None:
    """Crewai over openllmetry#3824: without tool spans and without messages the list of calls is unknown."""
    root = job(agent("a"), chat("m", parent="a"), row("s", {"gen_ai.system": "openai"}, parent="a", name="crew.task"))
    assert (root.tool_calls, root.capture["tools"].state) == ([], "absent")
    assert len(root.model_calls) == 1


def test_case_51_tokens_that_were_not_sent_are_null() -> None:
    """clawmetry#5963: no figure is not 0."""
    assert [c.output_tokens for c in job(agent("a"), chat("m", parent="a")).model_calls] == [None]


@pytest.mark.parametrize("order", [1, -1])
def test_case_54_two_rows_of_one_span_do_not_stop_the_analysis(order: int) -> None:
    """Tangle traces#44: whatever a producer did to its ids, there is a tree, the same in any order."""
    rows: list[Any] = [
        agent("a", start=1, end=9),
        chat("m", parent="a", start=2, end=3),
        chat("m", parent="a", start=4, end=5),
    ]
    assert [r.root.agent for r in runs(*rows[::order])] == ["support"]
