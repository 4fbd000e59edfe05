"""OpenTelemetry's GenAI semantic conventions, 1.37 and later, with what earlier generations named otherwise.

Content may stand in attributes, in span events or in log events; MCP spans and the refinements for skills and retrieval
belong here too. `gen_ai.tool.definitions` on a chat span is an offer, never a call.
"""

from collector.normalize import decisions
from collector.normalize.dialect import Dialect, Key, Role, Sighting, holding, keys, prefix, say
from collector.normalize.events import finish, from_events
from collector.normalize.messages import read
from collector.normalize.reading import Span
from collector.normalize.values import arguments, content, count, name, number, result, text
from collector.tree import SkillRead

ROLES: dict[str, Role] = {
    **dict.fromkeys(
        ("chat", "text_completion", "generate_content", "completion", "generate", "response", "llm_call", "realtime"),
        "model",
    ),
    **dict.fromkeys(("invoke_agent", "agent_call"), "job"),
    **dict.fromkeys(("execute_tool", "tool_call"), "tool"),
    **dict.fromkeys(("invoke_workflow", "invoke_graph", "invoke_swarm"), "workflow"),
    **dict.fromkeys(("agent_step", "plan", "execute_task", "execute_event_loop_cycle"), "step"),
    **dict.fromkeys(("retrieval", "vector_db_retrieve"), "retrieval"),
    "embeddings": "embedding",
    "handoff": "handoff",
    "create_agent": "noise",  # a configuration, not a run
}
_MCP_CALL = "tools/call"
_DETAILS = "gen_ai.client.inference.operation.details"


def _role(span: Span) -> Role | None:
    method = span.attributes.get("mcp.method.name")
    if method is not None:
        return "tool" if method == _MCP_CALL else "noise"
    operation = span.attributes.get("gen_ai.operation.name")
    if isinstance(operation, str):
        return ROLES.get(operation) or ("memory" if "memory" in operation else "step")
    if "gen_ai.request.model" in span.attributes:
        return "model"
    return "tool" if "gen_ai.tool.name" in span.attributes else None


def _messages(span: Span, said: Sighting) -> None:
    """Messages from attributes, else from the events of the span and the logs that name it."""
    if said.role in ("tool", "retrieval") or "messages" in said.settled:
        return
    sources = [span.attributes]
    if span.events:
        sources += [event.attributes for event in span.events if event.name == _DETAILS]
    for source in sources:
        if said.messages_in is None and "gen_ai.input.messages" in source:
            said.messages_in = read(source["gen_ai.input.messages"])
        if said.messages_out is None and "gen_ai.output.messages" in source:
            said.messages_out = read(source["gen_ai.output.messages"])
    if span.events and said.role != "job":
        told = from_events(span.events)
        said.messages_in = said.messages_in or told.given
        said.messages_out = said.messages_out or told.made
    decisions.heard(said)


@holding("mcp.method.name")
def _mcp(span: Span, said: Sighting) -> None:
    """An MCP call's name stands in its attributes, else after the method in the span's name."""
    if span.attributes.get("mcp.method.name") == _MCP_CALL and said.tool is None:
        _, found, rest = span.name.partition(_MCP_CALL + " ")
        say(said, "tool", name(rest) if found else None)


def _agent(span: Span, said: Sighting) -> None:
    """`invoke_agent NAME` names the agent where no attribute does."""
    if said.role == "job" and said.agent is None and span.name.startswith("invoke_agent "):
        named = span.name.removeprefix("invoke_agent ")
        models = (span.attributes.get("gen_ai.request.model"), span.attributes.get("gen_ai.response.model"))
        say(said, "agent", None if named in models else name(named))


@holding("gen_ai.skill.name")
def _skill(span: Span, said: Sighting) -> None:
    skill = span.attributes.get("gen_ai.skill.name")
    if isinstance(skill, str) and skill:
        resource, source = (span.attributes.get(f"gen_ai.skill.{key}") for key in ("resource.name", "source.uri"))
        said.skills += (
            SkillRead(
                skill,
                resource if isinstance(resource, str) else None,
                source if isinstance(source, str) else None,
                at=span.start or None,
            ),
        )


DIALECT = Dialect(
    name="semconv",
    rank=20,
    claims=prefix("gen_ai.", "mcp."),
    role=_role,
    fields={
        "agent": keys("gen_ai.agent.name"),
        "agent_id": keys("gen_ai.agent.id"),
        "conversation": keys("gen_ai.conversation.id"),
        "model": keys("gen_ai.response.model", "gen_ai.request.model"),
        "provider": keys("gen_ai.provider.name", "gen_ai.system"),
        "response_id": keys("gen_ai.response.id"),
        "finish": keys("gen_ai.response.finish_reasons", "gen_ai.response.finish_reason", read=finish),
        "input_tokens": keys("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", read=count),
        "output_tokens": keys("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", read=count),
        "cache_read_tokens": keys(
            "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", read=count
        ),
        "cache_write_tokens": keys(
            "gen_ai.usage.cache_write.input_tokens",
            "gen_ai.usage.cache_creation.input_tokens",
            "gen_ai.usage.cache_creation_input_tokens",
            read=count,
        ),
        "reasoning_tokens": keys("gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens", read=count),
        "cost_usd": keys("gen_ai.usage.cost", read=number),
        "tool": keys("gen_ai.tool.name"),
        "tool_kind": keys("gen_ai.tool.type"),
        "call_id": keys("gen_ai.tool.call.id"),
        "arguments": keys("gen_ai.tool.call.arguments", read=arguments),
        "result": keys("gen_ai.tool.call.result", read=result),
        "error": (Key("error.message", text), Key("error.type", name)),
        "query": keys("gen_ai.retrieval.query.text", read=text),
        "documents": keys("gen_ai.retrieval.documents", read=content),
        "handed_from": keys("gen_ai.handoff.from_agent", "gen_ai.agent.handoff.source.name"),
        "handed_to": keys("gen_ai.transfer.target.name", "gen_ai.handoff.to_agent", "gen_ai.agent.handoff.target.name"),
    },
    quirks=(_messages, _mcp, _agent, _skill, decisions.noted),
)
