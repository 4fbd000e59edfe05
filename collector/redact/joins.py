"""Names that tie evidence together: ids of calls, jobs, responses and conversations, names of agents, tools and cases.

Rules never touch them: a tree that lost one would be another tree, and a verdict about it wrong instead of open. Most of
the list is what the dialects declare for such facts.
"""

import functools

from collector.decode.promoted import PROMOTED
from collector.normalize.dialects import DIALECTS
from collector.normalize.sight import VENDORS, WRITERS

FACTS = (
    *("agent", "agent_id", "run_key", "job_id", "parent_job_id", "conversation", "batch", "case", "suite"),
    *("handed_from", "handed_to", "runs", "turn", "mode", "status", "captured", "provider", "response_id", "finish"),
    *("tool", "qualified", "tool_kind", "call_id", "child_agent", "actor", "resumes", "deferred"),
)
"""Facts of a sighting by which spans find each other, or that say what a span stands for."""

_COLUMNS = ("operation", "span_kind", "agent_name", "conversation_id", "response_id", "tool_name", "tool_call_id")
_MORE_COLUMNS = ("job_id", "case_name", "suite_name", "batch")

SAID_OTHERWISE = frozenset(
    {
        "event.name",
        "gen_ai.agent.name",
        "gen_ai.tool.call.id",
        "gen_ai.tool.name",
        "id",
        "call_id",
        "tool_call_id",
        "tool_use_id",
        "tool_name",
        "function_name",
        "tracegrade.approval.decision",
        "tracegrade.approval.source",
        *(
            "agent.type",
            "ai.operationId",
            "ai.telemetry.functionId",
            "input.mime_type",
            "output.mime_type",
            "subagent_type",
        ),
        *("edge_group.id", "event_loop.cycle_id", "executor.id", "graph.node.id"),
        *("gen_ai.agent.call.id", "gen_ai.agent.handoff.source.name", "gen_ai.agent.handoff.target.name"),
        *("gen_ai.tool.call_id", "gen_ai.transfer.target.name", "graph.node.parent_id", "langfuse.observation.type"),
        *("langsmith.span.kind", "link.type", "llm.request.type", "lmnr.span.type", "logfire.span_type"),
        *("mastra.span.type", "mcp.method.name", "mlflow.spanType", "span.type", "tool.call_id"),
        *("traceloop.entity.name", "workflow.id"),
    }
)
"""What dialects read by code of their own: the kind of a span, and names in events, logs and graphs."""

FLATTENED = ("tool_call.id", "tool_call.function.name", "message.role", "message.tool_call_id", "message.name")
"""Ends of the keys into which OpenInference flattens messages."""

PLACES = ("checkpoint_ns", "langgraph_checkpoint_ns", "lc_agent_name")
"""Members of LangChain's metadata, and ends of the keys that they are flattened into: where in a graph a span stands."""

MEMBERS = frozenset(
    {
        *("id", "name", "role", "type", "kind", "call_id", "tool_call_id", "tool_use_id", "toolCallId", "toolUseId"),
        *("toolName", "tool_name", "finish_reason", "approvalId", "approval_id"),
    }
)
"""Members of messages and their parts that say which call is meant, and which tool."""

MESSAGE = frozenset({"role", "type", "function", "tool_calls", "parts", "tool_call_id", "toolCallId", "toolUseId"})
"""An object with one of these members is taken for a message or a part of one."""

DATA = frozenset(
    {"arguments", "args", "input", "parameters", "result", "response", "output", "requested_arguments", "text"}
)
"""Members below which an object is the tool's or the user's own, whatever its members are called."""


@functools.cache
def attributes() -> frozenset[str]:
    """The attributes that no rule may touch, in spans, events, logs, resources and scopes."""
    declared = {key.path for dialect in DIALECTS for fact in FACTS for key in dialect.fields.get(fact, ())}
    promoted = {name for column in (*_COLUMNS, *_MORE_COLUMNS) for name in PROMOTED[column][1]}
    return frozenset(declared | promoted | SAID_OTHERWISE | set(VENDORS) | set(WRITERS))


def holds(key: str) -> bool:
    """Whether this attribute ties evidence together."""
    return key in attributes() or key.endswith(FLATTENED) or key.rpartition(".")[2] in PLACES
