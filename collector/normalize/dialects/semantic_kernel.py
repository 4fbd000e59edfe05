"""Semantic Kernel (Python `semantic_kernel`, .NET `Microsoft.SemanticKernel`): semantic conventions with names of its own.

Traps kept in mind: operations are called `chat.completions` and the like; `AutoFunctionInvocationLoop` only
wraps; a tool is named `Plugin-function`; token counts had names of their own; content comes as log events whose body may be
JSON text (read by `events`).
"""

from collector.normalize.dialect import Dialect, Role, Sighting, keys, scope
from collector.normalize.reading import Span
from collector.normalize.values import Value, count

_MODEL = ("chat.completions", "chat.streaming_completions", "text.completions", "text.streaming_completions")


def _role(span: Span) -> Role | None:
    if span.name.startswith("AutoFunctionInvocationLoop"):
        return "step"
    operation = str(span.attributes.get("gen_ai.operation.name") or span.name)
    return "model" if operation.startswith(_MODEL) else None


def _qualified(span: Span, said: Sighting) -> None:
    called = span.attributes.get("gen_ai.tool.name")
    if isinstance(called, str) and "-" in called:
        said.qualified = Value(called)


DIALECT = Dialect(
    name="semantic_kernel",
    rank=10,
    claims=scope("semantic_kernel", "Microsoft.SemanticKernel"),
    role=_role,
    fields={
        "input_tokens": keys("gen_ai.usage.input_tokens", "gen_ai.response.prompt_tokens", read=count),
        "output_tokens": keys("gen_ai.usage.output_tokens", "gen_ai.response.completion_tokens", read=count),
    },
    proves=frozenset({"tools", "model_calls", "children"}),
    quirks=(_qualified,),
)
