"""`calls`: a multiset, matched by the best assignment."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.tree import ToolCall
from grader.checks.calls import CallsItem
from grader.forms import Defaults
from grader.outcome import Finding, Truth
from grader.scene import Scene
from tests.grader.trees import call, captured, child, job, run, scene

MATCHES = ("exactly", "at_least", "at_most")


def decide(where: Scene, *entries: Any, **more: Any) -> Finding:
    return CallsItem.model_validate({"calls": list(entries)} | more).compile(Defaults()).decide(where)


def truths(where: Scene, *entries: Any) -> list[Truth]:
    """The answers for exactly, at_least and at_most."""
    return [decide(where, *entries, match=m).truth for m in MATCHES]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (["a", "b"], [True, True, True]),
        (["b", "a"], [True, True, True]),
        (["a"], [False, False, True]),
        ([], [False, False, True]),
        (["a", "b", "b"], [False, True, False]),
        (["a", "a"], [False, False, False]),
        (["a", "b", "c"], [False, True, False]),
        (["c"], [False, False, False]),
    ],
)
def test_how_often_counts_and_the_order_does_not(made: list[str], expected: list[Truth]) -> None:
    """Two calls of one tool are not one, and an entry serves one call only."""
    assert truths(scene(*made), "a", "b") == expected
    assert truths(scene(*made), "b", "a") == expected


def test_exactly_is_meant_where_nothing_is_said() -> None:
    """A call beyond the list fails it."""
    assert decide(scene("a"), "a").truth is True
    assert decide(scene("a", "b"), "a").truth is False


def test_a_call_steps_aside_for_an_entry_that_has_no_other() -> None:
    """Greedily the open entry would take the only call with amount 50."""
    open_entry, closed = "pay", {"tool": "pay", "with": {"amount": 50}}
    made = scene(call("pay", {"amount": 50}), call("pay", {"amount": 1}))
    assert truths(made, open_entry, closed) == [True, True, True]
    assert truths(made, closed, closed) == [False, False, False]


@pytest.mark.parametrize(
    ("made", "expected"), [([], [None, None, None]), (["a", "b"], [None, True, None]), (["c"], [False, None, False])]
)
def test_calls_that_were_not_captured_leave_it_open(made: list[str], expected: list[Truth]) -> None:
    """A witness proves at_least, a call too many refutes the others; nothing else is known."""
    for capture in (captured(tools="partial"), captured(requests="partial")):
        assert truths(scene(*made, capture=capture), "a", "b") == expected


def test_unknown_requests_leave_executions_known() -> None:
    """Calls that never ran need the models' words; those that ran have spans."""
    where = scene("a", "b", capture=captured(requests="absent"))
    assert decide(where, "a", "b", state="executed").truth is True
    assert decide(where, "a", "b").truth is None


def test_unknown_arguments_leave_it_open_where_they_matter() -> None:
    """One call that may be meant is neither there nor missing; two that are wanted and one made is a miss all the same."""
    entry = {"tool": "pay", "with": {"amount": 50}}
    hidden = call("pay", arguments_capture="absent")
    assert truths(scene(hidden), entry) == [None, None, None]
    assert truths(scene(hidden), entry, entry) == [False, False, None]
    assert truths(scene(hidden, hidden), entry) == [False, None, False]


def test_states_narrow_which_calls_there_are() -> None:
    """A denied call is none that was executed, and one whose success is unknown may be one that succeeded."""
    made = scene("a", call("b", state="denied"))
    assert truths(made, "a") == [False, True, False]
    assert decide(made, "a", state="executed").truth is True
    unsure = scene(call("a", state="answered"))
    assert [decide(unsure, "a", state="succeeded", match=m).truth for m in MATCHES] == [None, None, True]
    assert [decide(unsure, "b", state="succeeded", match=m).truth for m in MATCHES] == [False, False, None]


