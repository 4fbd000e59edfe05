"""Vercel AI SDK: 3 to 6, and 7's legacy integration (scope `ai`); 7's own spans (scope `gen_ai`) follow the conventions.

Traps: the outer span is the job and the inner `.doGenerate` or `.doStream` the model call; usage on the
outer one is the sum of its steps, `ai.response.toolCalls` there is that of the last step or of all. A call's `input` is JSON
text or an object; a text may be empty; the words of a run that stopped at a tool call are no reply. Nothing but
`functionId` names the agent: the id of a ToolLoopAgent is in no span.
"""

from typing import Any

from collector.normalize import decisions
from collector.normalize.dialect import Dialect, Role, Sighting, any_key, either, keys, say, scope
from collector.normalize.events import finish
from collector.normalize.messages import Message, parse, read
from collector.normalize.reading import Span
from collector.normalize.values import arguments, content, count, name, result, text

_JOBS = ("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject", "ai.workflowAgent.stream")
ROLES: dict[str, Role] = {
    **dict.fromkeys(_JOBS, "job"),
    **{f"{job}.{inner}": "model" for job in _JOBS for inner in ("doGenerate", "doStream")},
    "ai.toolCall": "tool",
    **dict.fromkeys(("ai.embed", "ai.embedMany"), "embedding"),
    **dict.fromkeys(("ai.embed.doEmbed", "ai.embedMany.doEmbed"), "embedding"),
    "ai.rerank": "retrieval",
}
_SESSION = ("sessionId", "session_id", "threadId", "thread_id", "conversationId")


def _role(span: Span) -> Role | None:
    operation = span.attributes.get("ai.operationId")
    return ROLES.get(operation, "step") if isinstance(operation, str) else None


def _told(span: Span, what: str) -> Any:
    """`ai.response.X`, before version 4 `ai.result.X`."""
    found = span.attributes.get(f"ai.response.{what}")
    return span.attributes.get(f"ai.result.{what}") if found is None else found


def _job(span: Span, said: Sighting) -> None:
    """The outer span: who, what was asked, what was answered."""
    if said.role != "job" or "ai.operationId" not in span.attributes:
        return
    say(said, "agent", name(span.attributes.get("ai.telemetry.functionId")))
    prompt = content(span.attributes.get("ai.prompt"))
    asked = prompt.value if prompt and isinstance(prompt.value, dict) else {}
    words = asked.get("prompt")
    history = words if isinstance(words, list) else asked.get("messages")
    if isinstance(history, list):
        said.messages_in = parse(history)
        said.approvals += (*decisions.told(said.messages_in),)
    else:
        say(said, "input", text(words) if asked else prompt)
    if _told(span, "finishReason") != "tool-calls":
        made = text(_told(span, "text"))
        say(said, "output", content(_told(span, "object")))
        say(said, "output", made if made and made.value != "" else None)


def _model(span: Span, said: Sighting) -> None:
    """The inner span: one inference."""
    if said.role == "model" and "ai.operationId" in span.attributes:
        said.messages_in = read(span.attributes.get("ai.prompt.messages"))
        said.messages_out = _made(span)
        decisions.heard(said)


def _made(span: Span) -> list[Message] | None:
    words, calls = _told(span, "text"), content(_told(span, "toolCalls"))
    if words is None:
        words = _told(span, "object")
    if words is None and calls is None:
        return None
    wanted = calls.value if calls and isinstance(calls.value, list) else []
    return parse([{"role": "assistant", "content": words, "tool_calls": wanted}])


DIALECT = Dialect(
    name="vercel",
    rank=10,
    claims=either(scope("ai"), any_key("ai.operationId"), lambda span: span.scope == "gen_ai"),
    role=_role,
    fields={
        "conversation": keys(*(f"ai.telemetry.metadata.{key}" for key in _SESSION)),
        "model": keys("ai.response.model", "ai.model.id"),
        "provider": keys("ai.model.provider"),
        "response_id": keys("ai.response.id"),
        "finish": keys("ai.response.finishReason", "ai.finishReason", read=finish),
        "input_tokens": keys("ai.usage.inputTokens", "ai.usage.promptTokens", read=count),
        "output_tokens": keys("ai.usage.outputTokens", "ai.usage.completionTokens", read=count),
        "cache_read_tokens": keys(
            "ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens", read=count
        ),
        "cache_write_tokens": keys("ai.usage.inputTokenDetails.cacheWriteTokens", read=count),
        "reasoning_tokens": keys("ai.usage.outputTokenDetails.reasoningTokens", "ai.usage.reasoningTokens", read=count),
        "tool": keys("ai.toolCall.name"),
        "call_id": keys("ai.toolCall.id"),
        "arguments": keys("ai.toolCall.args", "ai.toolCall.input", read=arguments),
        "result": keys("ai.toolCall.result", "ai.toolCall.output", read=result),
    },
    proves=frozenset({"tools", "model_calls", "children"}),
    quirks=(_job, _model),
)
