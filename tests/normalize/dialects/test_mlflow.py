"""MLflow: every value is JSON text."""

import json
from typing import Any

from tests.normalize.spans import Row, job, row, seen


def span(span_id: str, kind: Any, name: str, given: Any = None, made: Any = None, /, **fields: Any) -> Row:
    """A span with inputs and outputs and, by name, more attributes of MLflow's."""
    held = {
        "spanType": kind,
        "spanInputs": given,
        **({} if made is None else {"spanOutputs": made}),
        **fields.pop("more", {}),
    }
    return row(span_id, {f"mlflow.{key}": json.dumps(value) for key, value in held.items()}, name=name, **fields)


def test_a_decorated_agent() -> None:
    """Its name is the span's, its input the only argument."""
    made = job(span("a", "AGENT", "support", {"q": "Hi"}, "Bye."))
    assert (made.agent, made.input, made.reply) == ("support", "Hi", "Bye.")


def test_several_arguments_are_the_input_together() -> None:
    """Which of them is the question is not known."""
    assert job(span("a", "AGENT", "support", {"q": "Hi", "user": "u"}, "Bye.")).input == {"q": "Hi", "user": "u"}


def test_a_tool_returns_what_its_json_says() -> None:
    """A number is a number and a text of digits a text: values are always JSON."""
    for value in (5, "5", "18C", False, [], {"a": 1}):
        said = seen(span("x", "TOOL", "look", {"id": "A"}, value))
        assert said.arguments is not None
        assert said.arguments.value == {"id": "A"}
        assert said.result is not None
        assert said.result.value == value


def test_a_model_span_holds_request_and_response() -> None:
    """Calls, finish, id and tokens come from the provider's own response and MLflow's counts."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    answer = {
        "id": "r1",
        "choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": [call]}}],
    }
    more = {
        "llm.model": "gpt",
        "chat.tokenUsage": {"input_tokens": 7, "output_tokens": 3},
        "llm.cost": {"total_cost": 0.5},
    }
    made = job(
        span("a", "AGENT", "support", {"q": "Hi"}),
        span(
            "m",
            "CHAT_MODEL",
            "Completions",
            {"messages": [{"role": "user", "content": "Hi"}]},
            answer,
            parent="a",
            more=more,
        ),
    )
    (model,) = made.model_calls
    assert (model.model, model.response_id, model.finish_reason, model.input_tokens) == ("gpt", "r1", "tool_call", 7)
    assert model.cost_usd == 0.5
    assert [(c.call_id, c.state) for c in made.tool_calls] == [("c1", "requested")]


def test_a_type_written_over_a_foreign_span_says_nothing() -> None:
    """`null` and UNKNOWN leave the role to what the span itself says."""
    for kind in (None, "UNKNOWN", ["x"]):
        held = {"mlflow.spanType": json.dumps(kind), "gen_ai.operation.name": "chat"}
        assert seen(row("m", held)).role == "model"


def test_broken_json_is_no_error() -> None:
    """Plain text, another exporter's, is read as it stands."""
    assert seen(row("x", {"mlflow.spanType": "TOOL", "mlflow.spanInputs": "{"}, name="look")).role == "tool"
