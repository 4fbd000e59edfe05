"""`approvals_script`: entries replayed over recorded approvals, each with its parameters."""

from typing import Any

import pytest

from collector.tree import Approval
from grader.checks.approvals_script import Answer, ApprovalsScript
from grader.expressions.dsl import compile_dsl
from grader.names import mentions
from grader.outcome import Finding, Truth
from grader.scene import Scene
from tests.grader.trees import call, captured, child, job, run

REFUND = "billing.refund"


def asked(tool: str | None = REFUND, decision: Any = "approve", **more: Any) -> Approval:
    """A recorded approval."""
    return Approval(tool, decision=decision, spans=["b" * 16], **more)


def answer(decision: Any = "approve", tool: str | None = REFUND, where: str = "", **more: Any) -> Answer:
    """An entry."""
    expression = compile_dsl(where, ("params", "context")) if where else None
    return Answer(decision=decision, tool=tool, where=expression, **more)


def replay(entries: list[Answer], approvals: list[Approval], **more: Any) -> Finding:
    """The finding over one job; a script that answers once and is not strict, unless said otherwise."""
    given: dict[str, Any] = {"use": "once", "unmatched": "await", "unused": "ignore", "scope": "job"}
    facts = {k: more.pop(k) for k in ("capture", "tool_calls", "jobs") if k in more}
    context = more.pop("context", None)
    root = job(*facts.pop("tool_calls", ()), approvals=approvals, **facts)
    return ApprovalsScript(entries=tuple(entries), **(given | more)).decide(Scene(run(root), context=context))


@pytest.mark.parametrize("recorded", ["approve", "reject", "timeout", "edit", "pending"])
@pytest.mark.parametrize("wanted", ["approve", "reject", "timeout"])
def test_the_recorded_decision_is_the_entrys(recorded: str, wanted: str) -> None:
    """A run that was decided otherwise, or not at all, fails."""
    found = replay([answer(wanted)], [asked(decision=recorded)])
    assert found.truth is (recorded == wanted)
    assert found.spans == ["b" * 16]
    if recorded == "pending":
        assert "is still open" in found.sentence


def test_an_entry_answers_once_or_always() -> None:
    """The second approval of a tool finds the one entry used, unless entries are reusable."""
    two = [asked(), asked()]
    strict: dict[str, Any] = {"unmatched": "fail"}
    assert replay([answer()], two, **strict).truth is False
    assert replay([answer(), answer()], two, **strict).truth is True
    assert replay([answer()], two, use="reuse", **strict).truth is True


def test_entries_are_taken_in_their_order() -> None:
    """The first approval takes the first entry that matches, the second the next."""
    entries = [answer("approve"), answer("reject")]
    assert replay(entries, [asked(requested_at=1), asked(decision="reject", requested_at=2)]).truth is True
    assert replay(entries, [asked(decision="reject", requested_at=1), asked(requested_at=2)]).truth is False


@pytest.mark.parametrize(("unmatched", "expected"), [("await", True), ("fail", False), ("deny", False)])
def test_what_no_entry_answers(unmatched: str, expected: Truth) -> None:
    """It waits, fails, or is denied and fails."""
    found = replay([answer(tool="other")], [asked(decision="reject")], unmatched=unmatched)
    assert found.truth is expected
    assert "no entry answers billing.refund" in found.sentence


@pytest.mark.parametrize(("unused", "expected"), [("ignore", True), ("fail", False)])
def test_an_entry_that_answered_nothing(unused: str, expected: Truth) -> None:
    """It is ignored, or fails with its text."""
    found = replay([answer(), answer("reject", "email.send")], [asked()], unused=unused)
    assert found.truth is expected
    assert ("reject email.send" in found.sentence) is (not expected)


@pytest.mark.parametrize(
    ("pattern", "names", "expected"),
    [
        (REFUND, "exact", True),
        ("refund", "exact", False),
        ("billing.*", "exact", False),
        ("billing.*", "glob", True),
        ("billing.refun?", "glob", True),
        ("billing.?", "glob", False),
        ("Billing.*", "glob", False),
        ("*", "glob", True),
        ("billing.[r]efund", "glob", False),
    ],
)
def test_names(pattern: str, names: Any, expected: Truth) -> None:
    """Whole names, or patterns with * and ? alone; case counts."""
    found = replay([answer("approve", pattern, names=names)], [asked()], unmatched="fail")
    assert found.truth is expected


def test_a_name_is_that_of_the_call_as_well() -> None:
    """An approval that knows only the call's id, or its local name, is matched by what the call is called."""
    refund = call("refund", {"amount": 5}, call_id="c1", qualified=REFUND)
    for tool in (None, "refund"):
        found = replay([answer()], [asked(tool, call_id="c1")], unmatched="fail", tool_calls=[refund])
        assert found.truth is True


