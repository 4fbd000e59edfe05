"""Rules S2-40 to S2-50: what the agent did."""

from typing import Any

import pytest

from tests.grader.evalstone_files import refused, score
from tests.grader.trees import call, child

STEPS = [{"tool": "lookup", "args": {"id": 1}}, {"tool": "refund", "args": {}}]
NO_TOOLS = {"capture": {"tools": "absent"}}
READING: list[tuple[str, dict[str, Any]]] = [
    ("trajectory.tool_called", {"name": "refund", "min_times": 0}),
    ("trajectory.tool_order", {"before": "lookup", "after": "refund"}),
    ("trajectory.max_steps", {"n": 9}),
    ("trajectory.no_repeated_calls", {}),
]


def called(*calls: Any, **check: Any) -> str:
    """The outcome of `trajectory.tool_called` for `refund` over these calls."""
    return score("trajectory.tool_called", *calls, check={"name": "refund"} | check).outcome


def order(*calls: str, before: str = "lookup", after: str = "refund") -> str:
    """The outcome of `trajectory.tool_order` over these calls."""
    return score("trajectory.tool_order", *calls, check={"before": before, "after": after}).outcome


def repeats(*calls: Any, **check: Any) -> str:
    """The outcome of `trajectory.no_repeated_calls` over these calls."""
    return score("trajectory.no_repeated_calls", *calls, check=check).outcome


def test_S2_40_steps_stand_in_the_output_below_steps_or_the_key_named() -> None:
    """Those of the output come before the trace's calls, which stand for them where it holds none."""
    two = {"name": "refund"}
    assert score("trajectory.tool_called", check=two, reply={"steps": STEPS}).outcome == "pass"
    assert score("trajectory.tool_called", "refund", check=two, reply={"steps": []}).outcome == "fail"
    named = {"steps": "trail"}
    assert score("trajectory.tool_called", check=two | named, reply={"trail": STEPS, "steps": []}).outcome == "pass"
    metadata = {"attributes": {"trail": STEPS}}
    assert score("trajectory.tool_called", check=two | named, **metadata).outcome == "pass"
    assert score("trajectory.tool_called", "refund", check=two).outcome == "pass"
    delegated = score("trajectory.tool_called", check=two, jobs=[child("sub", "refund")])
    assert (delegated.outcome, "counted over all 2 jobs" in delegated.sentence) == ("pass", True)
    forbidden = two | {"min_times": 0, "max_times": 0}
    assert score("trajectory.tool_called", check=forbidden, jobs=[child("sub", "refund")]).outcome == "fail"
    assert score("trajectory.tool_called", check=forbidden, capture={"children": "absent"}).outcome == "pass"
    assert score("trajectory.tool_called", check=forbidden, capture={"children": "partial"}).outcome == "error"


def test_S2_41_the_number_of_calls_is_within_its_bounds() -> None:
    """At least once by default, both ends included; the name is whole and its case counts."""
    assert (called("refund"), called("refund", "refund")) == ("pass", "pass")
    assert called("refund", "refund", max_times=1) == "fail"
    assert called("refund", "refund", max_times=2) == "pass"
    assert (called("refund", min_times=2), called("refund", "refund", min_times=2)) == ("fail", "pass")
    assert (called("orders.refund"), called("Refund")) == ("fail", "fail")
    assert called(call("refund", qualified="orders.refund"), name="orders.refund") == "fail"
    assert refused(type="trajectory.tool_called") == ["name: is missing"]


def test_S2_42_an_empty_trajectory_fails_unless_no_call_is_asked_for() -> None:
    """`min_times: 0` with `max_times: 0` forbids the tool; bounds that cross are a mistake."""
    assert (called(), called("other")) == ("fail", "fail")
    assert (called(min_times=0), called("other", min_times=0)) == ("pass", "pass")
    assert (called(min_times=0, max_times=0), called("refund", min_times=0, max_times=0)) == ("pass", "fail")
    assert refused(type="trajectory.tool_called", name="x", min_times=2, max_times=1) == [
        "max_times: is smaller than min_times (2)"
    ]
    assert refused(type="trajectory.tool_called", name="x", max_times=0) == ["max_times: is smaller than min_times (1)"]


def test_S2_43_a_predicate_on_arguments_cannot_stand_in_a_file() -> None:
    """It is Python; a check that dropped it would count calls that it was not asked about."""
    assert refused(type="trajectory.tool_called", name="x", args="lambda a: True") == [
        "args: is a Python predicate, which a file cannot hold; write the check in Python"
    ]


