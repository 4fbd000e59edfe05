"""Strands Agents (scope `strands.telemetry.tracer`), 0.2 to 1.62: content stands in span events, in Bedrock's shape.

Traps: by default a tool's arguments and result are only in the events of its span; a failed tool may
have status OK and tell of its failure in `tool.status` alone (0.2); the usage of an agent span grows over the agent
object's life, so it is not read; the reply on the agent span is text with a line feed at its end. With the newest
conventions opted in, attributes hold the arguments, and the result unless the tool failed.
"""

from dataclasses import replace
from typing import Any

from collector.normalize.dialect import Dialect, Key, Role, Sighting, any_key, either, say, scope
from collector.normalize.events import CHOICE, from_events
from collector.normalize.messages import Part, joined, read
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, name, result

_ASKED = "gen_ai.tool.message"
_MADE = "gen_ai.output.messages"
_HANDOFF = "handoff_to_agent"
_VENDOR = ("strands-agents", "strands")


def _claims(span: Span) -> bool:
    return any(span.attributes.get(key) in _VENDOR for key in ("gen_ai.system", "gen_ai.provider.name"))


def _role(span: Span) -> Role | None:
    operation = span.attributes.get("gen_ai.operation.name")
    if isinstance(operation, str) and operation.startswith("invoke_") and operation != "invoke_agent":
        return "workflow"  # invoke_swarm, invoke_graph, invoke_{class}
    return None if operation else "step" if "event_loop.cycle_id" in span.attributes else None


def _blocks(raw: Any) -> Value | None:
    """A tool's result: the text within `[{"text": …}]`, decoded."""
    seen = content(raw)
    if seen is None or seen.state != "present" or not isinstance(seen.value, list):
        return result(raw)
    return result(joined(seen.value))


def _words(span: Span, said: Sighting) -> None:
    """What a job was asked and what it answered."""
    said.orchestrates = said.role == "workflow"
    if span.attributes.get("gen_ai.operation.name") == "invoke_agent":
        told = from_events(span.events)
        details = [event.attributes[_MADE] for event in span.events if _MADE in event.attributes]
        made = told.made or read(span.attributes.get(_MADE, details[-1] if details else None)) or []
        made = [replace(message, parts=[_stripped(part) for part in message.parts]) for message in made]
        said.messages_in, said.messages_out = said.messages_in or told.given, said.messages_out or made or None
        if made and made[-1].finish == "interrupt":
            say(said, "status", Value("awaiting_approval"))


def _stripped(part: Part) -> Part:
    return part._replace(text=part.text.removesuffix("\n"))  # `str` of a result ends its text so


def _tool(span: Span, said: Sighting) -> None:
    if "gen_ai.tool.name" not in span.attributes:
        return
    said.tool_failed = any(span.attributes.get(key) == "error" for key in ("gen_ai.tool.status", "tool.status"))
    for event in span.events:
        if event.name == _ASKED:
            say(said, "arguments", arguments(event.attributes.get("content")))
        elif event.name == CHOICE:
            say(said, "result", _blocks(event.attributes.get("message")))
    wanted = said.arguments or arguments(span.attributes.get("gen_ai.tool.call.arguments"))
    if span.attributes["gen_ai.tool.name"] == _HANDOFF and wanted is not None and isinstance(wanted.value, dict):
        say(said, "handed_to", name(wanted.value.get("agent_name")))
        say(said, "mode", Value("pass_control"))


DIALECT = Dialect(
    name="strands",
    rank=10,
    claims=either(scope("strands.telemetry.tracer", "strands-agents"), any_key("event_loop.cycle_id"), _claims),
    role=_role,
    fields={"result": (Key("gen_ai.tool.call.result", _blocks),)},
    proves=frozenset({"tools", "tool_results", "model_calls", "children"}),
    quirks=(_words, _tool),
)
