"""OpenLLMetry: decorated functions, and messages flattened into keys."""

import json
from typing import Any

from tests.normalize.spans import Row, event, job, row, run, seen


def span(span_id: str, kind: str, name: str, given: Any = None, made: Any = None, /, **fields: Any) -> Row:
    """A decorated function's span."""
    held = {"traceloop.span.kind": kind, "traceloop.entity.name": name}
    held |= {
        f"traceloop.entity.{end}": json.dumps(v) for end, v in (("input", given), ("output", made)) if v is not None
    }
    return row(span_id, held, name=f"{name}.{kind}", scope="traceloop.tracer", **fields)


def old(span_id: str, held: dict[str, Any], /, **fields: Any) -> Row:
    """A model call in the old form."""
    more = {"llm.request.type": "chat", "gen_ai.request.model": "gpt", **held}
    return row(span_id, more, name="openai.chat", scope="opentelemetry.instrumentation.openai", **fields)


ASKED = {
    "gen_ai.prompt.0.role": "user",
    "gen_ai.prompt.0.content": "Hi",
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.finish_reason": "tool_calls",
    "gen_ai.completion.0.tool_calls.0.id": "c1",
    "gen_ai.completion.0.tool_calls.0.name": "look",
    "gen_ai.completion.0.tool_calls.0.arguments": '{"id": "A"}',
}
ANSWERED = {
    "gen_ai.prompt.0.role": "user",
    "gen_ai.prompt.0.content": '[{"type": "text", "text": "Hi"}]',
    "gen_ai.prompt.1.role": "assistant",
    "gen_ai.prompt.1.tool_calls.0.id": "c1",
    "gen_ai.prompt.1.tool_calls.0.name": "look",
    "gen_ai.prompt.1.tool_calls.0.arguments": '{"id": "A"}',
    "gen_ai.prompt.10.role": "tool",
    "gen_ai.prompt.10.tool_call_id": "c1",
    "gen_ai.prompt.10.content": '{"total": 5}',
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": "Bye.",
    "gen_ai.completion.0.finish_reason": "stop",
}


def test_messages_flattened_into_keys() -> None:
    """Requests, results, words and finish reasons come together again, in the order of their numbers."""
    made = run(span("w", "workflow", "handle"), old("m", ASKED, parent="w"), old("n", ANSWERED, parent="w")).root
    assert (made.input, made.reply) == ("Hi", "Bye.")
    assert [call.finish_reason for call in made.model_calls] == ["tool_call", "stop"]
    assert [(c.call_id, c.arguments, c.result, c.state) for c in made.tool_calls] == [
        ("c1", {"id": "A"}, {"total": 5}, "answered")
    ]


def test_decorated_functions() -> None:
    """An agent's name, question and answer; a tool's arguments and result."""
    made = job(
        span("a", "agent", "support", {"args": ["Hi"], "kwargs": {}}, "Bye."),
        span("x", "tool", "look", {"args": [], "kwargs": {"id": "A"}}, {"total": 5}, parent="a"),
    )
    assert (made.agent, made.input, made.reply) == ("support", "Hi", "Bye.")
    assert [(c.name, c.arguments, c.result) for c in made.tool_calls] == [("look", {"id": "A"}, {"total": 5})]


def test_a_workflow_around_one_agent_lends_what_it_knows() -> None:
    """One job, named by the agent; the workflow's words are the run's where the agent has none."""
    made = job(
        span("w", "workflow", "handle", {"args": ["Hi"], "kwargs": {}}, "Bye."),
        span("a", "agent", "support", parent="w"),
    )
    assert (made.agent, made.input, made.reply, made.jobs) == ("support", "Hi", "Bye.", [])


def test_a_call_without_arguments_leaves_them_out() -> None:
    """A request with an id and a name, and no arguments, asks with none."""
    said = seen(
        old("m", {"gen_ai.completion.0.tool_calls.0.id": "c1", "gen_ai.completion.0.tool_calls.0.name": "look"})
    )
    assert said.messages_out is not None
    (call,) = said.messages_out[0].calls()
    assert call.value is not None
    assert call.value.value == {}


def test_documents_stand_in_events() -> None:
    """A vector store's results are events of its span."""
    found = event(
        "db.query.result",
        {"db.query.result.id": "d1", "db.query.result.score": 0.5, "db.query.result.document": "Mugs."},
    )
    said = seen(row("r", {"db.system": "chroma"}, events=[found]))
    assert said.role == "retrieval"
    assert said.documents is not None
    assert said.documents.value == [{"id": "d1", "score": 0.5, "content": "Mugs."}]


def test_a_huge_index_costs_nothing() -> None:
    """Numbers order the messages and mean nothing else."""
    said = seen(
        old(
            "m",
            {"gen_ai.prompt.99999999.content": "second", "gen_ai.prompt.3.content": "first", "gen_ai.prompt.x.role": 5},
        )
    )
    assert said.messages_in is not None
    assert [message.text() for message in said.messages_in] == ["first", "second"]
