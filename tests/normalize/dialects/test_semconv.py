"""OpenTelemetry's GenAI semantic conventions."""

import json
from typing import Any

import pytest

from collector.normalize.dialect import Role, Sighting
from collector.normalize.values import Value
from tests.normalize.spans import agent, event, log, row, says, seen, user


def one(attributes: dict[str, Any], /, **fields: Any) -> Sighting:
    """What is said about one span."""
    return seen(row("s", attributes, **fields))


@pytest.mark.parametrize(
    ("operation", "role"),
    [
        ("chat", "model"),
        ("text_completion", "model"),
        ("generate_content", "model"),
        ("invoke_agent", "job"),
        ("execute_tool", "tool"),
        ("invoke_workflow", "workflow"),
        ("plan", "step"),
        ("retrieval", "retrieval"),
        ("embeddings", "embedding"),
        ("create_agent", "noise"),
        ("search_memory", "memory"),
        ("something_new", "step"),
    ],
)
def test_the_operation_gives_the_role(operation: str, role: Role) -> None:
    """Every operation name has its role; an unknown one is a step, never dropped."""
    assert one({"gen_ai.operation.name": operation}).role is role


@pytest.mark.parametrize("odd", [5, None, ["chat"], {"a": 1}])
def test_an_operation_that_is_no_text_gives_way_to_other_signs(odd: Any) -> None:
    """A model's name makes a model call, a tool's name a tool."""
    assert one({"gen_ai.operation.name": odd, "gen_ai.request.model": "m"}).role == "model"
    assert one({"gen_ai.operation.name": odd, "gen_ai.tool.name": "t"}).role == "tool"


def test_tool_definitions_are_an_offer() -> None:
    """What may be called was not called."""
    said = one({"gen_ai.operation.name": "chat", "gen_ai.tool.definitions": '[{"name": "erase"}]'})
    assert (said.role, said.tool) == ("model", None)


def test_earlier_names_of_tokens_are_read() -> None:
    """`prompt_tokens` of 1.26, cache tokens of 1.40 and of today."""
    said = one(
        {
            "gen_ai.usage.prompt_tokens": 5,
            "gen_ai.usage.completion_tokens": "3",
            "gen_ai.usage.cache_read_input_tokens": 2,
        }
    )
    assert (said.input_tokens, said.output_tokens, said.cache_read_tokens) == (Value(5), Value(3), Value(2))


@pytest.mark.parametrize("encode", [json.dumps, lambda v: v, lambda v: json.dumps(json.dumps(v))])
def test_messages_in_any_encoding(encode: Any) -> None:
    """Structured, JSON text, JSON text twice."""
    said = one(
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": encode([user("hi")]),
            "gen_ai.output.messages": encode([says("y")]),
        }
    )
    assert [m.text() for m in (*(said.messages_in or ()), *(said.messages_out or ()))] == ["hi", "y"]


def test_messages_in_the_details_event() -> None:
    """Content may stand in `gen_ai.client.inference.operation.details`, on the span or in a log."""
    held = {"gen_ai.input.messages": [user("hi")]}
    name = "gen_ai.client.inference.operation.details"
    on_span = one({"gen_ai.operation.name": "chat"}, events=[event(name, held)])
    in_log = seen(row("s", {"gen_ai.operation.name": "chat"}), told_by=[log("s", name, None, held)])
    assert [m.text() for said in (on_span, in_log) for m in said.messages_in or ()] == ["hi", "hi"]


def test_messages_in_log_events() -> None:
    """One log a message (1.28 to 1.36)."""
    told = [
        log("s", "gen_ai.user.message", {"content": "hi"}, at=1),
        log(
            "s",
            "gen_ai.choice",
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "y"}},
            at=2,
        ),
    ]
    said = seen(row("s", {"gen_ai.operation.name": "chat"}), told_by=told)
    assert [m.text() for m in (*(said.messages_in or ()), *(said.messages_out or ()))] == ["hi", "y"]


def test_attributes_win_over_events() -> None:
    """Where both tell of it the attribute counts."""
    held = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": [user("attribute")]}
    said = one(held, events=[event("gen_ai.user.message", {"content": "event"})])
    assert [m.text() for m in said.messages_in or ()] == ["attribute"]


def test_an_mcp_call_is_a_tool() -> None:
    """Its name stands in an attribute or after the method; other methods are noise."""
    assert one({"mcp.method.name": "tools/call"}, name="tools/call lookup").tool == Value("lookup")
    assert one({"mcp.method.name": "tools/call", "gen_ai.tool.name": "look"}, name="tools/call x").tool == Value("look")
    assert one({"mcp.method.name": "initialize"}).role == "noise"


def test_the_spans_name_names_the_agent_where_nothing_else_does() -> None:
    """`invoke_agent NAME`, unless the name is the model's."""
    held = {"gen_ai.operation.name": "invoke_agent"}
    assert one(held, name="invoke_agent support").agent == Value("support")
    assert one({**held, "gen_ai.request.model": "gpt"}, name="invoke_agent gpt").agent is None
    assert one(held, name="invoke_agent").agent is None
    assert seen(agent("s", "named") | {"name": "invoke_agent other"}).agent == Value("named")


def test_a_skill_is_read_through_a_tool() -> None:
    """`gen_ai.skill.*` refine a tool span."""
    held = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.skill.name": "refunds",
        "gen_ai.skill.resource.name": "faq.md",
    }
    assert [(s.name, s.resource, s.declared) for s in one(held).skills] == [("refunds", "faq.md", True)]


def test_a_transfers_target_is_told() -> None:
    """The open proposal's name and the older draft's are both read."""
    assert one({"gen_ai.transfer.target.name": "refunds"}).handed_to == Value("refunds")
    assert one({"gen_ai.agent.handoff.target.name": "refunds"}).handed_to == Value("refunds")
