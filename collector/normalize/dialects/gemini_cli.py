"""Gemini CLI (scope `gemini-cli`): a span for each operation, its input and output in the attributes for messages.

A tool call's "messages" are the whole request (`callId`, `name`, `args`) and the response; the call id's key has an
underscore. Every span is named after the program as its agent, sub-agents too, so that name says nothing. Content is cut at
10,000 characters, which breaks its JSON. Logs tell of each call's arguments, success and the decision on it.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Report, Role, Sighting, either, keys, say, scope
from collector.normalize.messages import read
from collector.normalize.reading import Event, Span
from collector.normalize.values import Value, arguments, content, name, result, text
from collector.tree import Approval, Decider, Decision

ROLES: dict[str, Role] = {
    "user_prompt": "job", "agent_call": "job", "llm_call": "model", "tool_call": "tool",
    "schedule_tool_calls": "step", "system_prompt": "step",
}  # fmt: skip
DECISIONS: dict[str, tuple[Decision, Decider]] = {
    "accept": ("approve", "human"), "auto_accept": ("approve", "auto"), "modify": ("edit", "human"),
    "reject": ("reject", "human"),
}  # fmt: skip
_PROGRAM = "gemini-cli"
_LOG = "gemini_cli.tool_call"


def _role(span: Span) -> Role | None:
    operation = span.attributes.get("gen_ai.operation.name")
    return ROLES.get(operation) if isinstance(operation, str) else None


def _names(span: Span, _said: Sighting) -> None:
    if span.attributes.get("gen_ai.agent.name") == _PROGRAM:
        span.attributes.pop("gen_ai.agent.name")


def _io(span: Span, said: Sighting) -> None:
    given, made = (content(span.attributes.get(f"gen_ai.{end}.messages")) for end in ("input", "output"))
    if said.role == "tool":
        request = given.value if given is not None and isinstance(given.value, dict) else {}
        say(said, "tool", name(request.get("name")))
        say(said, "call_id", name(request.get("callId")))
        say(said, "arguments", arguments(request["args"]) if "args" in request else _unreadable(given))
        say(said, "result", result(made.value) if made is not None and made.state == "present" else made)
    elif said.role == "job":
        request = given.value if given is not None and given.state == "present" else None
        say(said, "input", Value(request) if isinstance(request, str) else None)
        say(said, "agent", name(request.get("name")) if isinstance(request, dict) else None)
        say(said, "output", made if made is not None and isinstance(made.value, str) else None)
    elif said.role == "model":
        said.messages_in = read(span.attributes.get("gen_ai.input.messages"))
        said.messages_out = read(span.attributes.get("gen_ai.output.messages"))


def _unreadable(seen: Value | None) -> Value | None:
    return seen if seen is not None and seen.state != "present" else None


def _logs(span: Span, said: Sighting) -> None:
    for event in span.events:
        if event.name == _LOG:
            _call(event, span, said)


def _call(event: Event, span: Span, said: Sighting) -> None:
    held = event.attributes
    call = span.attributes.get("gen_ai.tool.call_id") or held.get("call_id")
    tool = _string(held.get("function_name"))
    decided = DECISIONS.get(str(held.get("decision")))
    call_id = _string(call)
    if decided is not None:
        said.approvals += (
            Approval(tool, call_id, decision=decided[0], source=decided[1], decided_at=event.time or None),
        )
    if call_id is not None:
        wanted = arguments(held["function_args"]) if held.get("function_args") is not None else None
        failed = str(held.get("success")).lower() == "false"
        error = text(held.get("error"))
        said.reports += (Report(call_id, tool, wanted, failed=failed, error=error.value if error else None),)


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None


DIALECT = Dialect(
    name="gemini_cli",
    rank=10,
    claims=either(scope(_PROGRAM), lambda span: span.resource.get("service.name") == _PROGRAM),
    role=_role,
    fields={"call_id": keys("gen_ai.tool.call_id")},
    proves=frozenset({"tools", "model_calls", "approvals"}),
    quirks=(_names, _io, _logs),
)
