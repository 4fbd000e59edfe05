"""One run, written in four vocabularies: what an agent did must not depend on who recorded it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.normalize.spans import Row, exception, row

ERROR = ("ConnectionError", "order service unavailable")


@dataclass
class Call:
    """A tool call: it gives a result, or fails (`result` unused), and may run a child agent."""

    id: str
    name: str
    arguments: dict[str, Any]
    result: Any = None
    fails: bool = False
    child: "Story | None" = None

    @property
    def answer(self) -> Any:
        """What the model is told."""
        return ": ".join(ERROR) if self.fails else self.result


@dataclass
class Story:
    """One agent's run: each turn is a model call that asks for the calls, then the last model call replies."""

    agent: str
    asked: str
    turns: list[list[Call]]
    reply: str
    tokens: list[tuple[int, int]] = field(default_factory=list)


class Model:
    """One model call: what was said before, and what it made."""

    def __init__(self, story: Story, number: int) -> None:
        self.before = story.turns[:number]
        self.calls = story.turns[number] if number < len(story.turns) else []
        self.words = None if self.calls else story.reply
        self.tokens = story.tokens[number]
        self.asked = story.asked
        self.finish = "tool_calls" if self.calls else "stop"


@dataclass(frozen=True)
class Vocabulary:
    """The attributes of an agent's, a model call's and a tool call's span."""

    scope: str
    agent: Callable[[Story], dict[str, Any]]
    model: Callable[[Model], dict[str, Any]]
    tool: Callable[[Call], dict[str, Any]]


def written(story: Story, words: Vocabulary, above: str | None = None, mark: str = "s") -> Iterator[Row]:
    """The spans of a run, in the order of their starts."""
    yield row(mark, words.agent(story), parent=above, scope=words.scope, name=f"agent {story.agent}")
    for number in range(len(story.turns) + 1):
        yield row(f"{mark}m{number}", words.model(Model(story, number)), parent=mark, scope=words.scope, kind=3)
        for place, call in enumerate(story.turns[number] if number < len(story.turns) else []):
            span = f"{mark}t{number}{place}"
            broken: dict[str, Any] = {"error": ERROR[1], "events": [exception(*ERROR)]} if call.fails else {}
            yield row(span, words.tool(call), parent=mark, scope=words.scope, name=call.name, **broken)
            if call.child is not None:
                yield from written(call.child, words, span, f"{span}c")


