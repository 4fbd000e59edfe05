"""Why a verdict changed."""

from typing import Any

import pytest

from grader.results.change import Earlier, because, mark
from grader.sample import RunFacts, Sample


def sample(**more: Any) -> Sample:
    facts: dict[str, Any] = {"tree_digest": "d1", "traces": ("t1",), "jobs": 1, "evidence_ns": 5} | more
    return Sample("case", "hash", RunFacts("run", "t1", None, **facts), "pass", 1.0, "")


EARLIER = Earlier("hash", "d1", "", frozenset({"t1"}), 1, 5, "fail", "g0")


@pytest.mark.parametrize(
    ("today", "reason"),
    [
        ({}, None),
        ({"tree_digest": "d2", "traces": ("t1", "t2"), "jobs": 2}, "child joined"),
        ({"tree_digest": "d2", "jobs": 2, "evidence_ns": 6}, "child joined"),
        ({"tree_digest": "d2", "evidence_ns": 6}, "evidence arrived"),
        ({"tree_digest": "d2"}, "normalizer changed"),
        ({"tree_digest": "d2", "evidence_ns": None}, "evidence arrived"),
    ],
)
def test_reasons(today: Any, reason: Any) -> None:
    """Another trace or job: a child joined; the same evidence read otherwise: the normalizer; else evidence arrived."""
    assert because(EARLIER, sample(**today)) == reason


def test_another_case_is_a_reason_beside_another_tree() -> None:
    """Both are told."""
    changed = Earlier("other hash", "d0", "", frozenset({"t1"}), 1, 4, "fail", "g0")
    assert because(changed, sample()) == "case changed; evidence arrived"


def test_another_context_is_a_reason() -> None:
    """The same case on the same tree, with other inputs beside it."""
    before = Earlier("hash", "d1", "of other inputs", frozenset({"t1"}), 1, 5, "fail", "g0")
    assert because(before, sample()) == "inputs changed"


def test_marking_fills_in_what_was_before() -> None:
    """A run that was never graded stays without a reason."""
    first, other = sample(tree_digest="d2", evidence_ns=6), sample()
    other.case = "new case"
    mark([first, other], {("run", "case"): EARLIER})
    assert (first.changed_because, first.previous_outcome, first.previous_grading) == ("evidence arrived", "fail", "g0")
    assert (other.changed_because, other.previous_outcome) == (None, None)
