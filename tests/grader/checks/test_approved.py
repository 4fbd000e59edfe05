"""`approved`: every call of a tool has an approval that was decided for it."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.tree import Approval
from grader.checks.approved import ApprovedItem
from grader.forms import Defaults
from grader.outcome import Finding, Truth
from grader.scene import Scene
from tests.grader.trees import call, captured, child, job, run, scene


def decide(where: Scene, **more: Any) -> Finding:
    return ApprovedItem.model_validate({"approved": "refund"} | more).compile(Defaults()).decide(where)


def approval(call_id: str | None = "1", decision: Any = "approve", source: Any = "human", **more: Any) -> Approval:
    """One decided by a person, unless a test says otherwise."""
    return Approval("refund", call_id, decision=decision, source=source, spans=["c" * 16], **more)


def refunds(*approvals: Approval, calls: int = 1, **more: Any) -> Scene:
    """A job with so many refunds, whose ids count from 1."""
    made = [call("refund", {"n": n}, call_id=str(n)) for n in range(1, calls + 1)]
    return scene(*made, approvals=list(approvals), **more)


@pytest.mark.parametrize(
    ("decision", "truth"),
    [("approve", True), ("edit", True), ("reject", False), ("timeout", False), ("pending", False)],
)
def test_only_approve_and_edit_are_approvals(decision: str, truth: Truth) -> None:
    """A refusal, and a request that nobody answered, are none."""
    assert decide(refunds(approval(decision=decision))).truth is truth


@pytest.mark.parametrize(
    ("source", "human", "policy", "whoever"),
    [
        ("human", True, False, True),
        ("policy", False, True, True),
        ("auto", False, True, True),
        ("unknown", None, None, True),
    ],
)
def test_who_decided(source: str, human: Truth, policy: Truth, whoever: Truth) -> None:
    """A policy's and an automatic decision are no person's; who is not named may be either."""
    where = refunds(approval(source=source))
    assert [decide(where, by=by).truth for by in ("human", "policy", "any")] == [human, policy, whoever]
    assert decide(where).truth is whoever


def test_each_call_needs_one() -> None:
    """The sentence and the spans are those of the call that lacks it."""
    finding = decide(refunds(approval("1"), calls=2))
    assert (finding.truth, finding.sentence) == (False, "a call of refund has no approval")
    assert decide(refunds(approval("1"), approval("2"), calls=2)).truth is True
    assert decide(refunds(approval("1"), approval("2", source="auto"), calls=2), by="human").sentence.endswith(
        "was approved by auto; expected human"
    )


def test_without_evidence_it_is_unknown() -> None:
    """Approvals that were not captured may have been given; calls that were not captured may lack one."""
    assert decide(refunds(capture=captured(approvals="absent"))).truth is None
    assert decide(refunds(approval(decision="reject"), capture=captured(approvals="partial"))).truth is False
    assert decide(refunds(approval(), capture=captured(approvals="partial"))).truth is True
    assert decide(refunds(approval(), capture=captured(tools="partial"))).truth is None
    assert decide(refunds(approval(), capture=captured(requests="partial"))).truth is None
    assert decide(refunds(approval(), capture=captured(requests="partial")), state="executed").truth is True


def test_a_tool_that_was_never_called_was_not_approved() -> None:
    """Nothing that happened is no approval; a policy says so with `when`."""
    assert decide(scene("lookup")).truth is False
    assert decide(scene("lookup", capture=captured(tools="absent"))).truth is None


@pytest.mark.parametrize(
    ("decisions", "calls", "truth"),
    [
        (["approve"], 1, True),
        (["approve", "approve"], 2, True),
        (["approve"], 2, False),
        (["approve", "reject"], 2, False),
        (["approve", "reject"], 1, None),
        (["reject", "reject"], 1, False),
        ([], 1, False),
    ],
)
def test_approvals_without_a_calls_id_are_the_tools(decisions: list[str], calls: int, truth: Truth) -> None:
    """Whose each is, is not known; what holds of all of them is."""
    assert decide(refunds(*(approval(None, d) for d in decisions), calls=calls)).truth is truth


def test_an_approval_without_an_id_may_be_that_of_a_call_that_does_not_count() -> None:
    """One approval and two calls, of which one was denied: it may be either's."""
    made = [call("refund", call_id="1", state="denied"), call("refund", call_id="2")]
    where = scene(*made, approvals=[approval(None)])
    assert decide(where, state="executed").truth is None
    assert decide(where).truth is False


def test_only_calls_with_these_arguments() -> None:
    """The others need no approval; a call whose arguments are not known may be meant."""
    assert decide(refunds(approval("2"), calls=2), **{"with": {"n": 2}}).truth is True
    assert decide(refunds(approval("2"), calls=2), **{"with": {"n": 1}}).truth is False
    hidden = scene(call("refund", call_id="1", arguments_capture="absent"))
    assert decide(hidden, **{"with": {"n": 1}}).truth is None


def test_calls_of_delegated_jobs_need_theirs() -> None:
    """Unless the job alone is meant."""
    helper = child("helper", call("refund", call_id="9"))
    own = call("refund", call_id="1")
    where = Scene(run(job(own, jobs=[helper], approvals=[approval()])))
    assert decide(where).truth is False
    assert decide(where, scope="job").truth is True


GIVEN = st.tuples(
    st.sampled_from(["approve", "edit", "reject", "pending"]), st.sampled_from(["human", "auto", "unknown"])
)


@settings(deadline=None)
@given(
    asked=st.lists(st.none() | GIVEN, min_size=1, max_size=3),
    denied=st.sets(st.integers(0, 2)),
    lost=st.sets(st.integers(0, 2)),
    by=st.sampled_from(["human", "policy", "any"]),
)
def test_ids_that_were_not_recorded_never_turn_the_answer(
    asked: list[tuple[str, str] | None], denied: set[int], lost: set[int], by: str
) -> None:
    """What is said where approvals name no call is open, or what would be said if they did."""
    made = [call("refund", call_id=str(n), state="denied" if n in denied else "succeeded") for n in range(len(asked))]
    whole = [approval(str(n), *one) for n, one in enumerate(asked) if one is not None]
    poorer = [dataclasses.replace(a, call_id=None) if int(a.call_id or 0) in lost else a for a in whole]
    for state in ("attempted", "executed"):
        known, guessed = (decide(scene(*made, approvals=a), by=by, state=state).truth for a in (whole, poorer))
        assert guessed in (None, known)
