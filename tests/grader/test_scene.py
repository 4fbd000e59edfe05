"""What a check sees: calls in order, and how much was captured."""

from typing import Any

import pytest

from collector.tree import Capture
from grader.scene import Scene, tool_and_function
from tests.grader.trees import SECOND, call, captured, child, job, run, scene


def test_a_job_without_capture_notes_captured_nothing() -> None:
    """What is not said to be captured is absent."""
    assert scene(capture={}).capture("tools", "job") == "absent"


@pytest.mark.parametrize(
    ("parent", "below", "meet"),
    [
        ("present", "present", "present"),
        ("present", "absent", "partial"),
        ("absent", "absent", "absent"),
        ("partial", "present", "partial"),
        ("present", "malformed", "malformed"),
    ],
)
def test_capture_of_a_tree_is_the_meet_over_its_jobs(parent: Any, below: Any, meet: Any) -> None:
    """Some seen and some not is partial; what cannot be read spoils the whole."""
    root = job(capture=captured(tools=parent), jobs=[child("c", capture=captured(tools=below))])
    assert Scene(run(root)).capture("tools", "tree") == meet


def test_missing_children_make_a_tree_partial_at_most() -> None:
    """A job that was not seen may have done anything; the job's own capture is not touched."""
    where = scene(capture=captured(children="partial"))
    assert where.capture("tools", "tree") == "partial"
    assert where.capture("tools", "job") == "present"
    assert (where.capture("reply", "tree"), where.capture("reply", "job")) == ("partial", "present")


def test_lack_names_the_reasons() -> None:
    """Also where it is the children that may be missing."""
    capture = captured() | {"children": Capture("absent", ["unlinked"])}
    assert scene(capture=capture).lack("tools", "tree") == "tool calls were captured in part only (unlinked)"


def test_a_jobs_own_order_stands_against_start_times() -> None:
    """The normalizer orders by model position; between jobs the start time decides."""
    root = job(
        call("second", started=5 * SECOND),
        call("first", started=4 * SECOND),
        jobs=[child("c", call("between", started=int(4.5 * SECOND)), started=SECOND)],
        started=SECOND,
    )
    assert [c.name for c in Scene(run(root)).calls("tree").items] == ["between", "second", "first"]


def test_a_qualified_name_is_indexed_once() -> None:
    """A call whose two names are the same is one call."""
    where = scene(call("a", qualified="a"), call("b", qualified="s.b"))
    calls = where.calls("job")
    assert list(calls.named("a", "qualified")) == [0]
    assert list(calls.named("s.b", "qualified")) == [1]
    assert list(calls.named("s.b", "exact")) == []


def test_lack_is_a_sentence_for_one_thing_and_for_many() -> None:
    """The reply was, tool calls were."""
    where = scene(capture=captured(reply="absent", tools="absent"))
    assert where.lack("reply", "job") == "the reply was not captured"
    assert where.lack("tools", "job") == "tool calls were not captured"


@pytest.mark.parametrize(
    ("wanted", "called", "qualified", "same"),
    [
        ("math.calculator.add", "math.calculator.add", None, True),
        ("math.calculator.add", "add", None, True),
        ("add", "math.calculator.add", None, True),
        ("add", "run", "math.calculator.add", True),
        ("math.calculator.add", "calculator.add", None, False),
        ("math.calculator.add", "add", "other.add", True),
        ("add", "math.adds", None, False),
        ("math.calculator.add", "Add", None, False),
        ("shop.add", "lookup", "shop.add", True),
    ],
)
def test_S3_19_names_by_segment(wanted: str, called: str, qualified: str | None, same: bool) -> None:
    """The last segment stands for a dotted name where the other name has no dot."""
    calls = scene(call(called, qualified=qualified)).calls("job")
    assert bool(calls.named(wanted, "segment")) is same


def test_S3_19_the_whole_name_comes_first() -> None:
    """Where a call has the whole name, those of the same last segment are other tools."""
    calls = scene("add", "math.add", call("run", qualified="math.add"), "math.sub").calls("job")
    assert list(calls.named("math.add", "segment")) == [1, 2]
    assert list(calls.named("add", "segment")) == [0]
    assert list(calls.named("math.sub.add", "segment")) == [0]
    assert list(calls.named("other.sub", "segment")) == []
    assert list(calls.named("sub", "segment")) == [3]


@pytest.mark.parametrize(
    ("wanted", "exact", "qualified", "full"),
    [
        ("lookup", [0, 1], [0, 1], [0]),
        ("orders.lookup", [], [1], [1]),
        ("shop.orders.lookup", [2], [2], [2]),
        ("orders.other", [], [], []),
    ],
)
def test_ways_of_matching_a_name(wanted: str, exact: list[int], qualified: list[int], full: list[int]) -> None:
    """By its own name, by either, or by the full name alone."""
    calls = scene(call("lookup"), call("lookup", qualified="orders.lookup"), "shop.orders.lookup").calls("job")
    found = [list(calls.named(wanted, names)) for names in ("exact", "qualified", "tool_dot_function")]
    assert found == [exact, qualified, full]


@pytest.mark.parametrize(
    ("name", "split"), [("a.b", ("a", "b")), ("a.b.c", ("a.b", "c")), ("b", ("", "b")), ("a.", ("a", ""))]
)
def test_a_full_name_is_split_at_its_last_dot(name: str, split: tuple[str, str]) -> None:
    """A name without a dot has no tool."""
    assert tool_and_function(name) == split
