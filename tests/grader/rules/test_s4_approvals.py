"""How a person answers the approvals of a case: S4-19 to S4-26."""

from typing import Any

import pytest

from grader.inputs import Inputs
from tests.grader.rules.evals import asked, evals, judged, outcome, refused
from tests.grader.trees import call, captured, child, job

REFUND = "support.refund"


def answer(decision: str = "approve", **more: Any) -> dict[str, Any]:
    """An expectation with one entry, for refunds unless said otherwise."""
    return {"approvals": [{"decision": decision} | ({"what": REFUND} if "kind" not in more else {}) | more]}


@pytest.mark.parametrize("recorded", ["approve", "reject", "edit", "timeout", "pending"])
@pytest.mark.parametrize(("said", "is_"), [("approve", "approve"), ("deny", "reject")])
def test_S4_19_the_recorded_decision_is_the_answer(said: str, is_: str, recorded: Any) -> None:
    """A run that was decided otherwise is not the run that the case asks for."""
    root = job(approvals=[asked(decision=recorded)])
    assert outcome(answer(said), root) == ("pass" if recorded == is_ else "fail")


@pytest.mark.parametrize(
    ("what", "tool", "same"),
    [
        (REFUND, REFUND, True),
        ("support.*", REFUND, True),
        ("*.refund", REFUND, True),
        ("support.refun?", REFUND, True),
        ("support.refund?", REFUND, False),
        ("support.ref", REFUND, False),
        ("Support.refund", REFUND, False),
        ("support.[r]efund", REFUND, False),
        ("manager signs", "manager signs", True),
    ],
)
def test_S4_19_what_is_a_name_or_a_pattern(what: str, tool: str, same: bool) -> None:
    """`*` and `?` match, nothing else is special; a flow's approval step is named alike."""
    assert outcome(answer(what=what), job(approvals=[asked(tool)])) == ("pass" if same else "fail")


@pytest.mark.parametrize("kind", ["tool", "hook", "loop", "budget", "flow"])
def test_S4_19_or_the_kind(kind: str) -> None:
    """One of five."""
    other = "loop" if kind == "tool" else "tool"
    assert outcome(answer(kind=kind), job(approvals=[asked(kind=kind)])) == "pass"
    assert outcome(answer(kind=kind), job(approvals=[asked(kind=other)])) == "fail"
    assert "must be one of tool, hook, loop, budget, flow" in refused(answer(kind="person"))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"amount": 50, "order": 7}, "pass"),
        ({"amount": 70, "order": 7}, "fail"),
        ({"amount": 50, "order": 8}, "fail"),
        ({"amount": 50}, "fail"),
    ],
)
def test_S4_19_an_edit_changes_these_arguments(arguments: Any, expected: str) -> None:
    """To these values, and leaves the others."""
    one = asked(decision="edit", requested_arguments={"amount": 100, "order": 7}, final_arguments=arguments)
    assert outcome(answer("edit", edit={"amount": 50}, comment="half"), job(approvals=[one])) == expected


def test_S4_20_the_first_matching_entry_answers() -> None:
    """A later one that would fit is not asked."""
    entries = [{"what": "support.*", "decision": "deny"}, {"what": REFUND, "decision": "approve"}]
    assert outcome({"approvals": entries}, job(approvals=[asked()])) == "fail"
    assert outcome({"approvals": entries[::-1]}, job(approvals=[asked()])) == "pass"


def test_S4_20_an_entry_answers_as_often_as_it_matches() -> None:
    """And one that never matched is no failure."""
    assert outcome(answer(), job(approvals=[asked(), asked(), asked()])) == "pass"
    assert outcome(answer(), job()) == "pass"


def test_S4_20_what_and_kind_must_both_match() -> None:
    """One of the two must be said."""
    both = answer(what=REFUND, kind="hook")
    assert outcome(both, job(approvals=[asked(kind="hook")])) == "pass"
    assert outcome(both, job(approvals=[asked(kind="tool")])) == "fail"
    assert outcome(both, job(approvals=[asked("mail.send", kind="hook")])) == "fail"
    assert "say which approvals it answers" in refused({"approvals": [{"decision": "deny"}]})


