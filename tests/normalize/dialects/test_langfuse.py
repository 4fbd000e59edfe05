"""Langfuse SDK: `langfuse.observation.*`."""

import json
from typing import Any

from tests.normalize.spans import Row, job, row, runs, seen


def span(span_id: str, kind: str, name: str, given: Any = None, made: Any = None, /, **fields: Any) -> Row:
    """An observation with input, output and, by name, more of its fields."""
    more = fields.pop("more", {})
    held = {"type": kind, "input": given, "output": made, **more}
    told = {
        f"langfuse.observation.{k}": v if isinstance(v, str) else json.dumps(v)
        for k, v in held.items()
        if v is not None
    }
    return row(span_id, told, name=name, scope="langfuse-sdk", **fields)


def test_a_decorated_agent() -> None:
    """Its name is the span's, its input the only argument, its output the reply, text or object."""
    for given in ({"args": ["Hi"], "kwargs": {}}, {"args": [], "kwargs": {"q": "Hi"}}, "Hi"):
        for answer in ("Bye.", {"label": "good"}):
            made = job(span("a", "agent", "support", given, answer))
            assert (made.agent, made.input, made.reply, made.status) == ("support", "Hi", answer, "completed")


def test_a_generation_is_a_model_call() -> None:
    """Messages in OpenAI's shape, tokens and cost in JSON."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"id": "A"}'}}
    more = {"model.name": "gpt", "usage_details": {"prompt_tokens": 7, "output": 3}, "cost_details": {"total": 0.5}}
    made = job(
        span("a", "agent", "support", "Hi"),
        span("m", "generation", "OpenAI-generation", {"messages": [{"role": "user", "content": "Hi"}], "tools": []},
             {"role": "assistant", "content": None, "tool_calls": [call]}, parent="a", more=more),
        span("x", "tool", "look", {"args": [], "kwargs": {"id": "A"}}, {"total": 5}, parent="a"),
    )  # fmt: skip
    (model,) = made.model_calls
    assert (model.model, model.input_tokens, model.output_tokens, model.cost_usd) == ("gpt", 7, 3, 0.5)
    assert [(c.call_id, c.arguments, c.result, c.state) for c in made.tool_calls] == [
        ("c1", {"id": "A"}, {"total": 5}, "succeeded")
    ]


def test_positional_arguments_have_lost_their_names() -> None:
    """They are there and cannot be compared: malformed, never empty."""
    said = seen(span("x", "tool", "look", {"args": ["A"], "kwargs": {}}))
    assert said.arguments is not None
    assert (said.arguments.state, said.arguments.reason) == ("malformed", "argument_names_lost")


def test_an_error_may_stand_in_the_level_alone() -> None:
    """Level ERROR fails a tool or a job, with the message beside it."""
    more = {"level": "ERROR", "status_message": "no"}
    assert job(span("a", "agent", "support", "Hi", more=more)).error == "no"
    made = job(span("a", "agent", "support"), span("x", "tool", "look", more=more, parent="a"))
    assert [(c.state, c.error) for c in made.tool_calls] == [("failed", "no")]


def test_what_is_typed_span_is_a_step() -> None:
    """Early versions type everything so: without an agent there is a job that nobody declared, without a name."""
    (run,) = runs(
        span("a", "span", "handle"),
        span("m", "generation", "g", [{"role": "user", "content": "Hi"}], "Bye.", parent="a"),
    )
    assert (run.root.synthetic, run.root.agent, run.root.reply) == (True, None, "Bye.")


def test_an_experiments_item_is_the_case() -> None:
    """The item of a data set names the case."""
    held = {"langfuse.observation.type": "agent", "langfuse.experiment.item.id": "item-1"}
    said = seen(row("a", held, scope="langfuse-sdk"))
    assert said.case is not None
    assert said.case.value == "item-1"
