"""Mastra (`mastra.span.type`, exporters 0.3 and 1.x).

Traps: a model span's output leaves its tool calls out and the history writes them as text; they stand on
the step around it, which holds the step's tools, too. What an agent was asked and answered stands in
`mastra.agent_run.*`; a run that waits for an approval has status OK and says so in its output. Version 0.3 writes plain
`input` and `output`, and names an agent by its id alone. A result of a sub-agent's tool repeats the calls of the sub-agent.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, either, keys, prefix, say, scope
from collector.normalize.messages import Message, parse, read
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, result
from collector.tree import Approval

ROLES: dict[str, Role] = {
    "agent_run": "job",
    **dict.fromkeys(("model_step", "model_inference"), "model"),
    **dict.fromkeys(("tool_call", "mcp_tool_call", "provider_tool_call", "client_tool_call"), "tool"),
    "workflow_run": "workflow",
    "memory_operation": "memory",
    "rag_embedding": "embedding",
    "rag_vector_operation": "retrieval",
    "processor_run": "guardrail",
    "scorer_run": "guardrail",
    "model_generation": "step",  # all steps together
}


def _role(span: Span) -> Role | None:
    kind, operation = span.attributes.get("mastra.span.type"), span.attributes.get("gen_ai.operation.name")
    if kind == "model_generation" and operation in ("chat", "tool_selection"):
        return "model"  # an exporter that writes neither steps nor inferences
    return ROLES.get(kind, "step") if isinstance(kind, str) else None


def _io(span: Span, end: str) -> Any:
    """`mastra.agent_run.input`, with 0.3 plain `input`."""
    return span.attributes.get(f"mastra.{span.attributes.get('mastra.span.type')}.{end}", span.attributes.get(end))


def _job(span: Span, said: Sighting) -> None:
    if said.role != "job":
        return
    asked = content(_io(span, "input"))
    if asked and isinstance(asked.value, list | dict):
        said.messages_in = read(asked.value)
    else:
        say(said, "input", asked)
    made = content(_io(span, "output"))
    answer = made.value if made and isinstance(made.value, dict) else None
    if answer is None:
        say(said, "output", made)
    elif answer.get("status") == "suspended":
        _suspended(answer, said)
    else:
        words = answer.get("object") or answer.get("text")
        say(said, "output", Value(words) if words else None)


def _suspended(answer: dict[str, Any], said: Sighting) -> None:
    """The run stopped for a decision on a call."""
    say(said, "status", Value("awaiting_approval"))
    wanted = arguments(answer.get("args", answer.get("toolArgs")))
    tool, call = answer.get("toolName"), answer.get("toolCallId")
    if isinstance(tool, str):
        said.approvals += (
            Approval(
                tool=tool,
                call_id=call if isinstance(call, str) else None,
                requested_arguments=wanted.value if wanted and wanted.state == "present" else None,
            ),
        )


def _model(span: Span, said: Sighting) -> None:
    kind = span.attributes.get("mastra.span.type")
    if kind in ("model_step", "model_generation") and said.role == "model":
        said.messages_in, said.messages_out = read(_io(span, "input")), _made(_io(span, "output"))
    elif kind == "model_inference" and not _speaks(span):
        said.settled |= {"messages"}  # its words are on the step around it


def _speaks(span: Span) -> bool:
    made = read(span.attributes.get("gen_ai.output.messages"))
    return any(message.text() or message.calls() for message in made or ())


def _made(raw: Any) -> list[Message] | None:
    seen = content(raw)
    held = seen.value if seen and isinstance(seen.value, dict) else None
    if held is None or not held.keys() & {"text", "toolCalls", "object"}:
        return None
    calls = held.get("toolCalls")
    words = held.get("text") or held.get("object")
    return parse([{"role": "assistant", "content": words, "tool_calls": calls if isinstance(calls, list) else []}])


def _failed(span: Span, said: Sighting) -> None:
    if span.attributes.get("gen_ai.tool.success") is False:
        said.tool_failed = True


DIALECT = Dialect(
    name="mastra",
    rank=10,
    claims=either(scope("@mastra/otel", "@mastra/otel-exporter", "mastra"), prefix("mastra.")),
    role=_role,
    fields={
        "agent": keys("gen_ai.agent.name", "agent.name", "agent.id"),
        "conversation": keys("gen_ai.conversation.id", "mastra.metadata.threadId"),
        "arguments": keys("gen_ai.tool.call.arguments", "gen_ai.tool.input", read=arguments),
        "result": keys("gen_ai.tool.call.result", "gen_ai.tool.output", read=result),
    },
    proves=frozenset({"tools", "model_calls", "children"}),
    quirks=(_job, _model, _failed),
)
