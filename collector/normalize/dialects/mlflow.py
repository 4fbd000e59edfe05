"""MLflow tracing (`mlflow.*`): every value is JSON text, even a string.

Traps: the type `null` or `UNKNOWN` is written over spans of others, so it says nothing; a model span
holds the provider's own request and response; tool spans have no call id. With its GenAI conventions switched on, MLflow
writes those instead. People decorate what they like, so what was not seen is not proof that it did not happen.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Key, Role, Sighting, any_key, say
from collector.normalize.events import finish
from collector.normalize.messages import read
from collector.normalize.python_calls import passed, words
from collector.normalize.reading import Span
from collector.normalize.values import Reader, Value, bounded, content, count, name, parse

ROLES: dict[str, Role] = {
    "AGENT": "job",
    **dict.fromkeys(("CHAT_MODEL", "LLM"), "model"),
    "TOOL": "tool",
    "RETRIEVER": "retrieval",
    "RERANKER": "retrieval",
    "EMBEDDING": "embedding",
    "MEMORY": "memory",
    **dict.fromkeys(("GUARDRAIL", "EVALUATOR"), "guardrail"),
    "WORKFLOW": "workflow",
    **dict.fromkeys(("CHAIN", "TASK", "PARSER"), "step"),
}
_TOKENS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}


def _decoded(raw: Any) -> Any:
    """The value that the JSON text writes; another writer's plain text as it is."""
    if not isinstance(raw, str):
        return raw
    try:
        return parse(raw)
    except ValueError:
        return raw


def _json(read: Reader) -> Reader:
    return lambda raw: read(_decoded(raw))


def _role(span: Span) -> Role | None:
    kind = _decoded(span.attributes.get("mlflow.spanType"))
    return ROLES.get(kind) if isinstance(kind, str) else None


def _io(span: Span, said: Sighting) -> None:
    """Inputs and outputs mean what the type of the span makes of them; its name is the function's."""
    given, made = (span.attributes.get(f"mlflow.span{which}") for which in ("Inputs", "Outputs"))
    if said.role == "job" and "mlflow.spanType" in span.attributes:
        say(said, "agent", name(span.name))
        say(said, "input", words(given))
        say(said, "output", content(_decoded(made)))
    elif said.role == "tool":
        given = _dispatched(span, said, given)
        say(said, "tool", name(span.name) if "mlflow.spanType" in span.attributes else None)
        say(said, "arguments", passed(given))
        say(said, "result", Value(bounded(_decoded(made))) if made is not None else None)
    elif said.role == "model" and given is not None:
        said.messages_in, said.messages_out = read(given), read(made)
        _response(span, said)
    elif said.role == "retrieval":
        say(said, "documents", content(made))


def _dispatched(span: Span, said: Sighting, given: Any) -> Any:
    """The arguments of the tool that a dispatcher was told to call (`{"call": {"tool_name": …, "args": …}}`), else all."""
    seen = content(given)
    call = (
        seen.value.get("call") if seen is not None and isinstance(seen.value, dict) and len(seen.value) == 1 else None
    )
    if not isinstance(call, dict) or "args" not in call or (tool := name(call.get("tool_name"))) is None:
        return given
    say(said, "tool", tool)
    say(said, "qualified", name(span.name))
    return call["args"]


def _response(span: Span, said: Sighting) -> None:
    """The provider's own response: its id, why it ended, and what MLflow counted."""
    made = _decoded(span.attributes.get("mlflow.spanOutputs"))
    if isinstance(made, dict):
        say(said, "response_id", name(made.get("id")))
        choices = made.get("choices")
        first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else made
        say(said, "finish", finish(first.get("finish_reason") or first.get("stop_reason")))
    used = _decoded(span.attributes.get("mlflow.chat.tokenUsage"))
    for fact, key in _TOKENS.items() if isinstance(used, dict) else ():
        say(said, fact, count(used.get(key)))


def _cost(raw: Any) -> Value | None:
    total = raw.get("total_cost") if isinstance(raw, dict) else None
    return Value(total) if isinstance(total, int | float) and not isinstance(total, bool) else None


DIALECT = Dialect(
    name="mlflow",
    rank=10,
    claims=any_key("mlflow.spanType", "mlflow.spanInputs", "mlflow.traceRequestId"),
    role=_role,
    fields={
        "model": (Key("mlflow.llm.model", _json(name)),),
        "provider": (Key("mlflow.llm.provider", _json(name)),),
        "cost_usd": (Key("mlflow.llm.cost", _json(_cost)),),
        "conversation": (Key("mlflow.trace.session", _json(name)),),
    },
    quirks=(_io,),
)
