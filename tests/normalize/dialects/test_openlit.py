"""OpenLIT: the semantic conventions, with Python's own writing where JSON belongs."""

import json
from typing import Any

from tests.normalize.spans import agent, asks, chat, event, job, row, says, seen, tool, user

LANGCHAIN, LANGGRAPH = {"scope": "openlit.instrumentation.langchain"}, {"scope": "openlit.instrumentation.langgraph"}
RUN_ID = "01a229c5-1489-74da-b18c-a438307a2fb1"


def test_arguments_and_results_are_python() -> None:
    """Arguments are a `repr`, the result is the `str` of a message."""
    text = "content='{\"total\": 5}' name='look' tool_call_id='c1'"
    said = seen(tool("x", "look", "c1", "{'id': 'A'}", text, **LANGCHAIN))
    assert said.arguments is not None
    assert said.arguments.value == {"id": "A"}
    assert said.result is not None
    assert said.result.value == {"total": 5}


def test_a_message_may_say_that_it_failed() -> None:
    """The message's status fails the call."""
    assert seen(
        tool("x", "look", "c1", "{}", "content='no' name='look' tool_call_id='c1' status='error'", **LANGCHAIN)
    ).tool_failed


def test_a_runs_id_is_no_calls_id() -> None:
    """A failed tool carries the id of its own run: it is the call that the model asked for, not a second one."""
    made = job(
        agent("a", **LANGCHAIN),
        chat(
            "m",
            [user("Hi")],
            [asks(("c1", "look", {"id": "A"}))],
            {"gen_ai.tool.name": "look"},
            parent="a",
            **LANGCHAIN,
        ),
        tool("x", "look", RUN_ID, "{'id': 'A'}", parent="a", error="no", **LANGCHAIN),
    )
    assert [(c.call_id, c.state) for c in made.tool_calls] == [("c1", "failed")]


def test_a_chat_span_with_a_tools_name_is_a_model_call() -> None:
    """It carries the call that it asks for."""
    held = {"gen_ai.tool.name": "look", "gen_ai.tool.call.id": "c1", "gen_ai.tool.args": "{}"}
    assert (
        seen(chat("m", None, [asks(("c1", "look", {}))], held, scope="openlit.instrumentation.openai")).role == "model"
    )


def test_nodes_of_a_graph_are_no_agents() -> None:
    """A node is an agent named by its id; tasks and turns are agents without a name: both are steps."""
    made = job(
        row("w", {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": "support"}, **LANGGRAPH),
        agent("a", "support", {"gen_ai.agent.id": RUN_ID}, parent="w", **LANGCHAIN),
        chat("m", [user("Hi")], [says("Bye.")], parent="a", **LANGCHAIN),
        agent("n", "model", {"gen_ai.agent.id": "model"}, parent="w", **LANGGRAPH),
    )
    assert (made.agent, made.jobs, made.reply) == ("support", [], "Bye.")
    assert (
        seen(row("t", {"gen_ai.operation.name": "invoke_agent"}, scope="openlit.instrumentation.openai_agents")).role
        == "step"
    )


def test_a_graphs_state_holds_the_words() -> None:
    """The state that it began with, and the last message of the one that it ended with."""
    more: dict[str, Any] = {
        "gen_ai.workflow.input": json.dumps({"messages": [{"role": "user", "content": "Hi"}]}),
        "gen_ai.workflow.output": json.dumps(
            {"messages": ["content='Hi' id='1'", "content='Bye.' response_metadata={'a': None}"]}
        ),
    }
    made = job(agent("a", "support", more, **LANGCHAIN))
    assert (made.input, made.reply) == ("Hi", "Bye.")


def test_messages_of_the_first_convention() -> None:
    """Older versions write prompt and completion as events, in JSON or as plain text."""
    for prompt, completion in (
        ('[{"role": "user", "content": "Hi"}]', '{"role": "assistant", "content": "Bye."}'),
        ("Hi", "Bye."),
    ):
        events = [
            event("gen_ai.content.prompt", {"gen_ai.prompt": prompt}),
            event("gen_ai.content.completion", {"gen_ai.completion": completion}),
        ]
        made = job(chat("m", scope="openlit.instrumentation.openai", events=events))
        assert (made.input, made.reply) == ("Hi", "Bye.")