def test_the_whole_tree_counts_unless_the_job_is_meant() -> None:
    """As for all checks about calls."""
    where = Scene(run(job("a", jobs=[child("helper", "b")])))
    assert decide(where, "a", "b").truth is True
    assert decide(where, "a", scope="job").truth is True


def test_the_sentence_has_the_nearest_miss() -> None:
    """What lacked a call, what came closest, and what was called beyond the list."""
    made = scene(call("pay", {"amount": 60}), "mail")
    miss = decide(made, {"tool": "pay", "with": {"amount": 50}}, "mail")
    assert miss.sentence.startswith(
        "no call of its own for pay with amount 50; the nearest call was with amount 60; expected 50"
    )
    assert miss.value == pytest.approx(1 / 3)
    assert decide(scene("a", "b", "b"), "a", "b").sentence == "called beyond that: b"
    assert decide(scene("a"), "a", "a").sentence.startswith("no call of its own for a; a was called once")
    assert decide(scene(), "a").sentence == "no call of its own for a; a was never called"


def test_an_entry_is_sorted_in_so_that_its_place_is_no_question() -> None:
    """A multiset written in another order is the same definition."""
    one, other = (CallsItem.model_validate({"calls": c}).compile(Defaults()) for c in (["a", "b"], ["b", "a"]))
    assert one == other


AMOUNTS = st.integers(1, 3)
ENTRY = st.sampled_from(["f", "g"]) | st.builds(lambda a: {"tool": "f", "with": {"a": a}}, AMOUNTS)
MADE = st.tuples(st.sampled_from(["f", "g"]), AMOUNTS)


def fits(entry: Any, made: tuple[str, int]) -> bool:
    """Whether a call is such as the entry says."""
    return made[0] == entry if isinstance(entry, str) else made == (entry["tool"], entry["with"]["a"])


def possible(entries: list[Any], made: list[tuple[str, int]], match: str) -> bool:
    """By trying every way to give each entry a call, or each call an entry."""
    few, many = (made, entries) if match == "at_most" else (entries, made)
    if len(few) > len(many) or (match == "exactly" and len(few) != len(many)):
        return False
    pairs = ((f, m) if match != "at_most" else (m, f) for f in few for m in many)
    known = {(str(e), m): fits(e, m) for e, m in pairs}
    return any(
        all(known[(str(f), m) if match != "at_most" else (str(m), f)] for f, m in zip(few, chosen, strict=False))
        for chosen in permutations(many, len(few))
    )


def real(made: list[tuple[str, int]]) -> list[ToolCall]:
    """Calls as they would be captured."""
    return [call(name, {"a": a}) for name, a in made]


@settings(deadline=None)
@given(st.lists(ENTRY, min_size=1, max_size=4), st.lists(MADE, max_size=4))
def test_the_answer_is_that_of_trying_everything(entries: list[Any], made: list[tuple[str, int]]) -> None:
    """For multisets small enough to try every assignment."""
    where = scene(*real(made))
    assert truths(where, *entries) == [possible(entries, made, m) for m in MATCHES]


@settings(deadline=None)
@given(
    entries=st.lists(ENTRY, min_size=1, max_size=3),
    made=st.lists(MADE, max_size=3),
    unseen=st.lists(MADE, max_size=2),
    hidden=st.sets(st.integers(0, 2)),
)
def test_what_could_have_happened_never_contradicts_the_answer(
    entries: list[Any], made: list[tuple[str, int]], unseen: list[tuple[str, int]], hidden: set[int]
) -> None:
    """With arguments hidden and calls unseen, True and False hold in the world that was really there."""
    seen = real(made)
    for place in hidden:
        if place < len(seen):
            seen[place].arguments_capture = "absent"
            seen[place].arguments = None
    where = scene(*seen, capture=captured(tools="partial" if unseen else "present", tool_args="partial"))
    for match, answer in zip(MATCHES, truths(where, *entries), strict=True):
        assert answer in (None, possible(entries, [*made, *unseen], match))
