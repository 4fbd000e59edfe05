"""MCP clients and servers, whatever SDK writes the spans (`mcp-python-sdk`, FastMCP, OpenLLMetry's instrumentation).

The conventions' own words are read by semconv; here stands what they lack: arguments and results in OpenLLMetry's form, and
a tool's failure that the protocol reports as a good answer with `isError`.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, prefix, say
from collector.normalize.messages import joined
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, name, result

_REQUEST, _ANSWER = "mcp.request.argument", "mcp.response.value"


def _call(span: Span, said: Sighting) -> None:
    """OpenLLMetry's form: the request's parameters {name, arguments}, and the answer."""
    held = span.attributes
    seen = content(held.get(_REQUEST))
    sent: Any = seen.value if seen and seen.state == "present" else None
    if isinstance(sent, dict):
        sent = sent["params"] if isinstance(sent.get("params"), dict) else sent
        say(said, "tool", name(sent.get("name")))
        say(said, "arguments", arguments(sent["arguments"] if sent.get("arguments") is not None else ""))
    answer = held.get(_ANSWER, held.get("gen_ai.tool.call.result"))
    if answer is not None and said.role in (None, "tool"):
        _answer(said, content(answer))


def _answer(said: Sighting, seen: Value | None) -> None:
    answer = seen.value if seen and seen.state == "present" else None
    if isinstance(answer, dict) and "content" in answer:
        said.tool_failed = said.tool_failed or answer.get("isError") is True or answer.get("is_error") is True
        structured = answer.get("structuredContent")
        say(said, "result", Value(structured) if structured is not None else result(joined(answer["content"])))


def _role(span: Span) -> Role | None:
    method = span.attributes.get("mcp.method.name")
    return "tool" if method is None and _REQUEST in span.attributes and span.name.startswith("tools/call") else None


DIALECT = Dialect(
    name="mcp",
    rank=10,
    claims=prefix("mcp."),
    role=_role,
    quirks=(_call,),
)
