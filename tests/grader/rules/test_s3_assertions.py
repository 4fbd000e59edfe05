"""S3, Connic tests: expressions and assertions that cannot be used are refused when a file is read."""

from typing import Any

import pytest

from grader.names import mentions
from tests.grader.rules.connic_runs import judged, outcomes, refused, suite

EVERYWHERE = (
    lambda e: {"expected_result": e},
    lambda e: {"expected_tool_calls": [{"f": e}]},
    lambda e: {"expected_child_agents": {"s": {"expected_payload": e}}},
    lambda e: {"expected_child_agents": {"s": {"expected_result": e}}},
    lambda e: {"approval_decisions": [{"tool": "f", "params": e, "decision": "approve"}]},
)
"""Each place where an expression stands."""


@pytest.mark.parametrize("place", EVERYWHERE)
def test_S3_01_one_language_everywhere(place: Any) -> None:
    """Every operator and literal of it, also where only the fixture is spoken of."""
    language = (
        "(context.a == 1 and context.b != 'x' or not context.c) and context.d < 2 and context.e >= 1.5 and context.f > 0 "
        'and context.g <= 1 and context.h in [1, 2] and context.i not in (1, 2) and context.j is null and context.k["l"] '
        "is not null and context.m in {1, 2} and context.n == {'o': true, 'p': [false]}"
    )
    made = suite(place(language))
    assert len(made.cases[0].expect) >= 1
    assert "allowed are 2,000" in refused(place(f'context.a == "{"x" * 2000}"'))


@pytest.mark.parametrize("place", EVERYWHERE)
@pytest.mark.parametrize(
    "source",
    [
        "len(context) == 1",
        "context.a + 1 == 2",
        "lambda: 1",
        "[x for x in context.a]",
        "__import__",
        "context.__class__",
        "context._private == 1",
        "(a := 1)",
        "unknown.a == 1",
    ],
)
def test_S3_02_what_the_language_has_not_is_refused_when_a_file_is_read(place: Any, source: str) -> None:
    """With the place in the file and a caret under the place in the expression."""
    told = refused(place(source))
    assert told.startswith("support.yaml:1: tests")
    assert "^" in told


@pytest.mark.parametrize(
    ("key", "root"),
    [
        ("expected_result", "params"),
        ("expected_result", "payload"),
        ("expected_result", "invocations"),
    ],
)
def test_S3_07_other_roots_are_unknown(key: str, root: str) -> None:
    """A result is no call and no payload."""
    assert f"unknown name {root!r}" in refused({key: f"{root} == 1"})


def test_S3_09_the_expression_is_not_evaluated_after_an_error() -> None:
    """The reason is the agent's error, and nothing of the expression."""
    found = judged({"expected_result": "output.x == 1"}, {"status": "failed", "error": "boom"})
    assert [r.outcome for r in found.results] == ["fail"]
    assert "boom" in found.reason
    assert "output.x" not in found.reason


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"a": "invocations == 1", "b": "invocations == 1"}, "has 2 keys"),
        ({}, "has 0 keys"),
        ({"a": ""}, "must be a text"),
        ({"a": None}, "is missing"),
        ({"a": 5}, "must be a text"),
        ({" ": "invocations == 1"}, "must name a tool"),
        ("", "must be a tool's name"),
        ("  ", "must be a tool's name"),
        (7, "must be a tool's name"),
    ],
)
def test_S3_13_one_tool_with_one_expression(entry: Any, says: str) -> None:
    """Anything else is a mistake with its place."""
    told = refused({"expected_tool_calls": [entry]})
    assert says in told
    assert "tests[0].expected_tool_calls[0]" in told


@pytest.mark.parametrize("key", ["expected_tool_calls", "expected_tool_call_order", "expected_no_tool_calls"])
def test_S3_13_S3_20_lists_are_lists(key: str) -> None:
    """A name alone is no list of names."""
    assert "must be a list" in refused({key: "f"})
    assert "expected_tool_call_order" in refused({"expected_tool_call_order": [""]})
    assert "at least 1 entry" in refused({"expected_tool_call_order": []})


@pytest.mark.parametrize(
    "source",
    [
        "params.a == 1 or invocations == 2",
        "not (params.a == 1 and invocations == 2)",
        "invocations == params.n",
        "context.on and (params.a == 1 or invocations == 0)",
    ],
)
def test_S3_15_filters_and_counts_that_are_mixed_are_refused(source: str) -> None:
    """With the part that mixes them, and how it is written instead."""
    told = refused({"expected_tool_calls": [{"f": source}]})
    assert "mixes `params`" in told
    assert "join the two with `and`" in told


@pytest.mark.parametrize(
    ("child", "says"),
    [
        ({"expected_triggered": 0}, "must be at least 1"),
        ({"expected_triggered": 1.5}, "must be a whole number"),
        ({"expected_paylod": "payload.a"}, "did you mean 'expected_payload'?"),
        ({"expected_payload": ""}, "must be a text"),
        ({"expected_child_agents": []}, "must map agents"),
        ("f", "must be a mapping"),
    ],
)
def test_S3_23_a_childs_assertions_are_these_alone(child: Any, says: str) -> None:
    """A mistyped one must not pass for one that holds, at any depth."""
    assert says in refused({"expected_child_agents": {"s": child}})
    assert says in refused({"expected_child_agents": {"s": {"expected_child_agents": {"p": child}}}})


def test_S3_23_an_agent_alone_is_triggered() -> None:
    """Nothing below its name asks nothing more."""
    assert outcomes({"expected_child_agents": {"s": None}}, {"children": [{"agent": "s"}]}) == ["pass", "pass"]


def test_S3_35_depth_has_an_end() -> None:
    """A file that nests deeper than anybody means is a mistake, no crash."""
    below: Any = {}
    for _ in range(45):
        below = {"expected_child_agents": {"s": below}}
    assert "nested more than 40 deep" in refused(below)


def test_S3_35_names_of_children_can_be_looked_up() -> None:
    """Each tool is that of the agent that it stands under."""
    made = suite({"expected_child_agents": {"s": {"expected_child_agents": {"p": {"expected_tool_calls": ["f"]}}}}})
    found = {(m.named.kind, m.named.name, m.path) for c in made.cases[0].expect for m in mentions(c.primitive)}
    assert found == {("agent", "s", ()), ("agent", "p", ("s",)), ("tool", "f", ("s", "p"))}


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"tool": "f", "decision": "approve", "by": "me"}, "unknown key 'by'"),
        ({"tool": " ", "decision": "approve"}, "is blank"),
        ({"tool": "", "decision": "approve"}, "must be a text"),
        ({"decision": "approve"}, "is missing"),
        ({"tool": "f"}, "is missing"),
        ({"tool": "f", "decision": "edit"}, "must be one of approve, reject, timeout"),
        ({"tool": "f", "decision": "approve", "params": ""}, "must be a text"),
        ({"tool": "f", "decision": "approve", "params": " "}, "it is empty"),
        ({"tool": "f", "decision": "approve", "params": "output.a"}, "unknown name 'output'"),
    ],
)
def test_S3_38_an_entry_that_is_none_is_refused(entry: Any, says: str) -> None:
    """With its place."""
    told = refused({"approval_decisions": [entry]})
    assert says in told
    assert "tests[0].approval_decisions[0]" in told
