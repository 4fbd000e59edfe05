"""Microsoft Agent Framework (Python `agent_framework`, .NET `Microsoft.Agents.AI`): semantic conventions, and workflows.

Traps kept in mind: finish reasons are JSON text; the call id "unknown" is none; the agent's output messages
are its whole transcript; a workflow's executors are linked by the messages that they send, and its building is a trace of
its own; a hosted agent has an outer span of the same name (merged by the assembler).
"""

from collector.normalize.dialect import Dialect, Role, Sighting, any_key, either, scope
from collector.normalize.reading import Span
from collector.normalize.values import name

_ROLES: dict[str, Role] = {
    "workflow.build": "noise",
    "workflow.run": "workflow",
    "executor.process": "step",
    "edge_group.process": "step",
    "message.send": "step",
}
_HANDOFF = "handoff_to_"


def _role(span: Span) -> Role | None:
    return _ROLES.get(span.name.partition(" ")[0])


def _handoff(span: Span, said: Sighting) -> None:
    """Handoffs are tools that are named after their target."""
    called = span.attributes.get("gen_ai.tool.name")
    if isinstance(called, str) and called.startswith(_HANDOFF):
        said.handed_to = name(called.removeprefix(_HANDOFF))


DIALECT = Dialect(
    name="agent_framework",
    rank=10,
    claims=either(
        scope("agent_framework", "Experimental.Microsoft.Agents.AI", "Microsoft.Agents.AI"),
        any_key("executor.id", "workflow.id", "edge_group.id"),
    ),
    role=_role,
    proves=frozenset({"tools", "model_calls", "children"}),
    quirks=(_handoff,),
)
