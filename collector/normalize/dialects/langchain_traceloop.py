"""LangChain and LangGraph through OpenLLMetry (scope `opentelemetry.instrumentation.langchain`).

Each node and graph is an `execute_task`; a graph within another is announced by a childless `invoke_agent` beside it. A root
graph writes two spans with that operation; it is an agent only where LangChain says so (`lc_agent_name`), else a container.
Tool arguments and results are wrapped with the callback's own fields. Jumps and pauses end spans with an error status.
"""

from typing import Any

from collector.normalize import langchain
from collector.normalize.dialect import Dialect, Role, Sighting, either, prefix, say, scope
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, withheld

_OWN = "traceloop.association.properties."


def _role(span: Span) -> Role | None:
    operation = span.attributes.get("gen_ai.operation.name")
    if operation is None and span.attributes.get("traceloop.span.kind") == "workflow":  # before 0.5: kinds alone
        return "workflow"
    if operation == "goto":
        return "handoff"
    if operation == "invoke_agent":
        agent = span.attributes.get(_OWN + "lc_agent_name")
        graph = "gen_ai.workflow.nodes" in span.attributes or "traceloop.span.kind" in span.attributes
        return "workflow" if graph and agent is None else "job"
    return None


def _graph(span: Span, said: Sighting) -> None:
    held = span.attributes
    level = langchain.level(held.get(_OWN + "langgraph_checkpoint_ns"))
    if said.role is None and held.get("gen_ai.operation.name") == "execute_task":
        said.level, said.graph = level or 0, _text(held.get("traceloop.entity.name"))
        if said.graph is not None and held.get(_OWN + "lc_agent_name") == said.graph:
            say(said, "agent", langchain.agent_name(said.graph))
    else:
        said.level = level
    task = held.get("gen_ai.operation.name") == "execute_task"
    langchain.place(said, held, _OWN, acts=not task and said.role not in ("job", "workflow"))
    langchain.pauses(span, said)


def _io(span: Span, said: Sighting) -> None:
    operation, kind = (span.attributes.get(key) for key in ("gen_ai.operation.name", "traceloop.span.kind"))
    if operation == "execute_tool" or kind == "tool":
        _tool(span, said)
    elif said.role in ("job", "workflow") or said.level is not None:
        given, made = (content(span.attributes.get(f"traceloop.entity.{end}")) for end in ("input", "output"))
        langchain.begun_with(said, _member(given, "inputs"))
        say(said, "output", _member(made, "outputs"))


def _member(seen: Value | None, name: str) -> Value | None:
    """What an envelope holds; the envelope itself where a rule took it out."""
    if withheld(seen):
        return seen
    return Value(seen.value[name]) if seen is not None and isinstance(seen.value, dict) and name in seen.value else None


def _tool(span: Span, said: Sighting) -> None:
    given = content(span.attributes.get("gen_ai.tool.call.arguments", span.attributes.get("traceloop.entity.input")))
    made = content(span.attributes.get("gen_ai.tool.call.result", span.attributes.get("traceloop.entity.output")))
    if given is not None and given.state == "present" and isinstance(given.value, dict) and "input_str" in given.value:
        own = given.value.get("kwargs")
        say(
            said,
            "call_id",
            Value(own["tool_call_id"]) if isinstance(own, dict) and _text(own.get("tool_call_id")) else None,
        )
        say(said, "arguments", arguments(given.value.get("inputs", given.value["input_str"])))
    if made is not None and made.state == "present" and isinstance(made.value, dict) and "output" in made.value:
        langchain.tool(said, made.value["output"])


def _goto(span: Span, said: Sighting) -> None:
    target = _text(span.attributes.get("langgraph.command.goto_node"))
    if target is not None:
        say(said, "handed_to", Value(target))


def _text(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None


DIALECT = Dialect(
    name="langchain_traceloop",
    rank=10,
    claims=either(scope("opentelemetry.instrumentation.langchain"), prefix("langgraph.command.")),
    role=_role,
    proves=frozenset({"tools", "model_calls", "children"}),
    quirks=(_graph, _io, _goto),
)
