"""CrewAI: through OpenInference, its own tracing (1.15), and its telemetry, which is product analytics and dropped.

Traps kept in mind: OpenInference writes no model calls; an agent's input is a dump of agent and tools,
what it was asked stands in its output; "Delegate work to coworker" runs another agent without a span; tool names on spans are
those that people gave, not those that the model saw. A person's feedback is a pair of instant spans in the native tracing.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Key, Role, Sighting, any_key, either, keys, prefix, say, scope
from collector.normalize.messages import parse
from collector.normalize.reading import Span
from collector.normalize.values import Value, content, name, text
from collector.tree import Approval, Decision

_INSTRUMENTOR = "openinference.instrumentation.crewai"
_TO_COWORKER = frozenset(("delegateworktocoworker", "askquestiontocoworker"))
_FEEDBACK = "crewai.human_feedback."
_NATIVE: dict[str, Role] = {
    "execute crew": "workflow",
    "execute flow": "workflow",
    "execute task": "step",
    "call method": "step",
    "execute agent": "job",
    "call llm": "model",
    "call tool": "tool",
}
_OUTCOMES: dict[str, Decision] = {
    "approved": "approve", "approve": "approve", "accepted": "approve", "yes": "approve",
    "rejected": "reject", "reject": "reject", "denied": "reject", "no": "reject",
}  # fmt: skip


def _role(span: Span) -> Role | None:
    if span.scope == "crewai.telemetry":
        return "noise"
    if span.scope != _INSTRUMENTOR:
        return next((role for start, role in _NATIVE.items() if span.name.startswith(start)), None)
    if span.name.endswith(".kickoff") and span.attributes.get("openinference.span.kind") == "CHAIN":
        return "workflow"
    return None


def _crew(span: Span, said: Sighting) -> None:
    """A crew was asked through its inputs, else through its only task."""
    held = span.attributes
    if said.role != "workflow":
        return
    given = _object(held.get("input.value") or held.get("crew_inputs"))
    said.settled |= {"input", "output"}
    if given:
        only = next(iter(given.values())) if len(given) == 1 else given
        said.input = Value(only)
    else:
        tasks = content(held.get("crew_tasks"))
        listed = tasks.value if tasks and isinstance(tasks.value, list) else []
        if len(listed) == 1 and isinstance(listed[0], dict):
            said.input = name(listed[0].get("description"))
    said.output = _said(_object(held.get("output.value")))


def _agent(span: Span, said: Sighting) -> None:
    held = span.attributes
    if held.get("openinference.span.kind") != "AGENT":
        return
    made = _object(held.get("output.value"))
    task = made.get("description") or held.get("task_description") or held.get("formatted_description")
    named = held.get("graph.node.id")
    say(said, "agent", name(named.strip()) if isinstance(named, str) else name(made.get("agent")))
    said.settled |= {"input", "output", "agent", "handed_from"}
    said.input = name(task) or _asked(held.get("input.value"))
    said.output = _said(made) if "raw" in made else content(held.get("output.value"))


def _asked(raw: Any) -> Value | None:
    """What an agent without a crew was asked: words, or messages. A dump of an agent is neither."""
    seen = content(raw)
    held = seen.value if seen else None
    if isinstance(held, dict):
        held = held.get("messages")
    if isinstance(held, list):
        words = [said for message in parse(held) if message.role == "user" and (said := message.text())]
        held = words[-1] if words else None
    return name(held)


def _said(made: dict[str, Any]) -> Value | None:
    """The reply: the object that the task asked for, else the text."""
    for form in ("json_dict", "pydantic"):
        if isinstance(made.get(form), dict):
            return Value(made[form])
    return text(made.get("raw"))


def _coworker(span: Span, said: Sighting) -> None:
    """The tools by which an agent gives work to another."""
    called = said.tool or name(span.attributes.get("tool.name") or span.attributes.get("gen_ai.tool.name"))
    letters = "".join(c for c in called.value.lower() if c.isalnum()) if called else ""
    if letters in _TO_COWORKER:
        given = content(span.attributes.get("input.value") or span.attributes.get("gen_ai.tool.call.arguments"))
        held = given.value if given and isinstance(given.value, dict) else {}
        said.runs = name(held.get("coworker"))


def _feedback(span: Span, said: Sighting) -> None:
    held = span.attributes
    if not span.name.endswith("human feedback") or f"{_FEEDBACK}method_name" not in held:
        return
    outcome, feedback = held.get(f"{_FEEDBACK}outcome"), held.get(f"{_FEEDBACK}feedback")
    decided = _OUTCOMES.get(outcome.strip().lower()) if isinstance(outcome, str) else None
    asks = span.name.startswith("request")
    said.approvals += (
        Approval(
            tool=_string(held[f"{_FEEDBACK}method_name"]),
            call_id=_string(held.get(f"{_FEEDBACK}request_id")),
            kind="human_feedback",
            decision="pending" if asks else decided or "edit",
            source="human",
            reason=None if asks else _string(feedback),
            requested_at=span.start or None if asks else None,
            decided_at=None if asks else span.start or None,
        ),
    )


def _object(raw: Any) -> dict[str, Any]:
    seen = content(raw)
    return seen.value if seen and seen.state == "present" and isinstance(seen.value, dict) else {}


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None


def _proves(span: Span, said: Sighting) -> None:
    if span.scope not in (_INSTRUMENTOR, "crewai.telemetry"):
        said.proves |= {"model_calls"}


DIALECT = Dialect(
    name="crewai",
    rank=10,
    claims=either(scope(_INSTRUMENTOR, "crewai"), prefix("crewai."), any_key("crew_key", "crew_id")),
    role=_role,
    fields={"tool": (Key("crewai.tool.name", name),), "agent": keys("crewai.agent.role")},
    proves=frozenset({"tools", "tool_results", "children"}),
    quirks=(_crew, _agent, _coworker, _feedback, _proves),
)
