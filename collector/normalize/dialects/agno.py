"""Agno, through OpenInference.

Traps kept in mind: the span's name rewrites the agent's; `graph.node.parent_id` is a team's hierarchy, not a
handoff; a member runs beside the tool span that gave it work; a failed tool has no exception event, its text is its output;
a failed run's output is the error.
"""

from collector.normalize.dialect import Dialect, Role, Sighting, either, keys, prefix, say, scope
from collector.normalize.reading import Span
from collector.normalize.values import Value, content, name, text

_NAMELESS = frozenset(("Agent", "Team", "Workflow"))
"""What a span is called after where its agent has no name."""


_DELEGATES = "delegate_task_to_member"
"""And `…_members`: the tools by which a team gives work to one of its members, or to all."""


def _role(span: Span) -> Role | None:
    return "workflow" if "agno.workflow.steps_count" in span.attributes else None


def _workflow(span: Span, said: Sighting) -> None:
    if said.role == "workflow":
        said.input, said.output = (name(span.attributes.get(f"{side}.value")) for side in ("input", "output"))


def _job(span: Span, said: Sighting) -> None:
    if span.attributes.get("openinference.span.kind") != "AGENT":
        return
    called = name(span.name.removesuffix(".run").removesuffix(".arun"))
    if called is not None and called.value not in _NAMELESS:
        say(said, "agent", called)
    said.settled |= {"agent", "handed_from", "input_tokens", "output_tokens"}
    for side in ("input", "output"):  # "" is written where there is none
        if span.attributes.get(f"{side}.value") == "" or (side == "output" and span.failed):
            said.settled |= {side}


def _tool(span: Span, said: Sighting) -> None:
    held = span.attributes
    if held.get("openinference.span.kind") != "TOOL":
        return
    if span.failed:
        say(said, "error", text(held.get("output.value")))
        said.settled |= {"result"}
    if str(held.get("tool.name")).startswith(_DELEGATES):
        given = content(held.get("input.value"))
        member = given.value.get("member_id") if given and isinstance(given.value, dict) else None
        said.runs = Value(member if isinstance(member, str) else None)


DIALECT = Dialect(
    name="agno",
    rank=10,
    claims=either(scope("openinference.instrumentation.agno"), prefix("agno.")),
    fields={
        "agent": keys("agent.name", "agno.agent.name", "agno.team.name"),
        "agent_id": keys("agno.agent.id", "agno.team.id"),
    },
    proves=frozenset({"tools", "tool_results", "model_calls", "children"}),
    role=_role,
    quirks=(_workflow, _job, _tool),
)
