"""Langfuse SDK 3 to 5 (scope `langfuse-sdk`): everything about an observation stands in `langfuse.observation.*`.

Traps: an error may be told by `level` alone, without a span status; a decorated function's input is
`{"args": […], "kwargs": {…}}`; tool observations have no call id; early versions type everything `span`. People decorate
what they like, so what was not seen is not proof that it did not happen.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, any_key, either, keys, say, scope
from collector.normalize.messages import read
from collector.normalize.python_calls import passed, words
from collector.normalize.reading import Span
from collector.normalize.values import Value, content, count, name, number, result, text

_KEY = "langfuse.observation."
ROLES: dict[str, Role] = {
    "agent": "job",
    "generation": "model",
    "tool": "tool",
    "retriever": "retrieval",
    "embedding": "embedding",
    **dict.fromkeys(("guardrail", "evaluator"), "guardrail"),
    **dict.fromkeys(("span", "chain", "event"), "step"),
}
_TOKENS = {
    "input_tokens": ("input", "input_tokens", "prompt_tokens"),
    "output_tokens": ("output", "output_tokens", "completion_tokens"),
    "cache_read_tokens": ("input_cached_tokens", "cache_read_input_tokens", "input_cache_read"),
    "cache_write_tokens": ("cache_creation_input_tokens", "input_cache_creation"),
    "reasoning_tokens": ("output_reasoning_tokens", "output_reasoning"),
}


def _role(span: Span) -> Role | None:
    kind = span.attributes.get(_KEY + "type")
    return ROLES.get(kind) if isinstance(kind, str) else None


def _io(span: Span, said: Sighting) -> None:
    """Input and output mean what the type of the observation makes of them; its name is the span's."""
    given, made = span.attributes.get(_KEY + "input"), span.attributes.get(_KEY + "output")
    if said.role == "job":
        say(said, "agent", name(span.name))
        say(said, "input", words(given))
        say(said, "output", content(made))
    elif said.role == "tool":
        say(said, "tool", name(span.name))
        say(said, "arguments", passed(given))
        say(said, "result", result(made))
    elif said.role == "model":
        said.messages_in, said.messages_out = read(given), read(made)
        _usage(span, said)
    elif said.role == "retrieval":
        say(said, "query", text(given))
        say(said, "documents", content(made))


def _usage(span: Span, said: Sighting) -> None:
    used = content(span.attributes.get(_KEY + "usage_details"))
    held: dict[str, Any] = used.value if used and isinstance(used.value, dict) else {}
    for fact, options in _TOKENS.items():
        say(said, fact, next((seen for key in options if (seen := count(held.get(key)))), None))
    cost = content(span.attributes.get(_KEY + "cost_details"))
    parts = cost.value if cost and isinstance(cost.value, dict) else {}
    say(said, "cost_usd", number(parts.get("total")))


def _level(span: Span, said: Sighting) -> None:
    if span.attributes.get(_KEY + "level") == "ERROR":
        said.tool_failed = True
        say(said, "error", text(span.attributes.get(_KEY + "status_message")) or Value("ERROR"))


DIALECT = Dialect(
    name="langfuse",
    rank=10,
    claims=either(scope("langfuse-sdk"), any_key(_KEY + "type")),
    role=_role,
    fields={
        "conversation": keys("session.id", "langfuse.session.id"),
        "model": keys(_KEY + "model.name"),
        "case": keys("langfuse.experiment.item.id"),
    },
    quirks=(_io, _level),
)
