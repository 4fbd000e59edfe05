"""What is different between two trees."""

from typing import Any

import pytest

from collector.cli.differences import NOTHING, Difference, differences
from collector.tree import Capture, Job, Run, ToolCall
from collector.tree_text import from_json, to_json


def run(*calls: ToolCall, **job: Any) -> Run:
    """A run of one job."""
    return from_json(to_json(Run("r", Job("j", "t", tool_calls=list(calls), **job))))


def call(name: str, **values: Any) -> ToolCall:
    """A tool call."""
    return ToolCall(name, **values)


def test_equal_trees_differ_in_nothing() -> None:
    """A tree is equal to itself, and numbers are compared by value."""
    assert differences(run(call("a", arguments={"n": 50})), run(call("a", arguments={"n": 50.0}))) == []


def test_provenance_is_no_difference() -> None:
    """Which spans told of a fact, and in which dialect, is not a fact."""
    before, after = run(call("a", spans=["1"]), spans=["1"]), run(call("a", spans=["2", "3"]), steps=4)
    before.dialects, after.dialects, after.digest = ["agno"], ["semconv"], "other"
    assert differences(before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (run(reply="yes"), run(reply="no"), [("root.reply", "yes", "no")]),
        (run(reply=None), run(reply=1), [("root.reply", None, 1)]),
        (run(reply=1), run(reply=True), [("root.reply", 1, True)]),
        (
            run(call("a", arguments={"n": 60, "old": 1})),
            run(call("a", arguments={"n": 50, "new": 2})),
            [
                ("root.tool_calls[0].arguments.n", 60, 50),
                ("root.tool_calls[0].arguments.old", 1, NOTHING),
                ("root.tool_calls[0].arguments.new", NOTHING, 2),
            ],
        ),
        (
            run(reply={"spans": ["1"]}),
            run(reply={"spans": ["2"]}),
            [("root.reply.spans[0]", "1", "2")],  # a user's own key, whatever its name
        ),
        (
            run(capture={"tools": Capture("absent", ["content_off"])}),
            run(capture={"tools": Capture("present")}),
            [
                ("root.capture.tools.state", "absent", "present"),
                ("root.capture.tools.reasons[0]", "content_off", NOTHING),
            ],
        ),
    ],
    ids=["text", "from null", "a truth is no number", "arguments", "a user's keys", "capture"],
)
def test_each_fact_has_its_path(before: Run, after: Run, expected: list[tuple[str, Any, Any]]) -> None:
    """A difference names the fact's place in the tree, what it was and what it is."""
    assert differences(before, after) == [Difference(*fact) for fact in expected]


def test_one_more_item_is_one_difference() -> None:
    """A call that comes in between does not make the later ones differ."""
    before, after = run(call("a"), call("c")), run(call("a"), call("b"), call("c"))
    (added,) = differences(before, after)
    assert (added.path, added.before, added.after["name"]) == ("root.tool_calls[1]", NOTHING, "b")
    (gone,) = differences(after, before)
    assert (gone.path, gone.before["name"], gone.after) == ("root.tool_calls[1]", "b", NOTHING)
