"""OpenAI Agents through OpenTelemetry's instrumentation and OpenLLMetry (`opentelemetry.instrumentation.openai_agents`).

The one writes a default for the agent's name ("OpenAI Agent") and id on every span but `invoke_agent X`, and puts calls of
the Responses API into text parts as Python reprs. The other names a handoff's source only. In both the root carries no agent,
stays OK when the run failed, and the task and turn spans have an operation that they call "unknown".
"""

from dataclasses import replace

from collector.normalize import literals
from collector.normalize.dialect import Dialect, Role, Sighting, scope
from collector.normalize.messages import Message, Part, parse, read
from collector.normalize.reading import Span

DEFAULT_AGENT = "OpenAI Agent"
_CALL = "ResponseFunctionToolCall("


def _role(span: Span) -> Role | None:
    held = span.attributes
    if "gen_ai.handoff.from_agent" in held or "gen_ai.handoff.to_agent" in held:
        return "handoff"
    if held.get("gen_ai.operation.name") == "invoke_agent" and "gen_ai.agent.name" not in held:
        return "workflow"
    return "step" if held.get("gen_ai.operation.name") == "unknown" else None


def _defaults(span: Span, said: Sighting) -> None:
    """Take out what stands for nothing, so that no later dialect reads it."""
    if span.attributes.get("gen_ai.agent.name") == DEFAULT_AGENT:
        for key in ("gen_ai.agent.name", "gen_ai.agent.id", "gen_ai.agent.description"):
            span.attributes.pop(key, None)
    if said.role != "tool":
        said.messages_out = _mended(read(span.attributes.get("gen_ai.output.messages")))


def _mended(messages: list[Message] | None) -> list[Message] | None:
    """Text parts that are the repr of calls become the calls."""
    return messages and [replace(m, parts=[found for part in m.parts for found in _calls(part)]) for m in messages]


def _calls(part: Part) -> list[Part]:
    if part.kind != "text" or not part.text.startswith((_CALL, "{'")):
        return [part]
    try:
        value = literals.parse(part.text)
    except ValueError:
        return [part]
    if not isinstance(value, dict):
        return [part]
    item = {**value, "type": "function_call"} if "call_id" in value else value
    return [found for message in parse([item]) for found in message.parts if found.kind == "call"] or [part]


DIALECT = Dialect(
    name="openai_agents",
    rank=10,
    claims=scope("opentelemetry.instrumentation.openai_agents"),
    role=_role,
    proves=frozenset({"tools", "model_calls", "children"}),
    quirks=(_defaults,),
)
