"""LangSmith's exporter of runs as spans (scope `langsmith`): a run's inputs and outputs stand whole in two attributes.

Traps: a retriever run is called `embeddings`; inputs and outputs are what LangChain serialised, or the
arguments and the return value of a decorated function; a LangChain tool's input is the text of its arguments, for a single
text argument the bare text. A pause for a decision is an error. A run of type `chain` is an agent only where it is a graph
(`assemble/graphs.py`); a function is decorated at will, so what was not seen is not proof that it did not happen.
"""

from typing import Any

from collector.normalize import langchain
from collector.normalize.dialect import Dialect, Role, Sighting, any_key, either, keys, say, scope
from collector.normalize.messages import read
from collector.normalize.python_calls import passed, words
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, name, text

_META = "langsmith.metadata."
ROLES: dict[str, Role] = {
    "llm": "model",
    "tool": "tool",
    "retriever": "retrieval",
    "embedding": "embedding",
    **dict.fromkeys(("chain", "prompt", "parser"), "step"),
}


def _role(span: Span) -> Role | None:
    kind = span.attributes.get("langsmith.span.kind")
    return ROLES.get(kind) if isinstance(kind, str) else None


def _run(span: Span, said: Sighting) -> None:
    given, made = (content(span.attributes.get(f"gen_ai.{end}")) for end in ("prompt", "completion"))
    if said.role == "model":
        said.messages_in, said.messages_out = _messages(given), _messages(made)
    elif said.role == "tool":
        say(said, "tool", name(span.name))
        _tool(said, given, made)
    elif said.role == "retrieval":
        asked = _only(given, "query")
        say(said, "query", text(asked.value) if asked else None)
        say(said, "documents", _only(made, "output", "documents"))
    elif said.role == "step":
        _graph(span, said, given, made)
    langchain.place(said, span.attributes, _META, acts=said.role in ("model", "tool"))
    langchain.pauses(span, said)


def _messages(seen: Value | None) -> Any:
    value = _only(seen, "output")
    return read(value.value) if value and value.state == "present" else None


def _tool(said: Sighting, given: Value | None, made: Value | None) -> None:
    wanted = _only(given, "input")
    if wanted is not None and wanted.state == "present":
        say(said, "arguments", (arguments if wanted is not given else passed)(wanted.value))
    answer = _only(made, "output")
    langchain.tool(said, answer.value if answer and answer.state == "present" else None)
    said.role = "handoff" if said.handed_to is not None else said.role


def _graph(span: Span, said: Sighting, given: Value | None, made: Value | None) -> None:
    said.level = langchain.level(span.attributes.get(_META + "langgraph_checkpoint_ns")) or 0
    said.graph = span.name
    if span.attributes.get(_META + "lc_agent_name") == span.name:
        say(said, "agent", langchain.agent_name(span.name))
    asked = words(given.value) if given is not None and given.state == "present" else None
    langchain.begun_with(said, asked or given)
    say(said, "output", _only(made, "output"))


def _only(seen: Value | None, *fields: str) -> Value | None:
    """The value of the only field, where it has one of these names; else the whole."""
    held = seen.value if seen and seen.state == "present" else None
    if isinstance(held, dict) and len(held) == 1 and (key := next(iter(held))) in fields:
        return Value(held[key])
    return seen


DIALECT = Dialect(
    name="langsmith",
    rank=10,
    claims=either(scope("langsmith"), any_key("langsmith.span.kind")),
    role=_role,
    fields={
        "conversation": keys(_META + "thread_id", _META + "session_id", _META + "conversation_id"),
        "call_id": keys("gen_ai.tool.call.id"),
    },
    quirks=(_run,),
)
