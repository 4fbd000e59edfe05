"""LangSmith's exporter: a run's inputs and outputs in `gen_ai.prompt` and `gen_ai.completion`."""

import json
from typing import Any

from tests.normalize.spans import Row, job, row, run, seen


def span(span_id: str, kind: str, name: str, given: Any = None, made: Any = None, /, **fields: Any) -> Row:
    """A run with inputs and outputs and, by name, metadata."""
    held = {f"langsmith.metadata.{key}": value for key, value in fields.pop("meta", {}).items()}
    held |= {
        "langsmith.span.kind": kind,
        "gen_ai.operation.name": {"llm": "chat", "tool": "execute_tool"}.get(kind, kind),
    }
    held |= {f"gen_ai.{key}": json.dumps(v) for key, v in (("prompt", given), ("completion", made)) if v is not None}
    return row(span_id, held, name=name, scope="langsmith", **fields)


def lc(kind: str, content: str, **more: Any) -> dict[str, Any]:
    """A message as LangChain serialises it."""
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", kind],
        "kwargs": {"content": content, **more},
    }


def generation(message: dict[str, Any]) -> dict[str, Any]:
    """A model's output as LangChain writes it."""
    return {"generations": [[{"text": "", "message": message}]]}


CALL = {"name": "look", "args": {"id": "A", "n": 1}, "id": "c1", "type": "tool_call"}
STATE = {"messages": [{"role": "user", "content": "Hi"}]}


def test_a_graph_is_the_job() -> None:
    """The span above deeper levels is a graph, named where LangChain says that it is an agent."""
    made = job(
        span("g", "chain", "support", STATE, {"messages": [lc("AIMessage", "Bye.")]},
             meta={"lc_agent_name": "support", "thread_id": "t1"}),
        span("n", "chain", "model", STATE, meta={"langgraph_checkpoint_ns": "model:1"}, parent="g"),
        span("m", "llm", "ChatOpenAI", {"messages": [[lc("HumanMessage", "Hi")]]},
             generation(lc("AIMessage", "", tool_calls=[CALL])), parent="n", meta={"langgraph_checkpoint_ns": "model:1"}),
        span("t", "chain", "tools", meta={"langgraph_checkpoint_ns": "tools:1"}, parent="g"),
        span("x", "tool", "look", {"input": "{'id': 'A', 'n': 1}"},
             {"output": lc("ToolMessage", '{"ok": true}', tool_call_id="c1", status="success")}, parent="t",
             meta={"langgraph_checkpoint_ns": "tools:1"}),
    )  # fmt: skip
    assert (made.agent, made.input, made.reply, made.conversation_id) == ("support", "Hi", "Bye.", "t1")
    (call,) = made.tool_calls
    assert (call.call_id, call.arguments, call.result, call.state) == ("c1", CALL["args"], {"ok": True}, "succeeded")


def test_decorated_functions() -> None:
    """A run without a graph: inputs are the arguments, outputs the return value."""
    made = run(
        span("a", "chain", "handle", {"q": "Hi"}, {"output": "Bye."}),
        span("m", "llm", "ChatOpenAI", {"messages": [{"role": "user", "content": "Hi"}]},
             {"choices": [{"message": {"role": "assistant", "content": "Bye."}}]}, parent="a"),
        span("x", "tool", "look", {"id": "A"}, {"total": 5}, parent="a"),
    ).root  # fmt: skip
    assert (made.agent, made.input, made.reply, made.synthetic) == (None, "Hi", "Bye.", True)
    assert [(c.name, c.arguments, c.result) for c in made.tool_calls] == [("look", {"id": "A"}, {"total": 5})]


def test_a_bare_text_has_lost_its_name() -> None:
    """A tool with a single text argument records the text alone."""
    said = seen(span("x", "tool", "look", {"input": "A-1"}))
    assert said.arguments is not None
    assert said.arguments.reason == "argument_names_lost"


def test_a_retriever_is_no_embedding() -> None:
    """The exporter calls retrievers `embeddings`; the run's own type counts."""
    said = seen(span("r", "retriever", "search", {"query": "mug"}, {"documents": [{"id": "d1"}]}))
    assert (said.role, said.query and said.query.value) == ("retrieval", "mug")
    assert said.documents is not None
    assert said.documents.value == [{"id": "d1"}]
