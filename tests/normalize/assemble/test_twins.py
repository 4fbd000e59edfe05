"""Spans that tell of the same tool call."""

import pytest

from collector.normalize.assemble.twins import arguments_key, real_id
from collector.normalize.values import Value
from tests.normalize.spans import agent, job, tool


@pytest.mark.parametrize("placeholder", ["", "unknown", "<not specified>", "None", "null", "N/A", None, 5])
def test_placeholders_are_no_ids(placeholder: object) -> None:
    """What instrumentations write where they have no id identifies nothing."""
    assert real_id(Value(placeholder)) is None


def test_equal_arguments_have_one_key() -> None:
    """50 and 50.0 are equal arguments; unknown ones have no key."""
    assert arguments_key(Value({"a": 50})) == arguments_key(Value({"a": 50.0}))
    assert arguments_key(Value("{", "malformed")) is arguments_key(None) is None


@pytest.mark.parametrize("inner", ["lookup", "mcp__shop__lookup", "shop.lookup", "Shop-lookup", "srv/lookup"])
def test_a_tool_span_within_a_tool_span_of_the_same_call_is_one_call(inner: str) -> None:
    """A second instrumentor's span, or an MCP client's, under any qualified name, adds facts and no call."""
    (call,) = job(
        agent("a"), tool("t", "lookup", "c1", parent="a"), tool("u", inner, None, {"x": 1}, "ok", parent="t")
    ).tool_calls
    assert (call.name, call.arguments, call.result, call.spans) == ("lookup", {"x": 1}, "ok", ["t", "u"])


@pytest.mark.parametrize(
    ("name", "call_id", "arguments"), [("other", None, None), ("lookup", "c2", None), ("lookup", None, {"x": 2})]
)
def test_a_tool_called_by_a_tool_is_a_call_of_its_own(name: str, call_id: str | None, arguments: object) -> None:
    """Another name, another id or other arguments make it another call."""
    outer = tool("t", "lookup", "c1", {"x": 1}, parent="a")
    assert len(job(agent("a"), outer, tool("u", name, call_id, arguments, parent="t")).tool_calls) == 2
