"""`called`: counting by witness against completeness."""

from typing import Any

import pytest

from grader.checks.called import Called
from grader.forms import Defaults
from grader.outcome import Finding
from grader.scene import Scene
from tests.grader.trees import call, captured, child, job, run, scene


def decide(where: Scene, **form: object) -> Finding:
    form = {"with" if k == "with_" else k: v for k, v in form.items()}
    return Called.model_validate(form).compile(Defaults()).decide(where)


def test_one_call_is_a_witness_even_without_complete_capture():
    """At least once is decided by a witness: partial capture does not matter."""
    assert decide(scene("a", capture=captured(tools="partial")), called="a").truth is True


def test_no_call_and_complete_capture_fails_and_lists_what_was_called():
    """The miss names the tool and what was called instead."""
    finding = decide(scene("orders.lookup", "orders.lookup"), called="stripe.refund")
    assert finding.truth is False
    assert finding.sentence == "stripe.refund was never called; the agent called: orders.lookup (twice)"


def test_no_call_at_all_says_so():
    """Without any call the sentence does not pretend to list some."""
    assert decide(scene(), called="a").sentence == "a was never called; the agent called no tool"


@pytest.mark.parametrize("state", ["absent", "partial", "malformed"])
def test_no_call_without_complete_capture_is_unknown(state: Any):
    """What was not captured may have happened."""
    finding = decide(scene(capture=captured(tools=state)), called="a")
    assert finding.truth is None
    assert "captured" in finding.sentence


@pytest.mark.parametrize(
    ("times", "calls", "truth"),
    [(1, 1, True), (1, 2, False), (2, 1, False), ({"min": 1, "max": 3}, 3, True), ({"max": 1}, 2, False), (0, 0, True)],
)
def test_times_bounds_are_inclusive(times: Any, calls: Any, truth: Any):
    """An integer is exact; min and max are both included."""
    assert decide(scene(*["a"] * calls), called="a", times=times).truth is truth


def test_exact_count_needs_completeness_but_too_many_does_not():
    """One seen of exactly one is unknown under partial capture; two seen break it whatever was missed."""
    partial = captured(tools="partial")
    assert decide(scene("a", capture=partial), called="a", times=1).truth is None
    assert decide(scene("a", "a", capture=partial), called="a", times=1).truth is False


def test_nearest_miss_names_the_field_and_both_values():
    """The sentence is the one that a person can act on."""
    finding = decide(scene(call("payments.refund", {"amount": 60})), called="payments.refund", with_={"amount": 50})
    assert finding.sentence == "payments.refund was called once, with amount 60; expected 50"
    assert finding.spans


def test_nearest_miss_is_the_call_with_the_fewest_differences():
    """Of several calls the closest one is told."""
    where = scene(call("f", {"a": 9, "b": 9}), call("f", {"a": 1, "b": 9}))
    assert decide(where, called="f", with_={"a": 1, "b": 2}).sentence.endswith("with b 9; expected 2")


def test_uncaptured_arguments_make_the_predicate_unknown():
    """A call whose arguments are not known may be the one that is meant."""
    where = scene(call("f", None, arguments_capture="absent"))
    assert decide(where, called="f", with_={"a": 1}).truth is None
    assert decide(where, called="f").truth is True


def test_cut_arguments_prove_a_match_but_no_mismatch():
    """What is left of truncated arguments can only confirm."""
    where = scene(call("f", {"a": 1}, arguments_capture="partial"))
    assert decide(where, called="f", with_={"a": 1}).truth is True
    assert decide(where, called="f", with_={"a": 2}).truth is None
    assert decide(where, called="f", with_exactly={"a": 1}).truth is None


def test_with_leaves_other_arguments_free_and_with_exactly_does_not():
    """`with_exactly` closes the object."""
    where = scene(call("f", {"a": 1, "b": 2}))
    assert decide(where, called="f", with_={"a": 1}).truth is True
    finding = decide(where, called="f", with_exactly={"a": 1})
    assert finding.truth is False
    assert finding.sentence == "f was called once, with b 2; expected absent"


@pytest.mark.parametrize(
    ("state", "attempted", "executed", "succeeded", "failed", "denied"),
    [
        ("requested", True, False, False, False, False),
        ("awaiting_approval", True, False, False, False, False),
        ("denied", True, False, False, False, True),
        ("answered", True, True, None, None, False),
        ("succeeded", True, True, True, False, False),
        ("failed", True, True, False, True, False),
    ],
)
def test_state_table(state: Any, attempted: Any, executed: Any, succeeded: Any, failed: Any, denied: Any):
    """The native columns of the table of call states."""
    where = scene(call("f", state=state))
    expected = {
        "attempted": attempted,
        "executed": executed,
        "succeeded": succeeded,
        "failed": failed,
        "denied": denied,
    }
    assert {s: decide(where, called="f", state=s).truth for s in expected} == expected


def test_names_match_exactly_or_by_the_qualified_name():
    """No suffix, no case folding; the qualified name counts where the dialect knows one."""
    where = scene(call("refund", qualified="payments.refund"))
    answers = [decide(where, called=n).truth for n in ("refund", "payments.refund", "Refund", "fund", "payments")]
    assert answers == [True, True, False, False, False]


def test_scope_job_leaves_out_the_children():
    """A parent's own calls are not its children's."""
    where = Scene(run(job("a", jobs=[child("helper", "b")])))
    assert decide(where, called="b").truth is True
    assert decide(where, called="b", scope="job").truth is False


def test_tree_scope_is_incomplete_where_children_may_be_missing():
    """A job that was not seen may have made the call."""
    where = scene("a", capture=captured(children="absent"))
    assert decide(where, called="b").truth is None
    assert decide(where, called="b", scope="job").truth is False


def test_from_takes_an_earlier_result():
    """`$from` compares with what an earlier call returned, never with a later one."""
    lookup, refund = call("lookup", result={"order_id": "A-1"}), call("refund", {"order_id": "A-1"})
    form = {"called": "refund", "with": {"order_id": {"$from": "lookup.result.order_id"}}}
    assert decide(scene(lookup, refund), **form).truth is True
    assert (
        decide(scene(call("refund", {"order_id": "A-1"}), call("lookup", result={"order_id": "A-1"})), **form).truth
        is False
    )
    hidden = call("lookup", result_capture="absent")
    assert decide(scene(hidden, call("refund", {"order_id": "A-1"})), **form).truth is None


def test_unknown_requests_prove_no_absence_of_attempts():
    """What was seen counts; that there was no more is known of executions alone."""
    where = scene("a", capture=captured(requests="partial"))
    assert decide(where, called="a").truth is True
    assert (decide(where, called="b").truth, decide(where, called="a", times=1).truth) == (None, None)
    assert (
        decide(where, called="b", state="executed").truth,
        decide(where, called="a", state="executed", times=1).truth,
    ) == (
        False,
        True,
    )
