"""Conditions on the facts of a job."""

import pytest

from grader.case import digest
from grader.condition import CelCondition, Condition
from grader.facts import OF_A_JOB
from grader.outcome import Finding, Truth
from grader.scene import Scene
from tests.grader.trees import captured, job, run, scene


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
