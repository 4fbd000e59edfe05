"""smolagents, through OpenInference: there is no other instrumentation.

Traps kept in mind: the agent's name stands in the span's name alone; `final_answer` is the reply, not a
tool; a managed agent is called like a tool, yet has no tool span, only its own; a code agent's calls are in no message, and
their arguments may be positional; the history tells calls and results as text ("Calling tools:", "Observation:").
"""

import re
from typing import Any

from collector.normalize import flattened
from collector.normalize.dialect import Dialect, Sighting, either, prefix, say, scope
from collector.normalize.messages import Message, Part, parse
from collector.normalize.python_calls import parameters, passed
from collector.normalize.reading import Span
from collector.normalize.values import Value, content, name, result

_CLASSES = frozenset(("MultiStepAgent", "ToolCallingAgent", "CodeAgent"))
"""What the span is called after where the agent has no name."""

_REPLY = "final_answer"
_TASK = re.compile(r"\n---\nTask:\n(.*?)\n---\n", re.DOTALL)
_CALLS, _RESULT = "Calling tools:\n", "Observation:\n"


def _job(span: Span, said: Sighting) -> None:
    said.output_tools |= {_REPLY}
    if span.attributes.get("openinference.span.kind") != "AGENT":
        return
    named = name(span.name.removesuffix(".run"))
    if named is not None and named.value not in _CLASSES:
        say(said, "agent", named)
        say(said, "tool", named)  # its manager calls it like a tool of this name
    said.settled |= {"agent", "tool", "input", "input_tokens", "output_tokens"}
    seen = content(span.attributes.get("input.value"))
    task = seen.value.get("task") if seen and isinstance(seen.value, dict) else None
    if isinstance(task, str):
        handed = _TASK.search(task)
        said.input = Value(handed[1] if handed else task)
        if handed:
            said.arguments = Value({"task": handed[1]})


def _tool(span: Span, said: Sighting) -> None:
    held = span.attributes
    if held.get("openinference.span.kind") == "TOOL":
        say(said, "arguments", passed(held.get("input.value"), parameters(held.get("tool.parameters"))))
        said.settled |= {"arguments"}


def _history(span: Span, said: Sighting) -> None:
    """Calls and results out of the text that the history tells them in."""
    if span.attributes.get("openinference.span.kind") != "LLM":
        return
    held = flattened.lists(span.attributes)
    said.settled |= {"messages"}
    said.messages_out = _answered(held.made) if held.made is not None else None
    said.messages_in = _told(held.given) if held.given is not None else None


def _answered(made: list[Message]) -> list[Message]:
    """The final answer's only argument is the reply, as it is where the tool's or the agent's span tells of it."""
    return [Message(m.role, [_bare(part) for part in m.parts], m.finish) for m in made]


def _bare(part: Part) -> Part:
    held = part.value.value if part.value is not None else None
    only = part.kind == "call" and part.name == _REPLY and isinstance(held, dict) and held.keys() == {"answer"}
    return part._replace(value=Value(held["answer"])) if only else part


def _told(given: list[Message]) -> list[Message]:
    out: list[Message] = []
    for message in given:
        words = message.text() or ""
        if message.role == "tool-call":
            out.append(Message("assistant", _calls(words)))
        elif message.role == "tool-response":
            asked = out[-1].calls() if out else []
            told = (
                Value(None, "malformed", "redacted")
                if message.hidden and not words
                else result(words.removeprefix(_RESULT))
            )
            out.append(Message("tool", [_answer(words, asked[0], told)] if len(asked) == 1 else []))
        else:
            out.append(message)
    return out


def _calls(words: str) -> list[Part]:
    seen = content(words.removeprefix(_CALLS)) if words.startswith(_CALLS) else None
    listed: list[Any] = seen.value if seen and isinstance(seen.value, list) else []
    return [part for message in parse([{"role": "assistant", "tool_calls": listed}]) for part in message.calls()]


def _answer(words: str, call: Part, told: Value | None) -> Part:
    return Part("result", id=call.id, name=call.name, value=told, failed=words.startswith("Error:"))


DIALECT = Dialect(
    name="smolagents",
    rank=10,
    claims=either(scope("openinference.instrumentation.smolagents"), prefix("smolagents.")),
    proves=frozenset({"tools", "tool_results", "model_calls", "children"}),
    quirks=(_job, _tool, _history),
)
