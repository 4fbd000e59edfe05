"""LangChain and LangGraph through OpenLLMetry."""

import json
from typing import Any

from collector.normalize.dialect import Sighting
from tests.normalize.spans import row, seen

OWN = "traceloop.association.properties."


def one(operation: str, more: dict[str, Any] | None = None, /, **fields: Any) -> Sighting:
    """What is said about one span."""
    held = {"gen_ai.operation.name": operation, **(more or {})}
    return seen(row("s", held, scope="opentelemetry.instrumentation.langchain", **fields))


def test_a_root_graph_is_an_agent_where_langchain_says_so() -> None:
    """Else it is a container of agents, whatever operation it writes."""
    graph = {"gen_ai.workflow.nodes": "[]", "gen_ai.agent.name": "team"}
    assert one("invoke_agent", graph).role == "workflow"
    assert one("invoke_agent", {**graph, OWN + "lc_agent_name": "team"}).role == "job"


def test_a_jump_is_a_handoff() -> None:
    """To the node that it names."""
    said = one("goto", {"langgraph.command.goto_node": "refunds"})
    assert said.handed_to is not None
    assert (said.role, said.handed_to.value) == ("handoff", "refunds")


def test_arguments_and_result_are_unwrapped() -> None:
    """From the callback's own fields; the call id stands among them."""
    given = {"input_str": "{'id': 7}", "inputs": {"id": 7}, "kwargs": {"tool_call_id": "c1"}}
    made = {"output": {"lc": 1, "id": ["x", "ToolMessage"], "kwargs": {"content": '{"ok": 1}', "tool_call_id": "c1"}}}
    held = {"gen_ai.tool.call.arguments": json.dumps(given), "gen_ai.tool.call.result": json.dumps(made)}
    said = one("execute_tool", {"gen_ai.tool.name": "look", **held})
    facts = (said.arguments, said.result, said.call_id)
    assert [fact.value for fact in facts if fact is not None] == [{"id": 7}, {"ok": 1}, "c1"]


def test_levels_are_read_from_the_checkpoint() -> None:
    """One for each graph that the span stands in."""
    said = one("execute_task", {OWN + "langgraph_checkpoint_ns": "a:1|b:2", "traceloop.entity.name": "b"})
    assert (said.level, said.graph) == (2, "b")


def test_a_constructed_agent_is_noise() -> None:
    """It was made, not run."""
    assert one("create_agent", {"gen_ai.agent.name": "support"}).role == "noise"