@pytest.mark.parametrize("expect", [{}, answer("deny", what="mail.*")])
@pytest.mark.parametrize("decision", ["approve", "reject", "pending"])
def test_S4_21_an_approval_that_no_entry_matches_fails_the_case(expect: dict[str, Any], decision: Any) -> None:
    """However the job ended, and however it was decided."""
    found = judged(expect, job(approvals=[asked(decision=decision)]))
    assert found.outcome == "fail"
    assert REFUND in found.reason
    assert outcome(expect, job()) == "pass"


@pytest.mark.parametrize("expect", [{}, answer("deny", what="mail.*")])
def test_S4_21_what_a_policy_granted_by_itself_waited_for_nobody(expect: dict[str, Any]) -> None:
    """So nothing has to answer it; a policy's denial does need an answer."""
    assert outcome(expect, job(approvals=[asked(source="auto")])) == "pass"
    assert outcome(expect, job(approvals=[asked(decision="reject", source="policy")])) == "fail"


def test_S4_21_answers_ask_for_evidence() -> None:
    """Where approvals were not captured, an unanswered one may have been there."""
    found = judged(answer(), job(capture=captured(approvals="absent")))
    assert found.outcome == "fail"
    assert "not captured" in found.reason
    assert outcome({}, job(capture=captured(approvals="absent"))) == "pass"


def test_S4_22_child_jobs_are_covered() -> None:
    """Their approvals are answered alike, and fail the case alike."""
    root = job(jobs=[child("helper", approvals=[asked()])])
    assert outcome(answer(), root) == "pass"
    assert outcome(answer("deny"), root) == "fail"
    assert outcome({}, root) == "fail"


def test_S4_23_typed_confirmations_are_the_live_runners() -> None:
    """Said with the case, and not counted as checked."""
    (notice,) = evals(answer()).cases[0].notices
    assert notice.startswith("not applicable after the fact: a live runner types confirmations")
    assert evals({}).cases[0].notices == ()


@pytest.mark.parametrize(
    ("ran", "capture", "expected"),
    [
        ({"amount": 50}, "present", "pass"),
        ({"amount": 500}, "present", "fail"),
        (None, "absent", "fail"),
    ],
)
def test_S4_24_an_answer_binds_to_the_arguments_shown(ran: Any, capture: Any, expected: str) -> None:
    """A call that ran with others was not the one that was approved."""
    made = call(REFUND, ran, call_id="1", arguments_capture=capture)
    root = job(made, approvals=[asked(call_id="1", requested_arguments={"amount": 50})])
    assert outcome(answer(), root) == expected
    assert outcome(answer(), job(jobs=[child("helper", *root.tool_calls, approvals=root.approvals)])) == expected


@pytest.mark.parametrize(
    "entry", [{"decision": "edit"}, {"decision": "approve", "edit": {"a": 1}}, {"decision": "deny", "edit": {"a": 1}}]
)
def test_S4_25_edit_goes_with_the_decision_edit(entry: dict[str, Any]) -> None:
    """Neither stands without the other."""
    assert "edit" in refused({"approvals": [{"what": REFUND} | entry]})


@pytest.mark.parametrize("edit", [{}, [1], "x"])
def test_S4_25_an_edit_names_arguments(edit: Any) -> None:
    """At least one, by name."""
    assert "edit" in refused(answer("edit", edit=edit))


@pytest.mark.parametrize(
    ("decisions", "skipped"),
    [([], False), (["deny"], False), (["approve"], True), (["edit"], True), (["deny", "approve"], True)],
)
def test_S4_26_a_tenants_gate_skips_cases_that_need_a_yes(decisions: list[str], skipped: bool) -> None:
    """A case with denials alone runs; elsewhere every case does."""
    entries = [{"what": REFUND, "decision": d} | ({"edit": {"a": 1}} if d == "edit" else {}) for d in decisions]
    found = judged({"approvals": entries}, inputs=Inputs(tenant_gate=True))
    assert found.outcome == ("skipped" if skipped else "pass")
    assert ("a tenant's gate approves nothing" in found.reason) is skipped
    assert outcome({"approvals": entries}) == "pass"


def test_S4_26_denials_of_the_system_are_the_cases_denials() -> None:
    """On a tenant they are recorded as a policy's."""
    assert outcome(answer("deny"), job(approvals=[asked(decision="reject", source="policy")])) == "pass"
