"""Google ADK: its own spans (1.x, and schemas 1 and 2 of 2.x), and through OpenInference.

Traps kept in mind: 1.x names the agent only in the span's name, and its tool spans lie below the model span; `{}`
stands for content that was not captured; parallel calls add a span "(merged tools)"; every call that a model asks for
runs, and one that waits for a confirmation answers that it does; another agent's events are told to the model as
words of the user ("For context:"). OpenInference writes all turns of an agent onto the agent's span, each over the
one before, with leftovers: the last request and the last response can be trusted, tokens and model calls cannot.
"""

from typing import Any

from collector.normalize import gemini
from collector.normalize.dialect import Dialect, Key, Role, Sighting, either, keys, prefix, say, scope
from collector.normalize.messages import Message, read
from collector.normalize.reading import Span
from collector.normalize.values import Value, content, name
from collector.tree import Approval

_MERGED = "(merged tools)"
_RETOLD = "For context:"
_CONFIRM = "This tool call requires confirmation"
_REJECTED = "This tool call is rejected"
_FAILED = frozenset(("error", "error_code", "error_message"))
_LAST_CALL = {"model", "provider", "response_id", "finish", "input_tokens", "output_tokens", "cache_read_tokens",
              "reasoning_tokens", "cost_usd"}  # fmt: skip


def _role(span: Span) -> Role | None:
    first = span.name.partition(" ")[0]
    if span.attributes.get("gen_ai.tool.name") == _MERGED:
        return "noise"
    if first == "invocation":
        return "workflow"
    if first in ("agent_run", "invoke_agent"):
        return "job"
    return "model" if first == "call_llm" else None


def _agent(span: Span, said: Sighting) -> None:
    """`agent_run [NAME]`: 1.x has no attribute for it."""
    if said.role == "job" and "[" in span.name:
        say(said, "agent", name(span.name.partition("[")[2].removesuffix("]")))


def _words(span: Span, said: Sighting) -> None:
    """What was asked and said, in Gemini's form."""
    held = span.attributes
    traced = "openinference.span.kind" in held
    if said.role == "model":
        given = gemini.request(held.get("gcp.vertex.agent.llm_request")) or read(held.get("gen_ai.input.messages"))
        said.messages_in = _own(given)
        said.messages_out = gemini.response(held.get("gcp.vertex.agent.llm_response"))
    elif traced and said.role in ("job", "workflow"):
        said.settled |= {"messages", "input", "output"} | _LAST_CALL
        asked = gemini.request(held.get("input.value")) if said.role == "job" else _sent(held.get("input.value"))
        said.messages_in, said.messages_out = _own(asked), gemini.response(held.get("output.value"))
    if said.role == "job" and not traced:
        said.proves |= {"model_calls"}


def _own(messages: list[Message] | None) -> list[Message] | None:
    """Without what only retells other agents' events."""
    return messages and [m for m in messages if not (m.parts and m.parts[0].text == _RETOLD)]


def _sent(raw: Any) -> list[Message] | None:
    """An invocation's new message."""
    seen = content(raw)
    sent = seen.value.get("new_message") if seen and isinstance(seen.value, dict) else None
    return read([sent]) if isinstance(sent, dict) else None


def _tool(span: Span, said: Sighting) -> None:
    """Failures, waiting and refusals that stand in the answer only; and to whom control goes."""
    if said.role == "noise" or said.tool is None:
        return
    if "output.value" in span.attributes:
        say(said, "result", gemini.answer(span.attributes["output.value"]))
    if said.tool.value == "transfer_to_agent" and said.arguments and isinstance(said.arguments.value, dict):
        say(said, "handed_to", name(said.arguments.value.get("agent_name")))
    answer = said.result.value if said.result else None
    problem = answer.get("error") if isinstance(answer, dict) and answer.keys() <= _FAILED else None
    if not isinstance(problem, str):
        return
    if problem.startswith(_CONFIRM):
        say(said, "deferred", Value("ApprovalRequired"))
    else:
        said.tool_failed = True
    if problem.startswith(_REJECTED):
        call_id = said.call_id.value if said.call_id else None
        said.approvals += (
            Approval(tool=said.tool.value, call_id=call_id, decision="reject", decided_at=span.end or None),
        )


DIALECT = Dialect(
    name="google_adk",
    rank=10,
    claims=either(scope("gcp.vertex.agent", "openinference.instrumentation.google_adk"), prefix("gcp.vertex.agent.")),
    role=_role,
    fields={
        "conversation": keys("gen_ai.conversation.id", "gcp.vertex.agent.session_id"),
        "tool": keys("gen_ai.tool.name"),
        "call_id": keys("gen_ai.tool.call.id"),
        "arguments": (
            *keys("gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args", read=gemini.wanted),
            Key("input.value", gemini.wanted),
        ),
        "result": keys("gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", read=gemini.answer),
    },
    proves=frozenset({"tools", "requests", "children"}),
    quirks=(_agent, _words, _tool),
)
