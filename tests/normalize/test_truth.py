"""Every recorded trace against what its run really did."""

from collections import Counter
from typing import Any

import pytest

from collector.tree import Run
from tests import captures
from tests.normalize.ruler import Finding, alike, holds, letters, measure, sights


def findings(name: str) -> list[Finding]:
    """All facts of a capture, measured."""
    capture = captures.load(name)
    return list(measure(capture.truth, capture.scenario, capture.trees()))


@pytest.mark.parametrize("name", captures.NAMES)
def test_no_fact_is_wrong(name: str) -> None:
    """Nothing that a tree says differs from what happened."""
    assert [f for f in findings(name) if f.verdict == "wrong"] == []


LEFT_OUT = {
    "anthropic-events__traceloop__refund": "its contents stand in log records that name no trace",
    "anthropic__native__refund": "three model calls without contents: how the loop ended is in none of them",
}
"""Captures of which a fact could be found and is not; the fact is absent, not wrong."""


def most() -> list[Any]:
    """All captures, those of which facts are left out marked so."""
    marks = {name: [pytest.mark.xfail(strict=True, reason=reason)] for name, reason in LEFT_OUT.items()}
    return [pytest.param(name, marks=marks.get(name, [])) for name in captures.NAMES]


@pytest.mark.parametrize("name", most())
def test_facts_are_absent_only_where_the_trace_lacks_them(name: str) -> None:
    """What the trace holds is found: absent are only facts listed as unseen or shown as something else."""
    truth = captures.load(name).truth
    forgiven = {*truth.get("unseen", ()), *truth.get("seen", {})}
    lost = [f for f in findings(name) if f.verdict == "absent" and f.fact not in forgiven]
    assert [f for f in lost if not f.fact.startswith("approval of")] == []


@pytest.mark.parametrize("name", captures.NAMES)
def test_what_the_trace_lacks_is_not_guessed(name: str) -> None:
    """A fact that no part of the trace holds is never stated."""
    unseen = set(captures.load(name).truth.get("unseen", ()))
    assert [f for f in findings(name) if f.verdict == "right" and f.fact in unseen and f.got is not None] == []


@pytest.mark.parametrize("name", captures.NAMES)
def test_spans_belong_to_one_tree(name: str) -> None:
    """No span is told of by two jobs, and no run has two jobs of one id."""
    jobs = [job for run in captures.load(name).trees() for job in run.root.walk()]
    own = [(job.trace_id, span) for job in jobs for span in job.spans]
    assert len(own) == len(set(own))
    assert len({job.id for job in jobs}) == len(jobs)


@pytest.mark.parametrize("name", captures.NAMES)
def test_no_call_is_told_of_twice(name: str) -> None:
    """Whatever its state: of a tool there are no more calls than were made, refused or are waiting."""
    truth = captures.load(name).truth
    kinds = ("tool_calls", "rejected_calls", "pending_tool_calls", "approvals")
    made = Counter(letters(call["name"]) for kind in kinds for call in truth.get(kind) or ())
    told = Counter(letters(sight.call.name) for sight in sights(captures.load(name).trees()))
    assert {tool: (count, made[tool]) for tool, count in told.items() if made[tool] and count > made[tool]} == {}


TRUTH: dict[str, Any] = captures.load("pydantic-ai-v5__native__refund").truth


def spoil(name: str, value: Any, where: str = "call") -> list[str]:
    """The facts that the ruler calls wrong after one fact of a right tree is changed."""
    runs: list[Run] = captures.load("pydantic-ai-v5__native__refund").trees()
    setattr(runs[0].root.tool_calls[0] if where == "call" else runs[0].root, name, value)
    return [f.fact for f in measure(TRUTH, "refund", runs) if f.verdict == "wrong"]


@pytest.mark.parametrize(
    ("name", "value", "where", "fact"),
    [
        ("arguments", {"order_id": "B"}, "call", "call 0 lookup_order arguments"),
        ("result", "lost", "call", "call 0 lookup_order result"),
        ("state", "failed", "call", "call 0 lookup_order succeeded"),
        ("name", "erase", "call", "call 0 lookup_order"),
        ("started", 2**62, "call", "order"),
        ("agent", "somebody", "job", "call 0 lookup_order agent"),
        ("reply", "No.", "job", "reply"),
        ("input", "Hm?", "job", "input"),
        ("status", "failed", "job", "status"),
        ("tool_calls", [], "job", "call 0 lookup_order"),
    ],
)
def test_the_ruler_sees_each_mistake(name: str, value: Any, where: str, fact: str) -> None:
    """A tree in which one fact is changed is measured wrong in that fact."""
    assert spoil("agent", "support_agent", "job") == []
    assert fact in spoil(name, value, where)


def test_values_compare_as_a_person_would() -> None:
    """50 equals 50.0 and JSON text equals its value; True is not 1; a wrapper holds its value, a dump does not."""
    assert alike({"a": 50}, '{"a": 50.0}')
    assert not alike(True, 1)
    assert holds("done", [{"type": "text", "text": "done"}])
    assert not holds("x", ["x" * 900])
