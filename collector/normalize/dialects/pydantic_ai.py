"""Pydantic AI (scope `pydantic-ai`), instrumentation formats 1 to 6, and the Logfire SDK's pending spans.

On top of the semantic conventions: formats 1 and 2 name spans and tool attributes otherwise; the agent span holds the
transcript (`new_message_index` tells where this run begins) and `final_result`; the run's id stands on every span of the
run; calls that wait for an approval are marked as deferred, up to format 4 with an error status. Usage on agent spans is a
sum over model calls (in 1.x over those of child agents too), so it is not read.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, any_key, either, keys, say, scope
from collector.normalize.events import from_attribute
from collector.normalize.messages import read
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, number, result
from collector.tree import Approval

_OUTPUT_TOOL = "final_result"


def _role(span: Span) -> Role | None:
    if span.attributes.get("logfire.span_type") == "pending_span":
        return "noise"  # a copy of a running span, never a node
    if span.name == "agent run" or "agent_name" in span.attributes:
        return "job"
    if span.name == "running tool" and "gen_ai.tool.name" in span.attributes:
        return "tool"
    return None


def _transcript(span: Span, said: Sighting) -> None:
    held = span.attributes
    if "pydantic_ai.all_messages" in held:
        said.transcript = read(held["pydantic_ai.all_messages"])
        start = number(held.get("pydantic_ai.new_message_index"))
        said.transcript_from = int(start.value) if start else 0
    elif "all_messages_events" in held:
        said.transcript = from_attribute(held["all_messages_events"]).given
    if said.messages_in is None and "events" in held:
        said.messages_in, said.messages_out = from_attribute(held["events"])


def _final_result(span: Span, said: Sighting) -> None:
    """The reply: text, or an object where the schema beside it says so. A paused run's "result" lists what it waits for."""
    raw = span.attributes.get("final_result")
    if raw is None:
        return
    decoded = content(raw)
    value = decoded.value if decoded else None
    if isinstance(value, dict) and isinstance(value.get("approvals"), list) and isinstance(value.get("calls"), list):
        say(said, "status", Value("awaiting_approval"))
        said.approvals += tuple(_pending(call) for call in value["approvals"] if isinstance(call, dict))
        return
    schema = content(span.attributes.get("logfire.json_schema"))
    properties = schema.value.get("properties") if schema and isinstance(schema.value, dict) else None
    structured = isinstance(properties, dict) and "final_result" in properties
    say(said, "output", decoded if structured and decoded else Value(raw))


def _pending(call: dict[str, Any]) -> Approval:
    wanted = arguments(call.get("args"))
    return Approval(
        tool=_string(call.get("tool_name")),
        call_id=_string(call.get("tool_call_id")),
        requested_arguments=wanted.value if wanted and wanted.state == "present" else None,
    )


def _output_tools(span: Span, said: Sighting) -> None:
    """Output tools are how a structured reply is asked for: a request for one is the reply, not a call."""
    offered = content(span.attributes.get("model_request_parameters"))
    tools = offered.value.get("output_tools") if offered and isinstance(offered.value, dict) else None
    named = {tool.get("name") for tool in tools if isinstance(tool, dict)} if isinstance(tools, list) else set()
    said.output_tools |= {tool for tool in named if isinstance(tool, str)} | {_OUTPUT_TOOL}


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None


DIALECT = Dialect(
    name="pydantic_ai",
    rank=10,
    claims=either(
        scope("pydantic-ai", "pydantic_ai"),
        any_key("pydantic_ai.all_messages", "all_messages_events", "logfire.span_type"),
    ),
    role=_role,
    fields={
        "agent": keys("gen_ai.agent.name", "agent_name"),
        "run_key": keys("gen_ai.agent.call.id"),
        "cost_usd": keys("operation.cost", read=number),
        "deferred": keys("pydantic_ai.tool.deferral.name"),
        "arguments": keys("gen_ai.tool.call.arguments", "tool_arguments", read=arguments),
        "result": keys("gen_ai.tool.call.result", "tool_response", read=result),
    },
    proves=frozenset({"tools", "model_calls", "children"}),
    quirks=(_transcript, _final_result, _output_tools),
)
