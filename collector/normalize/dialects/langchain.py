"""LangChain and LangGraph through OpenInference (scope `openinference.instrumentation.langchain`).

The kind AGENT is a guess from the word in the span's name: nodes, middleware hooks and handoff tools get it, and one agent
several nested times. Which span is a graph is told by the levels (`assemble/graphs.py`). A tool with a single text argument
records the bare text, so that the argument's name is lost; its output is a serialised message, or a command.
"""

from collector.normalize import langchain
from collector.normalize.dialect import Dialect, Role, Sighting, say, scope
from collector.normalize.reading import Span
from collector.normalize.values import arguments, content


def _role(span: Span) -> Role | None:
    kind = span.attributes.get("openinference.span.kind")
    return "tool" if kind == "TOOL" or "tool.name" in span.attributes else None


def _graph(span: Span, said: Sighting) -> None:
    """Levels, names, and what a graph began and ended with."""
    kind = span.attributes.get("openinference.span.kind")
    metadata = content(span.attributes.get("metadata"))
    held = metadata.value if metadata and isinstance(metadata.value, dict) else {}
    said.level = langchain.level(held.get("langgraph_checkpoint_ns") or held.get("checkpoint_ns")) or 0
    langchain.place(said, held, acts=kind in ("LLM", "TOOL"))
    if said.role == "tool":
        langchain.tool(said, span.attributes.get("output.value"))
        if said.handed_to is not None:
            said.role = "handoff"
        given = span.attributes.get("input.value")
        say(said, "arguments", arguments(given) if given is not None else None)
    elif kind in ("AGENT", "CHAIN"):
        said.guessed, said.graph = kind == "AGENT", span.name
        said.role = "job" if said.guessed else "step"
        if said.guessed or held.get("lc_agent_name") == span.name:
            say(said, "agent", langchain.agent_name(span.name))
        langchain.begun_with(said, content(span.attributes.get("input.value")))
    langchain.pauses(span, said)


DIALECT = Dialect(
    name="langchain",
    rank=10,
    claims=scope("openinference.instrumentation.langchain"),
    role=_role,
    quirks=(_graph,),
)
