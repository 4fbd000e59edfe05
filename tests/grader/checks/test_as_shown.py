"""What was approved is what ran."""

from typing import Any

import pytest

from collector.tree import Approval
from grader.checks.as_shown import AsShown
from grader.outcome import Finding, Truth
from tests.grader.trees import call, scene

SHOWN = {"amount": 50}


def ran(arguments: Any, *, shown: Any = SHOWN, decision: Any = "approve", **more: Any) -> Finding:
    """The finding on a call that was approved."""
    one = Approval("refund", "1", decision=decision, requested_arguments=shown)
    return AsShown(scope="tree").decide(scene(call("refund", arguments, call_id="1", **more), approvals=[one]))


@pytest.mark.parametrize(
    ("arguments", "more", "truth"),
    [
        (SHOWN, {}, True),
        ({"amount": 50.0}, {}, True),
        ({"amount": 51}, {}, False),
        ({"amount": 50, "to": "you"}, {}, False),
        (None, {"arguments_capture": "absent"}, None),
        (SHOWN, {"arguments_capture": "partial"}, None),
        ({"amount": 51}, {"state": "denied"}, True),
        ({"amount": 51}, {"shown": None}, True),
        ({"amount": 51}, {"decision": "edit"}, True),
        ({"amount": 51}, {"decision": "reject"}, True),
    ],
)
def test_a_call_ran_with_what_its_approval_showed(arguments: Any, more: dict[str, Any], truth: Truth) -> None:
    """An approval that shows nothing binds to nothing, a call that did not run broke nothing."""
    assert ran(arguments, **more).truth is truth


def test_the_sentence_shows_both() -> None:
    """What ran and what was shown."""
    assert ran({"amount": 51}).sentence == (
        'refund ran with {"amount":51}; the approval showed {"amount":50}, and an answer binds to what is shown'
    )


def test_without_approvals_nothing_is_bound() -> None:
    """The sentence says so."""
    found = AsShown(scope="tree").decide(scene("refund"))
    assert (found.truth, found.sentence) == (True, "no approval showed arguments that were approved as they stood")