def test_S2_44_every_after_is_preceded_by_a_before() -> None:
    """Not necessarily at once."""
    assert order("lookup", "refund") == order("lookup", "policy", "refund") == "pass"
    assert order("refund", "lookup") == "fail"
    assert refused(type="trajectory.tool_order", before="a") == ["after: is missing"]


def test_S2_45_the_order_is_universal() -> None:
    """One `after` without a predecessor breaks it, whatever follows; without any there is nothing to precede."""
    assert order("refund", "lookup", "refund") == "fail"
    assert order("lookup", "refund", "refund") == "pass"
    assert (order(), order("lookup")) == ("pass", "pass")
    assert order("refund") == "fail"
    assert order("refund", "refund", before="refund") == order("refund", before="refund") == "fail"


def test_S2_46_at_most_n_steps() -> None:
    """So many pass, one more fails."""
    steps = [score("trajectory.max_steps", *"abc"[:n], check={"n": 2}).outcome for n in range(4)]
    assert steps == ["pass", "pass", "pass", "fail"]
    assert score("trajectory.max_steps", "a", jobs=[child("sub", "b")], check={"n": 1}).outcome == "fail"
    assert refused(type="trajectory.max_steps") == ["n: is missing"]


def test_S2_47_no_call_is_made_more_often_than_allowed_with_the_same_arguments() -> None:
    """Over the whole trajectory, adjacent or not; the order of keys does not matter, and no arguments are {}."""
    a, b = call("f", {"x": 1, "y": 2}), call("f", {"y": 2, "x": 1.0})
    assert repeats(a, "g", b) == repeats(call("f"), call("f", {})) == "fail"
    assert repeats(a, call("f", {"x": 2}), call("g", {"x": 1, "y": 2})) == "pass"
    assert (repeats(a, b, max_repeats=2), repeats(a, b, a, max_repeats=2)) == ("pass", "fail")
    assert repeats(a, call("f", arguments_capture="absent")) == "error"
    assert repeats(a, call("g", arguments_capture="absent")) == "pass"


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ({"answer": "yes"}, "pass"), ('{"answer": "yes"}', "pass"), ({"answer": " "}, "pass"), ({"answer": 0}, "pass"),
        ({"answer": False}, "pass"), ({"answer": ""}, "fail"), ({"answer": None}, "fail"), ({"answer": []}, "fail"),
        ({"answer": {}}, "fail"), ({"other": 1}, "fail"), ("just text", "fail"),
    ],
)  # fmt: skip
def test_S2_48_finished_has_something_at_its_path(reply: Any, outcome: str) -> None:
    """It reads no steps, so it needs no trajectory; a missing answer is a plain failure."""
    assert score("trajectory.finished", reply=reply, **NO_TOOLS).outcome == outcome
    assert score("trajectory.finished", check={"path": "a.0"}, reply={"a": ["x"]}).outcome == "pass"
    assert refused(type="trajectory.finished", steps="s")[0].startswith("steps: unknown key")


@pytest.mark.parametrize(("type_", "check"), READING)
def test_S2_49_without_a_recorded_trajectory_each_is_an_error(type_: str, check: Any) -> None:
    """Also where an empty one would pass; a trajectory that is incomplete proves no absence."""
    lost = score(type_, check=check, **NO_TOOLS)
    assert (lost.outcome, lost.value) == ("error", None)
    assert "there is no trajectory" in lost.sentence
    if type_ != "trajectory.tool_called":
        assert score(type_, check=check, capture={"tools": "partial"}).outcome == "error"


@pytest.mark.parametrize(("type_", "check"), READING)
def test_S2_50_an_empty_trajectory_is_judged_and_a_broken_one_is_an_error(type_: str, check: Any) -> None:
    """No calls is an answer; steps that are no list, or name no tool, are none."""
    assert score(type_, check=check).outcome == "pass"
    assert score(type_, check=check, reply={"steps": []}, **NO_TOOLS).outcome == "pass"
    for broken in ("x", {"tool": "a"}, [{"args": {}}], None):
        lost = score(type_, "lookup", check=check, reply={"steps": broken})
        assert (lost.outcome, "steps of the reply" in lost.sentence) == ("error", True)


def test_S2_50_with_its_default_tool_called_fails_on_an_empty_one() -> None:
    """Nothing was called."""
    assert score("trajectory.tool_called", check={"name": "refund"}, reply={"steps": []}).outcome == "fail"


def test_S2_41_a_call_that_never_went_ahead_is_no_step() -> None:
    """One that was denied or waits is none; one that was asked for, or failed, is one."""
    states = ("requested", "failed", "answered", "succeeded", "denied", "awaiting_approval")
    assert [called(call("refund", state=s)) for s in states] == ["pass"] * 4 + ["fail"] * 2
