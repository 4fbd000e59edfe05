"""Conditions on the facts of a job."""

from typing import Any

import pytest

from grader.case import digest
from grader.condition import CelCondition, Condition
from grader.facts import OF_A_JOB
from grader.outcome import Finding, Truth
from grader.scene import Scene
from grader.wanted import NOT_STOPPED
from tests.grader.trees import call, captured, job, run, scene


def dsl(source: str, where: Scene) -> Finding:
    return Condition(source=source, roots=OF_A_JOB, scope="tree").decide(where)


def cel(source: str, where: Scene) -> Finding:
    return CelCondition(source=source, variables=OF_A_JOB, scope="tree").decide(where)


LABELLED = scene("a.lookup", "b.refund", reply='{"label": "spam", "n": 3}')


@pytest.mark.parametrize(
    ("source", "truth"),
    [
        ('output.label != "unknown"', True),
        ("output.n >= 3 and status == 'completed'", True),
        ('output.label == "ham"', False),
        ('output.missing != "x"', False),
        ('"b.refund" in tools and error is null', True),
        ("context.id == 1", None),
        ("context.id == 1 and output.n == 4", False),
        ("context.id == 1 or output.n == 3", True),
    ],
)
def test_the_python_like_language(source: str, truth: Truth) -> None:
    """A missing field fails; a fact that was not captured leaves open what hangs on it."""
    assert dsl(source, LABELLED).truth is truth


@pytest.mark.parametrize(
    ("source", "truth"),
    [
        ("tool_calls.filter(c, c.function == 'refund').size() == 1", True),
        ("output.label != 'unknown' && calls == 0", True),
        ("output.label == 'ham'", False),
        ("output.missing == 'x'", False),
        ("has(output.missing)", False),
        ("context.id == 1", None),
        ("context.id == 1 || output.n == 3", True),
    ],
)
def test_cel(source: str, truth: Truth) -> None:
    """What cannot be evaluated fails, what was not captured is open."""
    assert cel(source, LABELLED).truth is truth


def test_sentences_tell_what_was_there() -> None:
    """The values that the expression speaks of, or why they are not known."""
    assert (
        dsl('output.label == "ham"', LABELLED).sentence == 'output.label == "ham" does not hold: output.label is spam'
    )
    assert dsl("output.x == 1", LABELLED).sentence == "output.x == 1 does not hold: output.x is not there"
    lost = scene(capture=captured(reply="absent"))
    for finding in (dsl("output.x == 1", lost), cel("output.x == 1", lost)):
        assert finding.sentence == (
            "whether output.x == 1 holds is not known: output is not known: the reply was not captured"
        )
    assert "does not hold: output is" in cel("output.label == 'ham'", LABELLED).sentence
    assert "could not be evaluated" in cel("output.missing == 'x'", LABELLED).sentence


def test_context_is_the_one_given() -> None:
    """Facts of a fixture that a file gives stand for those that the run carries."""
    given = Scene(run(job()), context={"id": 1})
    assert dsl("context.id == 1", given).truth is cel("context.id == 1", given).truth is True


def test_a_condition_is_its_text() -> None:
    """Compiled parts are no part of the definition's hash."""
    one, same, other = (Condition(source=s, roots=OF_A_JOB, scope="job") for s in ("status", "status", "error"))
    assert digest(one) == digest(same) != digest(other)
    two, like = (CelCondition(source="calls == 1", variables=OF_A_JOB, scope="job") for _ in "ab")
    assert digest(two) == digest(like)
    assert two == like


def steps(source: str, where: Scene, **more: Any) -> Truth:
    """A condition over two calls, one of them denied."""
    return CelCondition(source=source, variables=OF_A_JOB, scope="tree", **more).decide(where).truth


def test_facts_that_are_needed_where_they_are_mentioned() -> None:
    """Nothing is decided without them, though the rest would; a name inside a text is no mention."""
    where = scene(capture=captured(tools="absent"))
    either, text = "output == 'done' || tool_calls.size() == 0", "output != 'tool_calls'"
    assert (steps(either, where), steps(either, where, needed=("tool_calls",))) == (True, None)
    assert steps(text, where, needed=("tool_calls",)) is True


def test_calls_in_some_states_with_some_fields() -> None:
    """The others are not listed, and are no fields."""
    where = scene("a.f", call("a.g", state="denied"))
    assert steps("tool_calls.size() == 2", where) is True
    assert steps("tool_calls.map(c, c.function) == ['f']", where, states=NOT_STOPPED) is True
    assert steps("tool_calls.exists(c, has(c.state))", where) is True
    assert steps("tool_calls.exists(c, has(c.state))", where, call_fields=("function",)) is False


def test_which_answers_are_structures() -> None:
    """All that is JSON, or objects and lists alone."""
    assert (
        steps("output == 42", scene(reply="42")),
        steps("output == 42", scene(reply="42"), answer="structures"),
    ) == (True, False)
    for answer in ("json", "structures"):
        assert steps("output.n == 42", scene(reply='{"n": 42}'), answer=answer) is True
        assert steps("output == 'x'", scene(capture=captured(reply="absent")), answer=answer) is None
