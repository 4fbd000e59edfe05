"""Claude Code and the Claude Agent SDK (scopes `com.anthropic.claude_code.tracing` and `….events`).

Spans carry structure, logs carry content; call ids join them. A tool call is a span with its parts below it: the wait for a
decision and the execution (absent: it never ran). A sub-agent has no span: its id stands on the spans of what it did, below
the call that started it; it may go on after that call returned, and its end is reported to a new interaction as if the user
had said so. Detailed tracing puts content on spans, under a heading line.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Report, Role, Sighting, any_key, either, keys, say, scope
from collector.normalize.events import finish
from collector.normalize.messages import Message, Part
from collector.normalize.reading import Event, Span
from collector.normalize.values import arguments, content, count, name, number, result, text
from collector.tree import Approval, Decider, Decision, SkillRead

ROLES: dict[str, Role] = {
    "interaction": "job", "llm_request": "model", "tool": "tool", "tool.execution": "tool",
    "tool.blocked_on_user": "step", "hook": "guardrail",
}  # fmt: skip
DECISIONS: dict[str, Decision] = {"accept": "approve", "reject": "reject", "cancelled": "reject"}
NOTIFICATION = "<task-notification>"
"""How a sub-agent's end is reported to its parent: nobody's words."""

_EVENTS = "claude_code."


def _role(span: Span) -> Role | None:
    kind = span.attributes.get("span.type")
    return ROLES.get(kind.removeprefix(_EVENTS)) if isinstance(kind, str) else None


def _interaction(span: Span, said: Sighting) -> None:
    if said.role != "job":
        return
    prompt = text(span.attributes.get("user_prompt"))
    if prompt is None or prompt.state != "present":
        prompt = next((text(e.attributes.get("prompt")) for e in _named(span, "user_prompt")), None) or prompt
    if prompt is not None and isinstance(prompt.value, str) and prompt.value.startswith(NOTIFICATION):
        _, found, rest = prompt.value.partition("<tool-use-id>")
        say(said, "resumes", name(rest.partition("</tool-use-id>")[0]) if found else None)
    else:
        say(said, "input", prompt)
    answers = sorted(_named(span, "assistant_response"), key=_sequence)
    if answers:
        say(said, "output", text(answers[-1].attributes.get("response")))


def _named(span: Span, event: str) -> list[Event]:
    return [e for e in span.events if e.name.removeprefix(_EVENTS) == event]


def _sequence(event: Event) -> int:
    seen = count(event.attributes.get("event.sequence"))
    return seen.value if seen else 0


def _model(span: Span, said: Sighting) -> None:
    if said.role == "model":
        words = text(span.attributes.get("response.model_output"))
        if words is not None and words.state == "present" and words.value:
            calls = [Part("other")] if span.attributes.get("response.has_tool_call") is True else []
            said.messages_out = [Message("assistant", [Part("text", words.value), *calls])]
        source = span.attributes.get("query_source")
        if isinstance(source, str) and source.startswith("agent:"):
            say(said, "agent", name(source.rsplit(":", 1)[-1]))


def _tool(span: Span, said: Sighting) -> None:
    if said.role != "tool" or span.attributes.get("span.type") not in ("tool", "claude_code.tool"):
        return
    held = span.attributes
    say(said, "arguments", arguments(_below_heading(held.get("tool_input"))))
    for event in _named(span, "tool.output"):
        shown = next((event.attributes[key] for key in ("output", "content", "diff") if key in event.attributes), None)
        say(said, "result", result(shown))
    say(said, "result", result(_below_heading(held.get("new_context"))))
    agent = name(held.get("subagent_type"))
    said.opens = agent is not None
    say(said, "child_agent", agent)
    skill = name(held.get("skill_name"))
    if skill is not None:
        said.skills += (SkillRead(skill.value, at=span.start or None),)


def _below_heading(raw: Any) -> Any:
    """Content under a line such as `[TOOL INPUT: name]`."""
    return raw.partition("\n")[2] if isinstance(raw, str) and raw.startswith("[TOOL ") else raw


def _logs(span: Span, said: Sighting) -> None:
    """Calls and decisions that logs tell of; they stand on the span that was open, not on that of the call."""
    for event in _named(span, "tool_result"):
        held = event.attributes
        call = held.get("tool_use_id")
        if isinstance(call, str) and call:
            ok = str(held.get("success")).lower()
            wanted = arguments(held["tool_input"]) if held.get("tool_input") is not None else None
            error = held.get("error")
            said.reports += (
                Report(
                    call,
                    _tool_name(held),
                    wanted,
                    failed=ok == "false",
                    error=error if isinstance(error, str) else None,
                ),
            )
    for event in _named(span, "tool_decision"):
        _decided(event.attributes, event.time, said, call=event.attributes.get("tool_use_id"))
    if span.attributes.get("span.type") == "tool.blocked_on_user" and not _named(span, "tool_decision"):
        _decided(span.attributes, span.end, said, call=None)


def _decided(held: dict[str, Any], at: int, said: Sighting, *, call: Any) -> None:
    decision = DECISIONS.get(str(held.get("decision")))
    if decision is not None:
        source = str(held.get("source") or "")
        decider: Decider = "human" if source.startswith("user") else "auto" if source == "config" else "policy"
        call_id = call if isinstance(call, str) and call else None
        tool = _tool_name(held) if call_id else None
        said.approvals += (Approval(tool, call_id, decision=decision, source=decider, decided_at=at or None),)


def _tool_name(held: dict[str, Any]) -> str | None:
    """The name as the agent saw it: MCP tools are logged as `mcp_tool`, their names in the parameters."""
    more = content(held.get("tool_parameters"))
    inner = more.value if more and isinstance(more.value, dict) else {}
    server, tool = inner.get("mcp_server_name"), inner.get("mcp_tool_name")
    if isinstance(server, str) and isinstance(tool, str):
        return f"mcp__{server}__{tool}"
    plain = held.get("tool_name")
    return plain if isinstance(plain, str) and plain != "mcp_tool" else None


DIALECT = Dialect(
    name="claude_code",
    rank=10,
    claims=either(scope("com.anthropic.claude_code"), any_key("span.type")),
    role=_role,
    fields={
        "actor": keys("agent_id"),
        "tool": keys("tool_name"),
        "call_id": keys("tool_use_id"),
        "finish": keys("stop_reason", read=finish),
        "error": keys("error", read=text),
        "cost_usd": keys("cost_usd", read=number),
    },
    proves=frozenset({"tools", "model_calls", "children", "approvals", "skills"}),
    quirks=(_interaction, _model, _tool, _logs),
)