def plain(value: Any) -> str:
    """A text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


# GenAI semantic conventions, 1.38


def _parts(model: Model) -> tuple[list[Any], list[Any]]:
    given: list[Any] = [{"role": "user", "parts": [{"type": "text", "content": model.asked}]}]
    for turn in model.before:
        given.append({"role": "assistant", "parts": [_part(call) for call in turn]})
        answers = [{"type": "tool_call_response", "id": call.id, "response": call.answer} for call in turn]
        given += [{"role": "tool", "parts": [answer]} for answer in answers]
    said = [{"type": "text", "content": model.words}] if model.words is not None else [_part(c) for c in model.calls]
    return given, [{"role": "assistant", "parts": said, "finish_reason": model.finish}]


def _part(call: Call) -> dict[str, Any]:
    return {"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments}


def _semconv_agent(story: Story) -> dict[str, Any]:
    asked = [{"role": "user", "parts": [{"type": "text", "content": story.asked}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": story.reply}], "finish_reason": "stop"}]
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": story.agent,
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(said),
    }


def _semconv_model(model: Model) -> dict[str, Any]:
    given, made = _parts(model)
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.input.messages": json.dumps(given),
        "gen_ai.output.messages": json.dumps(made),
        "gen_ai.usage.input_tokens": model.tokens[0],
        "gen_ai.usage.output_tokens": model.tokens[1],
    }


def _semconv_tool(call: Call) -> dict[str, Any]:
    held = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.call.id": call.id,
        "gen_ai.tool.call.arguments": json.dumps(call.arguments),
    }
    return held if call.fails else {**held, "gen_ai.tool.call.result": plain(call.result)}


# OpenInference


def _open_model(model: Model) -> dict[str, Any]:
    held: dict[str, Any] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "gpt-4o",
        "llm.token_count.prompt": model.tokens[0],
        "llm.token_count.completion": model.tokens[1],
    }
    given: list[dict[str, Any]] = [{"role": "user", "content": model.asked}]
    for turn in model.before:
        given.append({"role": "assistant", **_open_calls(turn)})
        given += [{"role": "tool", "tool_call_id": call.id, "content": plain(call.answer)} for call in turn]
    made = {"role": "assistant", **_open_calls(model.calls)}
    if model.words is not None:
        made["content"] = model.words
    for start, messages in (("llm.input_messages", given), ("llm.output_messages", [made])):
        held |= {f"{start}.{i}.message.{key}": v for i, message in enumerate(messages) for key, v in message.items()}
    return held


def _open_calls(calls: list[Call]) -> dict[str, Any]:
    held = {}
    for place, call in enumerate(calls):
        start = f"tool_calls.{place}.tool_call"
        held[f"{start}.id"], held[f"{start}.function.name"] = call.id, call.name
        held[f"{start}.function.arguments"] = json.dumps(call.arguments)
    return held


def _open_agent(story: Story) -> dict[str, Any]:
    return {
        "openinference.span.kind": "AGENT",
        "agent.name": story.agent,
        "input.value": story.asked,
        "input.mime_type": "text/plain",
        "output.value": story.reply,
        "output.mime_type": "text/plain",
    }


def _open_tool(call: Call) -> dict[str, Any]:
    held = {"openinference.span.kind": "TOOL", "tool.name": call.name, "tool_call.id": call.id}
    held |= {"input.value": json.dumps(call.arguments), "input.mime_type": "application/json"}
    return held if call.fails else {**held, "output.value": plain(call.result)}


# OpenLLMetry before 0.5: decorators, flattened messages, no call ids on tools


def _loop_model(model: Model) -> dict[str, Any]:
    given: list[dict[str, Any]] = [{"role": "user", "content": model.asked}]
    for turn in model.before:
        given.append({"role": "assistant", **_loop_calls(turn)})
        given += [{"role": "tool", "tool_call_id": call.id, "content": plain(call.answer)} for call in turn]
    made = {"role": "assistant", "finish_reason": model.finish, **_loop_calls(model.calls)}
    if model.words is not None:
        made["content"] = model.words
    held: dict[str, Any] = {
        "llm.request.type": "chat",
        "gen_ai.system": "OpenAI",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.usage.prompt_tokens": model.tokens[0],
        "gen_ai.usage.completion_tokens": model.tokens[1],
        "llm.usage.total_tokens": sum(model.tokens),
    }
    held |= {f"gen_ai.prompt.{i}.{key}": value for i, message in enumerate(given) for key, value in message.items()}
    return held | {f"gen_ai.completion.0.{key}": value for key, value in made.items()}


def _loop_calls(calls: list[Call]) -> dict[str, Any]:
    held = {}
    for place, call in enumerate(calls):
        start = f"tool_calls.{place}"
        held[f"{start}.id"], held[f"{start}.name"] = call.id, call.name
        held[f"{start}.arguments"] = json.dumps(call.arguments)
    return held


def _loop_agent(story: Story) -> dict[str, Any]:
    return {
        "traceloop.span.kind": "agent",
        "traceloop.entity.name": story.agent,
        "traceloop.entity.input": json.dumps({"args": [story.asked], "kwargs": {}}),
        "traceloop.entity.output": json.dumps(story.reply),
    }


def _loop_tool(call: Call) -> dict[str, Any]:
    held = {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": call.name,
        "traceloop.entity.input": json.dumps({"args": [], "kwargs": call.arguments}),
    }
    return held if call.fails else {**held, "traceloop.entity.output": json.dumps(call.result)}


# Vercel AI SDK 6


def _vercel_model(model: Model) -> dict[str, Any]:
    given: list[Any] = [{"role": "user", "content": [{"type": "text", "text": model.asked}]}]
    for turn in model.before:
        given.append({"role": "assistant", "content": [{"type": "tool-call", **_vercel_call(call)} for call in turn]})
        given.append({"role": "tool", "content": [_vercel_result(call) for call in turn]})
    held: dict[str, Any] = {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.model.id": "gpt-4o",
        "ai.prompt.messages": json.dumps(given),
        "ai.response.finishReason": "tool-calls" if model.calls else "stop",
        "ai.usage.inputTokens": model.tokens[0],
        "ai.usage.outputTokens": model.tokens[1],
    }
    if model.words is not None:
        held["ai.response.text"] = model.words
    if model.calls:
        held["ai.response.toolCalls"] = json.dumps([_vercel_call(call) for call in model.calls])
    return held


def _vercel_call(call: Call) -> dict[str, Any]:
    return {"toolCallId": call.id, "toolName": call.name, "input": call.arguments}


def _vercel_result(call: Call) -> dict[str, Any]:
    kind = "error-text" if call.fails else "text" if isinstance(call.result, str) else "json"
    output = {"type": kind, "value": call.answer}
    return {"type": "tool-result", "toolCallId": call.id, "toolName": call.name, "output": output}


def _vercel_agent(story: Story) -> dict[str, Any]:
    return {
        "ai.operationId": "ai.generateText",
        "ai.telemetry.functionId": story.agent,
        "ai.prompt": json.dumps({"prompt": story.asked}),
        "ai.response.text": story.reply,
        "ai.response.finishReason": "stop",
        "ai.usage.inputTokens": sum(given for given, _ in story.tokens),
        "ai.usage.outputTokens": sum(made for _, made in story.tokens),
    }


def _vercel_tool(call: Call) -> dict[str, Any]:
    held = {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": call.name,
        "ai.toolCall.id": call.id,
        "ai.toolCall.args": json.dumps(call.arguments),
    }
    return held if call.fails else {**held, "ai.toolCall.result": json.dumps(call.result)}


VOCABULARIES = {
    "semconv": Vocabulary("shop", _semconv_agent, _semconv_model, _semconv_tool),
    "openinference": Vocabulary("openinference.instrumentation.shop", _open_agent, _open_model, _open_tool),
    "traceloop": Vocabulary("traceloop.tracer", _loop_agent, _loop_model, _loop_tool),
    "vercel": Vocabulary("ai", _vercel_agent, _vercel_model, _vercel_tool),
}
