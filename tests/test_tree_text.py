"""The canonical model as text: written, read back, hashed."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector import tree_text
from collector.message import Message
from collector.tree import Approval, Capture, Delegation, Job, Member, ModelCall, Retrieval, Run, SkillRead, ToolCall
from tests import captures

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def full() -> Run:
    """A run in which every kind of part occurs."""
    child = Job("c", "t", agent="child", via="tool", delegation=Delegation("waited", "c1", "ask", {"x": 1}, "present"))
    root = Job(
        "r",
        "t",
        agent="root",
        input="hi",
        reply={"ok": True},
        constraints=["be kind"],
        tool_calls=[ToolCall("ask", "c1", arguments={"spans": 1}, arguments_capture="present")],
        model_calls=[ModelCall("m", input_tokens=3)],
        approvals=[Approval("ask", "c1", decision="approve")],
        skills=[SkillRead("refunds")],
        retrievals=[Retrieval("mugs", [{"id": "d"}])],
        jobs=[child],
        capture={"tools": Capture("partial", ["running"])},
    )
    return Run(
        "r", root, members=[Member("t", "root")], attributes={"tenant": "acme"}, capture={"tools": Capture("present")}
    )


def test_what_is_written_is_read_back() -> None:
    """A run with parts of every kind comes back equal."""
    assert tree_text.from_json(tree_text.to_json(full())) == full()


@pytest.mark.parametrize("name", captures.NAMES)
def test_real_trees_are_read_back(name: str) -> None:
    """So do the trees of every recorded trace."""
    for run in captures.load(name).trees():
        assert tree_text.from_json(tree_text.to_json(run)) == run


@given(value=PLAIN, key=st.text())
def test_any_plain_value_survives(value: Any, key: str) -> None:
    """Arguments, replies and attributes may be any plain value."""
    run = full()
    run.root.tool_calls[0].arguments = {key: value}
    run.root.reply = value
    assert tree_text.from_json(tree_text.to_json(run)) == run


def test_messages_stand_beside_the_tree() -> None:
    """A job's messages are neither written into the tree nor part of what it is known by: they have a table."""
    run = full()
    run.root.messages.append(Message("user", "hi"))
    assert tree_text.to_json(run) == tree_text.to_json(full())
    assert tree_text.digest(run) == tree_text.digest(full())
    assert tree_text.from_json(tree_text.to_json(run)).root.messages == []


def test_fields_of_a_newer_version_are_passed_over() -> None:
    """An older reader reads what a newer writer wrote; what an older writer lacked has its default."""
    raw = orjson.loads(tree_text.to_json(full()))
    raw["novel"] = raw["root"]["novel"] = raw["root"]["tool_calls"][0]["novel"] = 1
    del raw["root"]["steps"], raw["root"]["jobs"], raw["members"]
    read = tree_text.from_json(orjson.dumps(raw))
    assert (read.root.steps, read.root.jobs, read.members) == (0, [], [])


def test_the_digest_is_of_facts() -> None:
    """Where a fact stands makes no difference, the fact does."""
    run = full()
    run.root.spans, run.root.steps, run.dialects = ["x"], 9, ["semconv"]
    run.root.tool_calls[0].spans = ["y"]
    assert tree_text.digest(run) == tree_text.digest(full())
    run.root.tool_calls[0].state = "failed"
    assert tree_text.digest(run) != tree_text.digest(full())


@pytest.mark.parametrize("word", sorted(tree_text.PROVENANCE))
def test_a_users_value_may_have_our_field_names(word: str) -> None:
    """An argument that is called like a field of provenance is a fact."""
    one, other = full(), full()
    one.root.tool_calls[0].arguments, other.root.tool_calls[0].arguments = {word: 1}, {word: 2}
    assert tree_text.digest(one) != tree_text.digest(other)


def test_the_digest_does_not_depend_on_the_order_of_keys() -> None:
    """Equal objects have one digest."""
    one, other = full(), full()
    one.root.reply, other.root.reply = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert tree_text.digest(one) == tree_text.digest(other)
