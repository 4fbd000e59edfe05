"""OpenInference: flattened lists, kinds in an attribute, and the traps of its instrumentors."""

import json
from typing import Any

import pytest

from collector.normalize.dialect import Role, Sighting
from collector.normalize.values import Value
from tests.normalize.spans import row, seen

AGENTS = "openinference.instrumentation.openai_agents"
MODEL = {"openinference.span.kind": "LLM"}
TOOL = {"openinference.span.kind": "TOOL", "tool.name": "look"}


def one(attributes: dict[str, Any], /, **fields: Any) -> Sighting:
    """What is said about one span."""
    return seen(row("s", attributes, **fields))


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("LLM", "model"),
        ("AGENT", "job"),
        ("TOOL", "tool"),
        ("CHAIN", "step"),
        ("RETRIEVER", "retrieval"),
        ("RERANKER", "retrieval"),
        ("EMBEDDING", "embedding"),
        ("GUARDRAIL", "guardrail"),
        ("EVALUATOR", "guardrail"),
        ("llm", "model"),
    ],
)
def test_the_kind_gives_the_role(kind: str, role: Role) -> None:
    """In either case of letters."""
    assert one({"openinference.span.kind": kind, "agent.name": "a"}).role is role


def test_flattened_messages_are_put_together() -> None:
    """By their numbers, holes left out, calls and contents among them."""
    said = one(
        {
            **MODEL,
            "llm.input_messages.1.message.role": "tool",
            "llm.input_messages.1.message.tool_call_id": "c1",
            "llm.input_messages.1.message.content": '{"ok": 1}',
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.contents.0.message_content.type": "text",
            "llm.input_messages.0.message.contents.0.message_content.text": "hi",
            "llm.output_messages.7.message.role": "assistant",
            "llm.output_messages.7.message.tool_calls.0.tool_call.id": "c2",
            "llm.output_messages.7.message.tool_calls.0.tool_call.function.name": "look",
            "llm.output_messages.7.message.tool_calls.0.tool_call.function.arguments": '{"x": 1}',
        }
    )
    assert said.messages_in is not None
    assert said.messages_out is not None
    assert [(m.role, m.text()) for m in said.messages_in] == [("user", "hi"), ("tool", None)]
    assert said.messages_in[1].parts[0].value == Value({"ok": 1})
    assert [(c.id, c.name, c.value) for c in said.messages_out[0].calls()] == [("c2", "look", Value({"x": 1}))]


def test_more_than_ten_calls_keep_their_order() -> None:
    """Numbers are numbers: 10 comes after 9."""
    start = "llm.output_messages.0.message"
    held = {f"{start}.tool_calls.{i}.tool_call.function.name": f"t{i}" for i in range(12)}
    said = one({**MODEL, f"{start}.role": "assistant", **held})
    assert [c.name for m in said.messages_out or () for c in m.calls()] == [f"t{i}" for i in range(12)]


@pytest.mark.parametrize("index", ["999999999", "99999999999999999999", "-1", "x", "²", ""])
def test_a_hostile_index_costs_nothing(index: str) -> None:
    """A huge or strange number allocates nothing and harms no neighbour."""
    said = one(
        {**MODEL, f"llm.input_messages.{index}.message.role": "user", "llm.input_messages.0.message.content": "hi"}
    )
    assert said.messages_in is not None
    assert said.messages_in[0].text() == "hi"
    assert len(said.messages_in) <= 2


def test_a_call_without_arguments_has_none() -> None:
    """The instrumentors leave the text "{}" out."""
    start = "llm.output_messages.0.message.tool_calls.0.tool_call"
    said = one({**MODEL, f"{start}.id": "c1", f"{start}.function.name": "look"})
    assert [c.value for m in said.messages_out or () for c in m.calls()] == [Value({})]


def test_a_tools_input_and_output_are_arguments_and_result() -> None:
    """By the span's kind; `tool.id` is the call's id."""
    said = one({**TOOL, "tool.id": "c1", "input.value": '{"x": 1}', "output.value": "0"})
    assert (said.tool, said.call_id, said.arguments, said.result) == (
        Value("look"),
        Value("c1"),
        Value({"x": 1}),
        Value("0"),
    )


@pytest.mark.parametrize(
    ("parameters", "arguments"),
    [
        ('{"order_id": "A-1"}', Value({"order_id": "A-1"})),
        ('{"type": "object", "properties": {"order_id": {}}}', None),
        ('{"$schema": "https://json-schema.org"}', None),
    ],
)
def test_parameters_are_arguments_unless_they_are_their_schema(parameters: str, arguments: Value | None) -> None:
    """`tool.parameters` is either, depending on the instrumentor."""
    assert one({**TOOL, "tool.parameters": parameters}).arguments == arguments


def test_an_agents_input_and_output_are_its_words() -> None:
    """Text stays text, JSON is decoded where the span says that it is JSON."""
    held = {"openinference.span.kind": "AGENT", "agent.name": "a", "input.value": "hi", "output.value": "[1]"}
    assert (one(held).input, one(held).output) == (Value("hi"), Value("[1]"))
    assert one({**held, "output.mime_type": "application/json"}).output == Value([1])


def test_the_agents_sdks_root_is_a_container() -> None:
    """An AGENT without a name is what wraps a run; other instrumentors' nameless agents are agents."""
    assert one({"openinference.span.kind": "AGENT"}, scope=AGENTS).role == "workflow"
    assert one({"openinference.span.kind": "AGENT", "graph.node.id": "a"}, scope=AGENTS).role == "job"


def test_a_handoff_is_no_tool() -> None:
    """A TOOL span "handoff to X" without a tool's name says who handed to whom."""
    said = one({"openinference.span.kind": "TOOL", "input.value": "one"}, name="handoff to two", scope=AGENTS)
    assert (said.role, said.handed_from, said.handed_to) == ("handoff", Value("one"), Value("two"))


def test_raw_requests_stand_in_for_messages() -> None:
    """Without flattened messages the provider's own request and response are read."""
    given = {"messages": [{"role": "user", "content": "hi"}]}
    made = {"choices": [{"message": {"role": "assistant", "content": "y"}, "finish_reason": "stop"}]}
    said = one({**MODEL, "input.value": json.dumps(given), "output.value": json.dumps(made)})
    assert [m.text() for m in (*(said.messages_in or ()), *(said.messages_out or ()))] == ["hi", "y"]


def test_retrieved_documents_are_put_together() -> None:
    """Id, score and content of each."""
    held = {
        f"retrieval.documents.{i}.document.{key}": value
        for i in (1, 0)
        for key, value in (("id", f"d{i}"), ("score", i))
    }
    said = one({"openinference.span.kind": "RETRIEVER", **held})
    assert said.documents == Value([{"id": "d0", "score": 0}, {"id": "d1", "score": 1}])


@pytest.mark.parametrize(
    ("scope", "proves"), [(AGENTS, True), ("openinference.instrumentation.openai", False), ("", False)]
)
def test_only_instrumentors_of_frameworks_prove_the_list_of_tools(scope: str, proves: bool) -> None:
    """A model client's instrumentor sees requests only."""
    assert ("tools" in one(dict(MODEL), scope=scope).proves) is proves
