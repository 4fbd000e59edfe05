"""`call_condition`: calls filtered by their arguments, and their number held against conditions."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.checks.call_condition import CallCondition
from grader.expressions.dsl import compile_dsl
from grader.outcome import Finding, Truth
from grader.scene import Scene
from grader.wanted import NOT_STOPPED, Wanted
from tests.grader.trees import call, captured, job, run

ROOTS = ("invocations", "params", "context")
COUNTS = (
    "invocations >= 2",
    "invocations == 1",
    "invocations != 3",
    "invocations < 2",
    "invocations in [0, 2]",
    "invocations",
)


def condition(where: str = "", count: str = "", gate: str = "") -> CallCondition:
    """Over the calls of `f`."""
    parts = [(compile_dsl(s, ROOTS),) if s else () for s in (gate, where, count)]
    wanted = Wanted(tool="f", names="exact", states=NOT_STOPPED)
    return CallCondition(wanted=wanted, gate=parts[0], where=parts[1], count=parts[2], scope="job")


def decide(made: CallCondition, *arguments: Any, complete: bool = True, context: Any = None) -> Finding:
    """On calls with these arguments; None: they were not captured."""
    calls = [call("f", a, arguments_capture="absent" if a is None else "present") for a in arguments]
    root = job(*calls, capture=captured(tools="present" if complete else "partial"))
    return made.decide(Scene(run(root), context=context))


@given(
    st.lists(st.sampled_from([{"a": 0}, {"a": 1}, None]), max_size=4),
    st.booleans(),
    st.sampled_from(["", *COUNTS]),
)
def test_the_answer_is_that_of_everything_that_can_have_happened(
    arguments: list[Any], complete: bool, count: str
) -> None:
    """True or false only where every filling of what was not captured says so."""
    made = condition("params.a == 1", count)
    hidden = sum(a is None for a in arguments)
    seen = sum(a == {"a": 1} for a in arguments)
    more = (0,) if complete else (0, 1, 2, 3, 4, 50)
    worlds = {seen + sum(filling) + extra for filling in product((0, 1), repeat=hidden) for extra in more}
    expression = compile_dsl(count or "invocations >= 1", ROOTS)
    answers = {expression.evaluate({"invocations": n}) for n in worlds}
    expected: Truth = answers.pop() if len(answers) == 1 else None
    assert decide(made, *arguments, complete=complete).truth is expected


@pytest.mark.parametrize(
    ("context", "truth"), [({"n": 2}, True), ({"n": 3}, False), ({"n": "2"}, False), ({}, False), (None, None)]
)
def test_a_count_may_hang_on_the_fixture(context: Any, truth: Truth) -> None:
    """Known facts decide, also where one is missing; facts that were not captured leave it open."""
    assert decide(condition(count="invocations == context.n"), {}, {}, context=context).truth is truth


def test_numbers_of_the_fixture_are_turns_as_well() -> None:
    """Where calls may be missing, a count up to the fixture's number may still change the answer."""
    made = condition(count="invocations != context.n")
    assert decide(made, {}, complete=False, context={"deep": [{"n": 1}], "n": 700}).truth is None
    assert decide(made, {}, complete=False, context={"n": -5}).truth is True


@pytest.mark.parametrize(("context", "truth"), [({"on": 1}, True), ({"on": 0}, False), (None, None)])
def test_a_gate_decides_first(context: Any, truth: Truth) -> None:
    """Whatever was called."""
    finding = decide(condition(gate="context.on"), {}, context=context)
    assert finding.truth is truth
    if truth is not True:
        assert "context.on" in finding.sentence


def test_the_sentence_has_the_nearest_miss() -> None:
    """Another call's arguments where one more would do; its state where that kept it from counting."""
    assert 'another call had {"a":2}' in decide(condition("params.a == 1"), {"a": 2}).sentence
    assert (
        "another call"
        not in decide(condition("params.a == 1", "invocations == 1"), {"a": 1}, {"a": 1}, {"a": 2}).sentence
    )
    denied = Scene(run(job(call("f", {"a": 1}, state="denied"))))
    assert "another call is denied" in condition("params.a == 1").decide(denied).sentence
    other = Scene(run(job("g")))
    assert "f was never called; expected at least once; the agent called: g" in condition().decide(other).sentence


def test_a_finding_rests_on_the_calls_that_match() -> None:
    """Their spans, else those of the tool."""
    calls = [call("f", {"a": n}, spans=[f"{n:016x}"]) for n in (1, 2)]
    found = Scene(run(job(*calls)))
    assert condition("params.a == 2").decide(found).spans == [f"{2:016x}"]
    assert condition("params.a == 3").decide(found).spans == [f"{1:016x}", f"{2:016x}"]


def test_calls_that_were_asked_for_and_never_ran_may_be_unseen() -> None:
    """They count, so a count without the models' requests is a lower bound."""
    root = job(call("f", {"a": 0}), capture=captured(requests="partial"))
    assert condition(count="invocations == 1").decide(Scene(run(root))).truth is None
    assert condition(count="invocations >= 1").decide(Scene(run(root))).truth is True
