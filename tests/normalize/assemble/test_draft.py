"""A job in the making."""

from collector.normalize.assemble.draft import Draft
from collector.normalize.assemble.forest import Node, plant
from collector.normalize.dialect import Sighting
from collector.normalize.values import Value
from tests.normalize.spans import agent, row, sighted


def node(**facts: Value) -> Node:
    """A node of which some facts are known."""
    (found,) = plant(sighted(row("s")))
    found.said = Sighting(**facts)  # ty: ignore[invalid-argument-type]
    return found


def test_the_innermost_span_speaks_first() -> None:
    """Of a job's own spans the innermost is its own, the outer ones wrap it."""
    draft = Draft([node(agent=Value("outer"), batch=Value("b")), node(agent=Value("inner"))])
    assert (draft.agent, draft.told("batch")) == ("inner", Value("b"))


def test_the_main_span_is_the_innermost_that_is_there() -> None:
    """What wraps a job changes nothing, unless the job's own span is only implied."""
    outer, inner = node(), node()
    draft = Draft([inner])
    draft.wrap([outer])
    assert (draft.main, draft.spans) == (inner, [outer, inner])
    made_up = node()
    made_up.implied = True
    draft = Draft([made_up])
    assert draft.main is made_up
    draft.wrap([outer])
    assert draft.main is outer


def test_a_readable_fact_is_taken_before_an_unreadable_one() -> None:
    """What the inner span could not say, the outer may."""
    broken = Value(None, "malformed", "redacted")
    assert Draft([node(output=Value("Bye.")), node(output=broken)]).told("output") == Value("Bye.")
    assert Draft([node(output=broken)]).told("output") == broken


def test_nobody_named_is_none() -> None:
    """A job without a named agent has no agent."""
    assert Draft([node()]).agent is None


def test_the_jobs_above_come_nearest_first() -> None:
    """Up to the root."""
    top = Draft(plant(sighted(agent("a"))))
    middle = Draft([node()], parent=top)
    assert Draft([node()], parent=middle).above() == [middle, top]
