"""Pydantic AI, formats 1 to 6."""

import json
from typing import Any

import pytest

from collector.normalize.dialect import Sighting
from collector.normalize.values import Value
from tests import captures
from tests.normalize.spans import job, row, says, seen, user


def one(attributes: dict[str, Any], /, **fields: Any) -> Sighting:
    """What is said about one span."""
    return seen(row("s", attributes, scope="pydantic-ai", **fields))


REFUNDS = [
    name
    for name in captures.NAMES
    if "pydantic-ai-" in name and name.endswith("native__refund") and "nocontent" not in name
]


@pytest.mark.parametrize("name", REFUNDS)
def test_every_format_tells_the_same_run(name: str) -> None:
    """The same agent recorded in formats 1 to 6, as JSON or protobuf, gives the same facts."""

    def facts(of: str) -> list[Any]:
        (run,) = captures.load(of).trees()
        root = run.root
        calls = [(c.name, c.state, c.arguments, c.result) for c in root.tool_calls]
        return [root.agent, root.status, root.input, root.reply, calls]

    assert facts(name) == facts("pydantic-ai-v5__native__refund")


def test_older_names_give_the_roles() -> None:
    """`agent run` and `running tool` of formats 1 and 2; a wrapper around several tools is no tool."""
    assert one({"agent_name": "a"}, name="agent run").role == "job"
    assert one({"gen_ai.tool.name": "t"}, name="running tool").role == "tool"
    assert one({}, name="running 2 tools").role is None


def test_pending_spans_are_noise() -> None:
    """Logfire's copy of a span that has begun is never a node."""
    assert one({"logfire.span_type": "pending_span", "gen_ai.operation.name": "chat"}).role == "noise"


def test_older_names_of_arguments_and_results_are_read() -> None:
    """`tool_arguments` and `tool_response`."""
    said = one({"gen_ai.tool.name": "t", "tool_arguments": '{"x": 1}', "tool_response": "ok"}, name="running tool")
    assert (said.arguments, said.result) == (Value({"x": 1}), Value("ok"))


def test_the_transcript_begins_where_this_run_does() -> None:
    """Messages before `new_message_index` are an earlier run's."""
    history = [user("old"), says("old"), user("new"), says("y")]
    held = {"agent_name": "a", "pydantic_ai.all_messages": json.dumps(history), "pydantic_ai.new_message_index": 2}
    assert job(row("s", held, scope="pydantic-ai")).input == "new"


@pytest.mark.parametrize("index", [-5, 99, "x", None, 1.5, True])
def test_an_odd_index_loses_no_messages_and_raises_nothing(index: Any) -> None:
    """What is no index is taken as the beginning, or as beyond the end."""
    held = {
        "agent_name": "a",
        "pydantic_ai.all_messages": json.dumps([user("new")]),
        "pydantic_ai.new_message_index": index,
    }
    assert job(row("s", held, scope="pydantic-ai")).input in ("new", None)


@pytest.mark.parametrize(
    ("schema", "reply"),
    [('{"properties": {"final_result": {"type": "object"}}}', {"ok": 1}), (None, '{"ok": 1}'), ("[]", '{"ok": 1}')],
)
def test_the_final_result_is_an_object_where_the_schema_says_so(schema: str | None, reply: Any) -> None:
    """Text that looks like JSON is text."""
    held = {"agent_name": "a", "final_result": '{"ok": 1}', "logfire.json_schema": schema}
    assert job(row("s", held, scope="pydantic-ai")).reply == reply


def test_a_paused_run_waits() -> None:
    """A result that lists calls to approve is no reply."""
    waits = {"calls": [], "approvals": [{"tool_name": "refund", "tool_call_id": "c1", "args": '{"x": 1}'}]}
    root = job(row("s", {"agent_name": "a", "final_result": json.dumps(waits)}, scope="pydantic-ai"))
    assert (root.status, root.reply) == ("awaiting_approval", None)
    assert [(a.tool, a.call_id, a.decision, a.requested_arguments) for a in root.approvals] == [
        ("refund", "c1", "pending", {"x": 1})
    ]


def test_usage_on_the_agents_span_is_a_sum_and_not_read() -> None:
    """In 1.x even over child agents."""
    assert one({"agent_name": "a", "gen_ai.aggregated_usage.input_tokens": 5}).input_tokens is None
