"""OpenAI Agents through OpenTelemetry's own instrumentation and OpenLLMetry."""

import json
from typing import Any

from collector.normalize.dialect import Sighting
from tests.normalize.spans import row, seen

CALL = (
    "ResponseFunctionToolCall(arguments='{\"id\": 7}', call_id='call_1', name='look', type='function_call', id='fc_2')"
)


def one(attributes: dict[str, Any], /, **fields: Any) -> Sighting:
    """What is said about one span of the instrumentation."""
    return seen(row("s", attributes, scope="opentelemetry.instrumentation.openai_agents", **fields))


def spoken(text: str) -> dict[str, Any]:
    """A model call whose output is one text part."""
    made = [{"role": "assistant", "parts": [{"type": "text", "content": text}]}]
    return {"gen_ai.operation.name": "chat", "gen_ai.output.messages": json.dumps(made)}


def test_the_default_agent_is_nobody() -> None:
    """The name that stands on every span names no agent."""
    assert one({"gen_ai.operation.name": "chat", "gen_ai.agent.name": "OpenAI Agent"}).agent is None


def test_a_root_without_an_agent_is_a_container() -> None:
    """And spans whose operation is "unknown" are steps."""
    assert one({"gen_ai.operation.name": "invoke_agent"}).role == "workflow"
    assert one({"gen_ai.operation.name": "unknown"}).role == "step"


def test_a_handoff_needs_no_operation() -> None:
    """Its source alone makes it one."""
    said = one({"gen_ai.handoff.from_agent": "triage"})
    assert (said.role, said.handed_to) == ("handoff", None)


def test_the_repr_of_a_call_is_a_call() -> None:
    """With the id that its result will name, not the item's own."""
    (message,) = one(spoken(CALL)).messages_out or []
    (call,) = message.calls()
    assert call.value is not None
    assert (call.id, call.name, call.value.value) == ("call_1", "look", {"id": 7})


def test_the_repr_of_a_chat_message_holds_its_calls() -> None:
    """All of them."""
    calls = [{"id": f"call_{i}", "function": {"name": "look", "arguments": "{}"}, "type": "function"} for i in (1, 2)]
    (message,) = one(spoken(repr({"content": None, "role": "assistant", "tool_calls": calls}))).messages_out or []
    assert [call.id for call in message.calls()] == ["call_1", "call_2"]


def test_words_that_look_alike_stay_words() -> None:
    """A sentence that opens with a brace is what the model said."""
    (message,) = one(spoken("{'that': is not a value")).messages_out or []
    assert message.text() == "{'that': is not a value"
