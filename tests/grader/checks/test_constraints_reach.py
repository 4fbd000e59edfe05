"""`constraints_reach`: every job down to a depth carries them word for word."""

import hashlib
from typing import Any

import pytest

from grader.checks.constraints_reach import ConstraintsReachItem, digest_of
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


def test_children_below_the_depth_may_be_missing() -> None:
    """Nobody looks at them."""
    assert decide(job(constraints=RULES, capture=captured(children="absent")), 0).truth is True
    below = child("a", constraints=RULES, capture=captured(children="absent"))
    assert decide(job(constraints=RULES, jobs=[below]), 1).truth is True


def test_a_job_may_carry_the_digest() -> None:
    """Of the list in its order, as compact JSON in UTF-8."""
    assert digest_of(["ü"]) == "sha256:" + hashlib.sha256('["ü"]'.encode()).hexdigest()
    assert decide(chain(RULES, [digest_of(RULES)]), 1).truth is True
    assert decide(chain(RULES, [digest_of(RULES[::-1])]), 1).truth is False
    assert decide(chain(RULES, [digest_of(RULES), "more"]), 1).truth is False
