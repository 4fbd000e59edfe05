"""OpenInference (`openinference.span.kind`): lists are flattened into keys, the kind of a span is an attribute.

Traps kept in mind (dialects.md 3.2): `tool.parameters` is the schema with some instrumentors and the arguments with
others; a handoff is a TOOL span named "handoff to X" without `tool.name`; the OpenAI Agents instrumentor wraps a run in an
AGENT span without a name, which is a container; its tool spans have no call id, and a call that waits for an approval is a
tool span without an output.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, any_key, keys, say
from collector.normalize.events import finish
from collector.normalize.messages import Message, parse, read
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, count, name, number, result, text

ROLES = {
    "LLM": Role.MODEL,
    "AGENT": Role.JOB,
    "TOOL": Role.TOOL,
    "CHAIN": Role.STEP,
    "RETRIEVER": Role.RETRIEVAL,
    "RERANKER": Role.RETRIEVAL,
    "EMBEDDING": Role.EMBEDDING,
    "GUARDRAIL": Role.GUARDRAIL,
    "EVALUATOR": Role.GUARDRAIL,
}
_HANDOFF = "handoff to "
_SCOPE = "openinference.instrumentation."
EMIT_TOOL_SPANS = frozenset(
    ("openai_agents", "langchain", "crewai", "smolagents", "llama_index", "agno", "google_adk", "dspy", "pydantic_ai",
     "strands_agents", "beeai", "haystack", "claude_agent_sdk", "autogen_agentchat")
)  # fmt: skip
"""Instrumentors that write a span for every tool that runs; those of model clients see requests only."""

_LISTS = ("llm.input_messages.", "llm.output_messages.", "retrieval.documents.", "reranker.output_documents.")
MOST_ITEMS = 10_000
_DIGITS = 8
"""Of a flattened list so many items are read: a hostile index must not cost memory (Langfuse caps at the same order)."""


def _role(span: Span) -> Role | None:
    kind = span.attributes.get("openinference.span.kind")
    role = ROLES.get(kind.upper()) if isinstance(kind, str) else None
    if role is Role.TOOL and "tool.name" not in span.attributes and span.name.startswith(_HANDOFF):
        return Role.HANDOFF
    if role is Role.JOB and _nameless_wrapper(span):
        return Role.WORKFLOW
    return role


def _nameless_wrapper(span: Span) -> bool:
    """The OpenAI Agents instrumentor's root: an AGENT that names nobody."""
    return span.scope == _SCOPE + "openai_agents" and not any(
        key in span.attributes for key in ("agent.name", "graph.node.id")
    )


def _lists(span: Span, said: Sighting) -> None:
    """Read the flattened lists in one pass over the span's attributes."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    for path, value in span.attributes.items():
        start = next((p for p in _LISTS if path.startswith(p)), None)
        if start is None:
            continue
        index, _, rest = path[len(start) :].partition(".")
        if index.isdecimal() and len(index) <= _DIGITS and rest:
            items = found.setdefault(start, {})
            if int(index) in items or len(items) < MOST_ITEMS:
                items.setdefault(int(index), {})[rest] = value
    given, made = (_messages(found.get(start)) for start in _LISTS[:2])
    said.messages_in = said.messages_in or given
    said.messages_out = said.messages_out or made
    documents = found.get(_LISTS[2]) or found.get(_LISTS[3])
    if documents:
        say(said, "documents", Value([_document(documents[i]) for i in sorted(documents)]))


def _messages(items: dict[int, dict[str, Any]] | None) -> list[Message] | None:
    return parse(_message(items[i]) for i in sorted(items)) if items else None


def _message(flat: dict[str, Any]) -> dict[str, Any]:
    """One flattened message → the shape of an OpenAI chat message."""
    out: dict[str, Any] = {}
    calls: dict[str, dict[str, Any]] = {}
    contents: dict[str, dict[str, Any]] = {}
    for path, value in flat.items():
        key = path.removeprefix("message.")
        if key.startswith("tool_calls."):
            _, index, rest = key.split(".", 2) if key.count(".") > 1 else (key, "", "")
            calls.setdefault(index, {})[rest.removeprefix("tool_call.")] = value
        elif key.startswith("contents."):
            _, index, rest = key.split(".", 2) if key.count(".") > 1 else (key, "", "")
            contents.setdefault(index, {})[rest.removeprefix("message_content.")] = value
        else:
            out[key] = value
    if calls:
        out["tool_calls"] = [_call(calls[i]) for i in sorted(calls, key=_order)]
    if contents and not out.get("content"):
        out["content"] = [_block(contents[i]) for i in sorted(contents, key=_order)]
    if "function_call_name" in out:
        out.setdefault("tool_calls", []).append(
            {"name": out["function_call_name"], "arguments": out.get("function_call_arguments_json")}
        )
    return out


def _call(flat: dict[str, Any]) -> dict[str, Any]:
    # an absent `arguments` is how the instrumentors write a call without any: theirs is the text "{}" left out
    return {
        "id": flat.get("id"),
        "name": flat.get("function.name"),
        "arguments": flat.get("function.arguments", "" if flat.get("id") and flat.get("function.name") else None),
    }


def _block(flat: dict[str, Any]) -> dict[str, Any]:
    if flat.get("type") == "tool_use" or any(key.startswith("tool_call.") for key in flat):
        return {"type": "tool_use", **_call({k.removeprefix("tool_call."): v for k, v in flat.items()})}
    return {"type": flat.get("type") or "text", "text": flat.get("text")}


def _order(index: str) -> tuple[int, str]:
    return (int(index) if index.isdecimal() and len(index) <= _DIGITS else 10**9, index)


def _document(flat: dict[str, Any]) -> dict[str, Any]:
    return {key.removeprefix("document."): value for key, value in flat.items()}


def _raw(span: Span, said: Sighting) -> None:
    """A model call without flattened messages: the provider's own request and response stand in input and output."""
    if said.role is Role.MODEL:
        if said.messages_in is None:
            said.messages_in = _raw_messages(span.attributes.get("input.value"), ("messages", "input", "contents"))
        if said.messages_out is None:
            said.messages_out = _raw_messages(span.attributes.get("output.value"), ("output", "choices", "content"))


def _raw_messages(raw: Any, fields: tuple[str, ...]) -> list[Message] | None:
    seen = content(raw)
    if seen is None or seen.state != "present" or not isinstance(seen.value, dict):
        return None
    inner = next((seen.value[key] for key in fields if isinstance(seen.value.get(key), list)), None)
    return read(inner) if inner else None


def _io(span: Span, said: Sighting) -> None:
    """`input.value` and `output.value` mean the job's words, or the tool's arguments and result, by the span's kind."""
    given, made = span.attributes.get("input.value"), span.attributes.get("output.value")
    if said.role is Role.JOB:
        say(said, "input", content(given))
        say(said, "output", _spoken(made, span.attributes.get("output.mime_type")))
    elif said.role is Role.TOOL:
        say(said, "arguments", arguments(given) if given is not None else None)
        say(said, "arguments", _parameters(span.attributes.get("tool.parameters")))
        say(said, "result", result(made))
        say(said, "tool", name(span.name))
    elif said.role is Role.HANDOFF:
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
    quirks=(_lists, _raw, _io, _proves),
)
