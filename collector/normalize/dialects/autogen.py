"""AutoGen (`autogen-core`, `autogen SingleThreadedAgentRuntime`): agent and tool spans without content, and messaging spans.

Traps kept in mind: every message of a team is sent, published and received in a trace of its own, linked to
the span that created it, so links are parents here; what agents say and call stands in the messages that others receive, an
event at a time and again as a whole with the reply; whoever receives it does not work for the sender.
"""

from typing import Any

from collector.normalize.dialect import Dialect, Role, Sighting, say
from collector.normalize.messages import Message, Part, parse
from collector.normalize.reading import Span
from collector.normalize.values import Value, arguments, as_text, content, name, result

_HANDOFF = "transfer_to_"


def _claims(span: Span) -> bool:
    return span.scope == "autogen-core" or span.scope.startswith("autogen ")


def _role(span: Span) -> Role | None:
    if not span.name.startswith("autogen "):
        return None
    return "workflow" if _task(span) is not None else "step"


def _task(span: Span) -> list[Any] | None:
    """What a team was asked: its manager got it from outside."""
    context, told = (_object(span.attributes.get(key)) for key in ("message_context", "message"))
    asked = told.get("messages")
    return asked if isinstance(asked, list) and context.get("sender") in (None, "None") else None


def _letter(span: Span, said: Sighting) -> None:
    if not span.name.startswith("autogen "):
        return
    said.caused = True
    told = _object(span.attributes.get("message"))
    events = [told["message"]] if isinstance(told.get("message"), dict) else []
    if isinstance(told.get("response"), dict):
        inner = told["response"].get("inner_messages")
        events = [*(inner if isinstance(inner, list) else []), told["response"].get("chat_message")]
    if said.role == "workflow":
        asked = [message for event in _task(span) or () if (message := _event(event))]
        said.messages_in = asked or None
    elif events:
        said.relay = True
        said.transcript = [message for event in events if (message := _event(event))]


def _event(event: Any) -> Message | None:
    """One of AgentChat's messages: a request for calls, their results, or words."""
    if not isinstance(event, dict):
        return None
    kind, body = event.get("type"), event.get("content")
    listed = [item for item in body if isinstance(item, dict)] if isinstance(body, list) else []
    if kind == "ToolCallRequestEvent":
        return Message("assistant", [_call(item) for item in listed])
    if kind == "ToolCallExecutionEvent":
        return Message("tool", [_result(item) for item in listed])
    if not isinstance(kind, str) or kind.endswith("Event") or body is None:
        return None
    role = "user" if event.get("source") == "user" else "assistant"
    return parse([{"role": role, "content": body if isinstance(body, str) else as_text(body)}])[0]


def _call(item: dict[str, Any]) -> Part:
    return Part(
        "call", id=_string(item.get("id")), name=_string(item.get("name")), value=arguments(item.get("arguments"))
    )


def _result(item: dict[str, Any]) -> Part:
    told, failed = result(item.get("content")), item.get("is_error") is True
    return Part("result", id=_string(item.get("call_id")), name=_string(item.get("name")), value=told, failed=failed)


def _handoff(span: Span, said: Sighting) -> None:
    called = span.attributes.get("gen_ai.tool.name")
    if isinstance(called, str) and called.startswith(_HANDOFF):
        say(said, "handed_to", name(called.removeprefix(_HANDOFF)))


def _object(raw: Any) -> dict[str, Any]:
    seen: Value | None = content(raw)
    return seen.value if seen and seen.state == "present" and isinstance(seen.value, dict) else {}


def _string(raw: Any) -> str | None:
    return raw if isinstance(raw, str) and raw else None


DIALECT = Dialect(
    name="autogen",
    rank=10,
    claims=_claims,
    role=_role,
    proves=frozenset({"tools", "children"}),
    quirks=(_letter, _handoff),
)