def test_a_kind_is_matched_beside_or_instead_of_a_name() -> None:
    """Both must hold where both are given."""
    loop = [asked("billing.retry", kind="loop")]
    assert replay([answer(tool=None, kind="loop")], loop, unmatched="deny").truth is True
    assert replay([answer(tool=None, kind="budget")], loop, unmatched="deny").truth is False
    assert replay([answer(tool="other", kind="loop")], loop, unmatched="deny").truth is False


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("params.amount < 10", True),
        ("params.amount > 10", False),
        ("params.id == context.id", True),
        ("params.missing == 1", False),
    ],
)
def test_parameters_narrow_an_entry(where: str, expected: Truth) -> None:
    """The condition looks at the arguments shown, and at the fixture."""
    shown = asked(requested_arguments={"amount": 5, "id": "ch_1"})
    assert replay([answer(where=where)], [shown], unmatched="fail", context={"id": "ch_1"}).truth is expected


def test_arguments_that_were_not_captured_leave_it_open() -> None:
    """They come from the call where the approval does not hold them, else nobody knows which entry it took."""
    entries = [answer(where="params.amount < 10"), answer("reject")]
    plain = asked(call_id="c1")
    known = call(REFUND, {"amount": 5}, call_id="c1")
    hidden = call(REFUND, None, call_id="c1", arguments_capture="absent")
    assert replay(entries, [plain], tool_calls=[known]).truth is True
    assert replay(entries, [plain], tool_calls=[hidden]).truth is None
    assert replay(entries, [plain]).truth is None
    assert replay(entries, [plain], unused="fail").truth is None


@pytest.mark.parametrize(
    ("final", "expected"),
    [
        ({"amount": 50, "id": "ch_1"}, True),
        ({"amount": 50.0, "id": "ch_1"}, True),
        ({"amount": 60, "id": "ch_1"}, False),
        ({"amount": 50, "id": "ch_2"}, False),
        ({"amount": 50}, False),
        ({"id": "ch_1"}, False),
        (None, None),
    ],
)
def test_an_edit_changes_what_it_says_and_nothing_else(final: Any, expected: Truth) -> None:
    """The arguments decided on are those shown, with the edit's in their place."""
    edited = asked(decision="edit", requested_arguments={"amount": 80, "id": "ch_1"}, final_arguments=final)
    assert replay([answer("edit", edit={"amount": 50})], [edited], use="reuse", unmatched="deny").truth is expected


def test_an_edit_of_arguments_that_nobody_saw() -> None:
    """Without the arguments shown, the edit's own prove a miss, and a match only where there are no others."""
    for final, expected in (({"amount": 50}, True), ({"amount": 50, "id": 1}, None), ({"amount": 60}, False)):
        edited = asked(decision="edit", final_arguments=final)
        assert replay([answer("edit", edit={"amount": 50})], [edited]).truth is expected


def test_without_evidence_of_approvals_nothing_holds() -> None:
    """A decision that differs still refutes; all else is open."""
    lost = captured(approvals="absent")
    assert replay([answer()], [], capture=lost).truth is None
    assert replay([answer()], [asked()], capture=captured(approvals="partial")).truth is None
    assert replay([answer("reject")], [asked()], capture=captured(approvals="partial")).truth is False
    assert replay([answer()], [], capture=lost, unused="fail").truth is None
    assert "approvals were not captured" in replay([answer()], [], capture=lost).sentence


def test_no_approval_at_all() -> None:
    """Nothing was asked for: that is no mismatch, unless entries must be used."""
    assert replay([answer()], []).truth is True
    assert replay([], []).sentence == "no approval was asked for"
    assert replay([answer()], [], unused="fail").truth is False


def test_the_tool_that_is_mentioned() -> None:
    """A whole name may be looked up; a pattern, or an approval of another kind, names no tool."""
    entries = (answer(), answer(tool="billing.*", names="glob"), answer(tool=None, kind="loop"))
    script = ApprovalsScript(entries=entries, use="once", unmatched="await", unused="ignore", scope="job")
    assert [m.named.name for m in mentions(script)] == [REFUND]


@pytest.mark.parametrize(("scope", "expected"), [("job", True), ("tree", False)])
def test_whose_approvals(scope: Any, expected: Truth) -> None:
    """The job's own, or those of all jobs below as well."""
    below = child("refunder", approvals=[asked("email.send", "reject")])
    found = replay([answer()], [asked()], jobs=[below], scope=scope, unmatched="deny")
    assert found.truth is expected


def test_what_a_policy_granted_may_need_no_entry() -> None:
    """Nobody waited for it; its denials do need one."""
    granted, denied = asked(source="auto"), asked(decision="reject", source="policy")
    assert replay([], [granted], unmatched="fail").truth is False
    assert replay([], [granted], unmatched="fail", granted="ignore").truth is True
    assert replay([], [denied], unmatched="fail", granted="ignore").truth is False


def test_a_question_whether_to_go_on_has_no_name() -> None:
    """So an entry for a tool does not match it; of a tool without a name that is not known."""
    entries = [answer("approve"), Answer(decision="reject", kind="loop")]
    assert replay(entries, [asked(None, "reject", kind="loop")], unmatched="fail").truth is True
    assert replay(entries, [asked(None, "reject", kind="tool")], unmatched="fail").truth is None
