"""OpenAI's Codex CLI (events `codex.*`, on logs and, without content, on spans).

The log is the source: prompts, calls with arguments and output, decisions. A refused call writes a decision and a failed
result as well; the refusal counts. Outputs are cut at 2 KiB, and say so.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Report, Role, Sighting, either, keys, say, scope
from collector.normalize.reading import Event, Span
from collector.normalize.values import arguments, result, text
from collector.tree import Approval, Decider, Decision, SkillRead

_PREFIX = "codex."
DECISIONS: tuple[tuple[str, Decision], ...] = (
    ("approved", "approve"), ("denied", "reject"), ("abort", "reject"), ("timed", "timeout"),
)  # fmt: skip
"""By the beginning of the decision's word: their exact spellings vary by version."""


def _role(span: Span) -> Role | None:
    """A turn is the span on which the prompt was logged."""
    if any(event.name == "codex.user_prompt" for event in span.events):
        return "job"
    return "tool" if span.name == "mcp.tools.call" else None


def _events(span: Span, said: Sighting) -> None:
    for event in span.events:
        reader = _READERS.get(event.name)
        if reader is not None:
            reader(event, said)


def _prompt(event: Event, said: Sighting) -> None:
    say(said, "input", text(event.attributes.get("prompt")))


def _response(event: Event, said: Sighting) -> None:
    if event.attributes.get("agent.type", "main") == "main":
        say(said, "output", text(event.attributes.get("response")))


def _result(event: Event, said: Sighting) -> None:
    held = event.attributes
    call = _string(held.get("call_id"))
    if call is None:
        return
    failed = str(held.get("success")).lower() == "false"
    made = result(held.get("output"))
    wanted = arguments(held["arguments"]) if held.get("arguments") is not None else None
    error = held.get("output") if failed else None
    said.reports += (Report(call, _string(held.get("tool_name")), wanted, made, failed, _string(error)),)


def _decision(event: Event, said: Sighting) -> None:
    word, call = str(event.attributes.get("decision") or "").lower(), _string(event.attributes.get("call_id"))
    decision = next((known for start, known in DECISIONS if word.startswith(start)), None)
    if decision is not None:
        source = str(event.attributes.get("source") or "").lower()
        decider: Decider = "human" if source.startswith("user") else "auto" if source == "config" else "unknown"
        tool = _string(event.attributes.get("tool_name"))
        said.approvals += (Approval(tool, call, decision=decision, source=decider, decided_at=event.time or None),)


def _skill(event: Event, said: Sighting) -> None:
    skill = _string(event.attributes.get("skill.name"))
    if skill is not None:
        said.skills += (SkillRead(skill, at=event.time or None),)


_READERS = {
    "codex.user_prompt": _prompt,
    "codex.agent_response": _response,
    "codex.tool_result": _result,
    "codex.tool_decision": _decision,
    "codex.skill_invocation": _skill,
}


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None


DIALECT = Dialect(
    name="codex",
    rank=10,
    claims=either(
        scope("codex_otel", "codex_core", "codex_exec", "codex_cli_rs"),
        lambda span: any(event.name.startswith(_PREFIX) for event in span.events),
    ),
    role=_role,
    fields={"conversation": keys("conversation.id"), "tool": keys("tool.name"), "call_id": keys("tool.call_id")},
    proves=frozenset({"tools", "approvals"}),
    quirks=(_events,),
)
