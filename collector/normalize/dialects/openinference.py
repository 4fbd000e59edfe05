"""OpenInference (`openinference.span.kind`): lists are flattened into keys, the kind of a span is an attribute.

Traps kept in mind: `tool.parameters` is the schema with some instrumentors and the arguments with
others; a handoff is a TOOL span named "handoff to X" without `tool.name`; the OpenAI Agents instrumentor wraps a run in an
AGENT span without a name, which is a container; its tool spans have no call id, and a call that waits for an approval is a
tool span without an output.
"""

from typing import Any

from collector.normalize import decisions
from collector.normalize.dialect import Dialect, Role, Sighting, any_key, keys, say
from collector.normalize.events import finish
from collector.normalize.flattened import lists
from collector.normalize.messages import Message, read
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, count, name, number, result, text

ROLES: dict[str, Role] = {
    "LLM": "model",
    "AGENT": "job",
    "TOOL": "tool",
    "CHAIN": "step",
    "RETRIEVER": "retrieval",
    "RERANKER": "retrieval",
    "EMBEDDING": "embedding",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "guardrail",
}
_HANDOFF = "handoff to "
_SCOPE = "openinference.instrumentation."
EMIT_TOOL_SPANS = frozenset(
    ("openai_agents", "langchain", "pydantic_ai", "strands_agents", "beeai", "haystack", "claude_agent_sdk",
     "autogen_agentchat")
)  # fmt: skip
"""Instrumentors that write a span for every tool and model call; those of model clients see requests only, and what those
with a dialect of their own see stands there."""


def _role(span: Span) -> Role | None:
    kind = span.attributes.get("openinference.span.kind")
    role = ROLES.get(kind.upper()) if isinstance(kind, str) else None
    if role == "tool" and "tool.name" not in span.attributes and span.name.startswith(_HANDOFF):
        return "handoff"
    if role == "job" and _nameless_wrapper(span):
        return "workflow"
    return role


def _nameless_wrapper(span: Span) -> bool:
    """The OpenAI Agents instrumentor's root: an AGENT that names nobody."""
    return span.scope == _SCOPE + "openai_agents" and not any(
        key in span.attributes for key in ("agent.name", "graph.node.id")
    )


def _lists(span: Span, said: Sighting) -> None:
    held = lists(span.attributes)
    if "messages" not in said.settled:
        said.messages_in = said.messages_in or held.given
        said.messages_out = said.messages_out or held.made
    say(said, "documents", Value(held.documents) if held.documents else None)


def _raw(span: Span, said: Sighting) -> None:
    """A model call without flattened messages: the provider's own request and response stand in input and output."""
    if said.role == "model" and "messages" not in said.settled:
        if said.messages_in is None:
            said.messages_in = _raw_messages(span.attributes.get("input.value"), ("messages", "input", "contents"))
        if said.messages_out is None:
            said.messages_out = _raw_messages(span.attributes.get("output.value"), ("output", "choices", "content"))


def _raw_messages(raw: Any, fields: tuple[str, ...]) -> list[Message] | None:
    seen = content(raw)
    if seen is None or seen.state != "present" or not isinstance(seen.value, dict):
        return None
    key = next((key for key in fields if isinstance(seen.value.get(key), list)), None)
    if key is None or not seen.value[key]:
        return None
    return read([seen.value] if key == "content" else seen.value[key])  # Anthropic's response is the message itself


def _io(span: Span, said: Sighting) -> None:
    """`input.value` and `output.value` mean the job's words, or the tool's arguments and result, by the span's kind."""
    if said.role not in ("job", "tool", "handoff"):
        return
    given, made = span.attributes.get("input.value"), span.attributes.get("output.value")
    if said.role == "job":
        say(said, "input", content(given))
        say(said, "output", _spoken(made, span.attributes.get("output.mime_type")))
    elif said.role == "tool":
        say(said, "arguments", arguments(given) if given is not None else None)
        say(said, "arguments", _parameters(span.attributes.get("tool.parameters")))
        say(said, "result", result(made))
        say(said, "tool", name(span.name))
    else:
        say(said, "handed_from", name(given))
        say(said, "handed_to", name(made) or name(span.name.removeprefix(_HANDOFF)))


def _spoken(raw: Any, mime: Any) -> Value | None:
    """A job's output: text as it is, an object where the span says that it is one."""
    return content(raw) if mime == "application/json" else text(raw)


def _parameters(raw: Any) -> Value | None:
    """`tool.parameters`, unless it looks like the schema of the parameters."""
    seen = arguments(raw) if raw is not None else None
    schema = seen and isinstance(seen.value, dict) and ("properties" in seen.value or "$schema" in seen.value)
    return None if schema else seen


def _proves(span: Span, said: Sighting) -> None:
    if span.scope.startswith(_SCOPE) and span.scope.removeprefix(_SCOPE) in EMIT_TOOL_SPANS:
        said.proves |= {"tools", "tool_results", "model_calls", "children"}


DIALECT = Dialect(
    name="openinference",
    rank=30,
    claims=any_key("openinference.span.kind"),
    role=_role,
    fields={
        "agent": keys("agent.name", "graph.node.id"),
        "handed_from": keys("graph.node.parent_id"),
        "conversation": keys("session.id"),
        "model": keys("llm.response.model_name", "llm.model_name", "llm.request.model_name"),
        "provider": keys("llm.provider", "llm.system"),
        "finish": keys("llm.finish_reason", read=finish),
        "input_tokens": keys("llm.token_count.prompt", read=count),
        "output_tokens": keys("llm.token_count.completion", read=count),
        "cache_read_tokens": keys("llm.token_count.prompt_details.cache_read", read=count),
        "cache_write_tokens": keys("llm.token_count.prompt_details.cache_write", read=count),
        "reasoning_tokens": keys("llm.token_count.completion_details.reasoning", read=count),
        "cost_usd": keys("llm.cost.total", read=number),
        "tool": keys("tool.name"),
        "call_id": keys("tool_call.id", "tool.id"),
        "arguments": keys("tool_call.function.arguments", read=arguments),
    },
    quirks=(_lists, _raw, _io, _proves, decisions.noted),
)
