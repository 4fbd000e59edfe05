"""OpenLIT (scopes `openlit.*`): the semantic conventions, with Python's `repr` and `str` where JSON belongs.

Traps: a chat span carries the name and arguments of the call that it asks for; nodes of a LangGraph are
called agents, named by their own id; the OpenAI Agents tasks and turns are agents without a name; a failed LangChain tool
has the id of its run where the call's id belongs; a tool's result is the `str` of a message.
"""

import re
from typing import Any

from collector.normalize import langchain, literals
from collector.normalize.dialect import Dialect, Key, Role, Sighting, any_key, either, keys, say, scope
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, content, name, result, withheld

_RUN_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _openlit(span: Span) -> bool:
    return (
        span.resource.get("telemetry.sdk.name") == "openlit" or span.attributes.get("telemetry.sdk.name") == "openlit"
    )


def _role(span: Span) -> Role | None:
    held = span.attributes
    if held.get("gen_ai.operation.name") != "invoke_agent":
        return None
    named = held.get("gen_ai.agent.name")
    node = span.scope.endswith("langgraph") and named == held.get("gen_ai.agent.id")
    return "step" if node or not named else None


def _message(raw: Any) -> dict[str, Any]:
    """The fields of a LangChain message that was written as its `str`; empty for anything else."""
    if isinstance(raw, str) and raw.startswith("content="):
        try:
            return literals.fields(raw)
        except ValueError:
            return {}
    return {}


def _result(raw: Any) -> Value | None:
    told = _message(raw)
    return result(told["content"]) if "content" in told else result(raw)


def _tool(span: Span, said: Sighting) -> None:
    if span.attributes.get("gen_ai.operation.name") != "execute_tool":
        return
    told = _message(span.attributes.get("gen_ai.tool.call.result"))
    said.tool_failed = said.tool_failed or told.get("status") == "error"
    say(said, "call_id", name(told.get("tool_call_id")))
    own = span.attributes.get("gen_ai.tool.call.id")
    if said.call_id is None and isinstance(own, str) and _RUN_ID.fullmatch(own):
        said.settled |= {"call_id"}


def _graph(span: Span, said: Sighting) -> None:
    """The state that a graph began and ended with."""
    given, made = (content(span.attributes.get(f"gen_ai.workflow.{end}")) for end in ("input", "output"))
    langchain.begun_with(said, given)
    messages = made.value.get("messages") if made is not None and isinstance(made.value, dict) else None
    last = _message(messages[-1]) if isinstance(messages, list) and messages else {}
    spoken = Value(last["content"]) if last.get("content") and not last.get("tool_calls") else None
    say(said, "output", made if withheld(made) else spoken)


DIALECT = Dialect(
    name="openlit",
    rank=10,
    claims=either(scope("openlit"), any_key("gen_ai.workflow.input", "gen_ai.tool.args"), _openlit),
    role=_role,
    fields={
        "arguments": keys("gen_ai.tool.call.arguments", "gen_ai.tool.args", read=arguments),
        "result": (Key("gen_ai.tool.call.result", _result),),
    },
    quirks=(_tool, _graph),
)
