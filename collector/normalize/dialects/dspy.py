"""DSPy, through OpenInference: a module that acts is `ReAct.forward` (or CodeAct's), and nothing names it.

Traps kept in mind: a tool's name stands in the span's name alone; `finish` ends the loop and is no tool; the output holds the
trajectory beside the answer; model calls have spans only if the language model's client writes them.
"""

from typing import Any

from collector.normalize import literals
from collector.normalize.dialect import Dialect, Role, Sighting, say, scope
from collector.normalize.python_calls import passed
from collector.normalize.reading import Span
from collector.normalize.values import Value, bounded, content, name

_ACTING = frozenset(("ReAct.forward", "CodeAct.forward", "ReAct.aforward", "CodeAct.aforward"))
_BESIDE = frozenset(("trajectory", "reasoning", literals.CLASS))
_END = "finish"
_METHODS = ("__call__", "acall")


def _role(span: Span) -> Role | None:
    return "job" if span.name in _ACTING else None


def _job(span: Span, said: Sighting) -> None:
    said.output_tools |= {_END}
    if said.role != "job":
        return
    given = _fields(span.attributes.get("input.value"))
    inner = next((given[key] for key in ("input_args", "kwargs") if isinstance(given.get(key), dict)), given)
    said.input, said.output = _only(inner), _only(_fields(span.attributes.get("output.value")))
    said.settled |= {"input", "output"}


def _only(fields: dict[str, Any]) -> Value | None:
    """The value of the only field, else all of them."""
    kept = {key: value for key, value in fields.items() if key not in _BESIDE}
    if not kept:
        return None
    return Value(next(iter(kept.values()))) if len(kept) == 1 else Value(kept)


def _fields(raw: Any) -> dict[str, Any]:
    seen = content(raw)
    held = seen.value if seen and seen.state == "present" else None
    if isinstance(held, str) and held.startswith("Prediction("):
        try:
            held = bounded(literals.parse(held))
        except ValueError:
            return {}
    return held if isinstance(held, dict) else {}


def _tool(span: Span, said: Sighting) -> None:
    held = span.attributes
    if held.get("openinference.span.kind") == "TOOL":
        called, _, method = span.name.rpartition(".")
        say(said, "tool", name(held.get("tool.name")) or name(called if method in _METHODS else span.name))
        say(said, "arguments", passed(held.get("input.value")))
        said.settled |= {"arguments"}


DIALECT = Dialect(
    name="dspy",
    rank=10,
    claims=scope("openinference.instrumentation.dspy"),
    role=_role,
    proves=frozenset({"tools", "tool_results", "children"}),
    quirks=(_job, _tool),
)
