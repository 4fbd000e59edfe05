"""LlamaIndex, through OpenInference.

Traps kept in mind: a run is a CHAIN `X.run` whose input is the workflow's configuration and whose output is
a repr cut off at 200 characters; the agents of a workflow have no spans, their names stand in the reprs of the steps' events;
`_prepare_chat_with_tools` is of kind LLM and no model call; a call's id stands in the repr that `call_tool` was given only.
"""

from typing import Any

from collector.normalize import literals
from collector.normalize.dialect import Dialect, Role, Sighting, say, scope
from collector.normalize.python_calls import is_handle, passed
from collector.normalize.reading import Span
from collector.normalize.values import Value, bounded, content, name, result

_MESSAGES = ("llm.input_messages.", "llm.output_messages.")
"""How the attributes begin that hold messages in a form to be read."""
_STEP = "run_agent_step"
"""The step that every workflow of agents has: it tells them from other workflows."""


def _role(span: Span) -> Role | None:
    last = span.name.rpartition(".")[2]
    if last == "run" and _STEP in str(span.attributes.get("input.value")):
        return "job"
    if last == "_prepare_chat_with_tools":
        return "step"
    if last == "call_tool" and _event(span, "ToolCall") is not None:
        return "tool"
    return None


def _event(span: Span, kind: str) -> dict[str, Any] | None:
    """The event that the step was given, where it is of this kind."""
    seen = content(span.attributes.get("input.value"))
    told = seen.value.get("ev") if seen and isinstance(seen.value, dict) else None
    if not isinstance(told, str) or not told.startswith(kind + "("):
        return None
    try:
        event = literals.parse(told)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def _turn(span: Span, said: Sighting) -> None:
    """Whose turn it is, at the step that begins it."""
    if said.role == "job":
        said.settled |= {"input", "output"}
    if span.name.endswith(".setup_agent"):
        said.turn = name((_event(span, "AgentInput") or {}).get("current_agent_name"))


def _retold(span: Span, said: Sighting) -> None:
    """A model call's outer span holds reprs where messages belong: the span within it holds the messages."""
    if said.role is None and not any(key.startswith(_MESSAGES) for key in span.attributes):
        said.settled |= {"messages"}


def _call(span: Span, said: Sighting) -> None:
    """The step around a tool: name, arguments and id."""
    event = _event(span, "ToolCall") if said.role == "tool" else None
    if event is None:
        return
    say(said, "tool", name(event.get("tool_name")))
    say(said, "call_id", name(event.get("tool_id")))
    given = event.get("tool_kwargs")
    say(said, "arguments", Value(bounded(given)) if isinstance(given, dict) else None)
    said.settled |= {"arguments", "result", "tool"}
    _handoff(said)


def _tool(span: Span, said: Sighting) -> None:
    held = span.attributes
    if held.get("openinference.span.kind") != "TOOL":
        return
    say(said, "tool", name(held.get("tool.name")))
    say(said, "arguments", passed(held.get("input.value")))
    seen = result(held.get("output.value"))
    output = seen.value if seen and isinstance(seen.value, dict) else {}
    if "raw_output" in output:
        say(said, "result", Value(output["raw_output"]) if not is_handle(output["raw_output"]) else None)
        said.tool_failed = output.get("is_error") is True
    said.settled |= {"arguments"}


def _handoff(said: Sighting) -> None:
    """The tool by which agents of a workflow hand over."""
    given = said.arguments.value if said.arguments else None
    if said.tool and said.tool.value == "handoff" and isinstance(given, dict):
        say(said, "handed_to", name(given.get("to_agent")))


DIALECT = Dialect(
    name="llama_index",
    rank=10,
    claims=scope("openinference.instrumentation.llama_index"),
    role=_role,
    proves=frozenset({"tools", "tool_results", "model_calls", "children"}),
    quirks=(_turn, _retold, _call, _tool),
)
