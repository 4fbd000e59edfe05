"""`constraints_reach`: every job down to a depth carries them word for word."""

from typing import Any

import pytest

from grader.checks.constraints_reach import ConstraintsReachItem
from grader.forms import Defaults
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import captured, child, job, run

RULES = ["stay in the EU", "no discounts"]


def decide(root: object, depth: int, rules: list[str] = RULES) -> Finding:
    form = ConstraintsReachItem.model_validate({"constraints_reach": depth, "constraints": rules})
    return form.compile(Defaults()).decide(Scene(run(root)))  # ty: ignore


def chain(*carried: list[str] | None):
    """A root with a child with a child …, carrying these."""
    below = None
    for depth in reversed(range(len(carried))):
        jobs = [below] if below else []
        more = {"constraints": carried[depth], "jobs": jobs}
        below = child(f"agent-{depth}", **more) if depth else job(**more)
    return below


@pytest.mark.parametrize(
    ("carried", "depth", "truth"),
    [
        ([RULES], 0, True),
        ([RULES, RULES], 1, True),
        ([RULES, RULES], 2, False),
        ([RULES, None], 1, False),
        ([RULES, RULES[::-1]], 1, False),
        ([RULES, [RULES[0]]], 1, False),
        ([RULES, [*RULES, "more"]], 1, False),
        ([RULES, RULES, None], 1, True),
        ([None, None], 1, None),
        ([None, RULES], 1, False),
    ],
)
def test_reach(carried: Any, depth: Any, truth: Any):
    """Jobs beyond the depth are not looked at; recorded nowhere is unknown; some job must be that deep."""
    assert decide(chain(*carried), depth).truth is truth


def test_the_miss_names_the_job_and_what_it_lacks():
    """Which job, at which depth, which constraint."""
    finding = decide(chain(RULES, [RULES[1]]), 1)
    assert "agent-1 at depth 1 lacks “stay in the EU”" in finding.sentence


def test_children_that_may_be_missing_leave_it_open():
    """A job that was not seen may not carry them, or may be the deep one."""
    root = job(constraints=RULES, capture=captured(children="absent"))
    assert decide(root, 1).truth is None
