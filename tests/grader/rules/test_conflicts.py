"""Where the five vocabularies disagree: one run, all of them, and each keeps what its own tool says."""

import itertools
from typing import Any

import pytest

from collector.tree import Approval
from grader.inputs import NONE, Inputs
from grader.sample import Candidate, judge
from tests.grader import evalstone_files
from tests.grader.rules import vocabularies
from tests.grader.rules.five import REFUSED, called, contains, each, in_order, not_called
from tests.grader.trees import call, candidate, captured, child, job

REFUND, LOOKUP = "pay.refund", "shop.lookup"
FIVE = ("S0", "S1", "S2", "S3", "S4")


def run(*calls: Any, **more: Any) -> Candidate:
    """A recorded run of one job, unless it has `jobs`."""
    return candidate(job(*calls, **more))


def row(*outcomes: str) -> dict[str, str]:
    """The cells of a row, S0 to S4; "-" where a vocabulary has no such construct."""
    return {vocabulary: outcome for vocabulary, outcome in zip(FIVE, outcomes, strict=True) if outcome != "-"}


def test_an_order_that_holds_for_some_calls_only() -> None:
    """A subsequence, or every later call preceded; S1 and S4 know no order, and say so."""
    asked = in_order(LOOKUP, REFUND)
    assert each(asked, run(REFUND, LOOKUP, REFUND)) == row("pass", REFUSED, "fail", "pass", REFUSED)
    assert each(asked, run(LOOKUP, REFUND)) == row("pass", REFUSED, "pass", "pass", REFUSED)
    by_cel = {"S4": {"cel": "tool_calls[0].function == 'lookup' && tool_calls[1].function == 'refund'"}}
    assert each(by_cel, run(LOOKUP, REFUND)) == {"S4": "pass"}


def test_an_order_of_tools_that_were_never_called() -> None:
    """Where nothing came after, nothing had to come before."""
    assert each(in_order(LOOKUP, REFUND), run("other.x")) == row("fail", REFUSED, "pass", "fail", REFUSED)


@pytest.mark.parametrize("asked", [called(REFUND), not_called(REFUND)], ids=["called", "not called"])
@pytest.mark.parametrize("lost", [("tools",), ("requests",), ("tools", "requests")], ids="-".join)
def test_calls_that_were_not_captured(asked: dict[str, Any], lost: tuple[str, ...]) -> None:
    """Nobody passes, each in its own way."""
    nothing = run(capture=captured(**dict.fromkeys(lost, "absent")))  # ty: ignore
    assert each(asked, nothing) == row("fail", "indeterminate", "error", "fail", "fail")


def test_no_calls_where_calls_were_captured() -> None:
    """Known to be none: what is required is missing, what is forbidden did not happen."""
    assert each(called(REFUND), run()) == dict.fromkeys(FIVE, "fail")
    assert each(not_called(REFUND), run()) == dict.fromkeys(FIVE, "pass")


def test_a_reply_that_was_not_captured() -> None:
    """Unknown, never empty."""
    lost = run(reply=None, capture=captured(reply="absent"))
    assert each(contains("done"), lost) == row("fail", "indeterminate", "error", "fail", "fail")


def test_whose_calls() -> None:
    """A call of a job below: all that the run shows, but for S3, which asks each agent about its own."""
    below = run(jobs=[child("helper", REFUND)])
    assert each(called(REFUND), below) == row("pass", "pass", "pass", "fail", "pass")
    assert each(not_called(REFUND), below) == row("fail", "fail", "fail", "pass", "fail")


@pytest.mark.parametrize(
    ("name", "qualified", "asked", "outcomes"),
    [
        ("pay.refund", None, "pay.refund", ("pass", "pass", "pass", "pass", "pass")),
        ("pay.refund", None, "refund", ("fail", "fail", "fail", "pass", REFUSED)),
        ("refund", "pay.refund", "pay.refund", ("fail", "fail", "fail", "pass", "pass")),
        ("refund", "pay.refund", "refund", ("pass", "pass", "pass", "pass", REFUSED)),
        ("refund", None, "pay.refund", ("fail", "fail", "fail", "pass", "fail")),
        ("a.pay.refund", None, "pay.refund", ("fail", "fail", "fail", "fail", "fail")),
        ("pay.Refund", None, "pay.refund", ("fail", "fail", "fail", "fail", "fail")),
    ],
)
def test_names(name: str, qualified: str | None, asked: str, outcomes: tuple[str, ...]) -> None:
    """Exact, local or qualified, or `<tool>.<function>`."""
    assert each(called(asked), run(call(name, qualified=qualified))) == row(*outcomes)


def test_upper_and_lower_case_of_texts() -> None:
    """S0 and S1 do not tell them apart, S2 only where it is asked to."""
    assert each(contains("DONE"), run(reply="done")) == row("pass", "pass", "pass", "fail", "fail")
    strict = {"S2": {"type": "contains", "needles": ["DONE"], "case_sensitive": True}}
    assert each(strict, run(reply="done")) == {"S2": "fail"}


def test_a_regular_expression_that_is_none() -> None:
    """S0 fails the check when it runs, the others refuse the file."""
    asked = {
        "S0": {"type": "output_contains", "value": "(", "regex": True},
        "S1": {"type": "output_matches", "value": "("},
        "S2": {"type": "regex", "pattern": "("},
    }
    assert each(asked, run()) == row("fail", REFUSED, REFUSED, "-", "-")


def test_arguments() -> None:
    """Only S3 compares them after the fact: S2's are Python of the author's, which is not run."""
    asked = {
        "S0": {"type": "tool_called", "tool": REFUND, "args": {"n": 1}},
        "S1": {"type": "tool_called", "tool": REFUND, "args": {"n": 1}},
        "S2": {"type": "trajectory.tool_called", "name": REFUND, "args": "n == 1"},
        "S3": {"expected_tool_calls": [{REFUND: "params.n == 1"}]},
        "S4": {"tools_called": [{REFUND: {"n": 1}}]},
    }
    assert each(asked, run(call(REFUND, {"n": 1}))) == row(REFUSED, REFUSED, REFUSED, "pass", REFUSED)
    assert each(asked, run(call(REFUND, {"n": 2})))["S3"] == "fail"


def test_a_judge_without_a_key() -> None:
    """No verdict is no pass."""
    asked = {"S0": {"type": "llm_judge", "criterion": "x"}, "S2": {"type": "judge", "rubric": "x"}}
    assert each(asked, run()) == row("not_graded", "-", "error", "-", "-")


def test_how_the_run_ended_where_nobody_asks() -> None:
    """S3 and S4 want it completed, unless they name how it should end."""
    failed = run(REFUND, status="failed", error="boom")
    assert each(called(REFUND), failed) == row("pass", "pass", "pass", "fail", "fail")
    named = {"S3": {"expected_result": 'status == "failed" and "boom" in error'}, "S4": {"status": "failed"}}
    assert each(named, failed) == row("-", "-", "-", "pass", "pass")


def approved(number: int) -> Approval:
    """A refund that a person approved."""
    fields: dict[str, Any] = {"requested_at": number, "spans": ["b" * 16], "requested_arguments": {}}
    return Approval(REFUND, str(number), decision="approve", source="human", **fields)


def answered(tool: str, *, strict: bool) -> dict[str, dict[str, Any]]:
    """One entry that approves the tool."""
    entry = [{"tool": tool, "decision": "approve"}]
    return {
        "S3": {"approval_decisions": entry, "strict_approval_decisions": strict},
        "S4": {"approvals": [{"what": tool, "decision": "approve"}]},
    }


@pytest.mark.parametrize(
    ("tool", "number", "strict", "outcomes"),
    [
        (REFUND, 1, True, ("pass", "pass")),
        (REFUND, 2, True, ("fail", "pass")),
        (REFUND, 2, False, ("pass", "pass")),
        ("pay.*", 1, True, ("fail", "pass")),
        ("pay.refun?", 1, True, ("fail", "pass")),
        ("shop.other", 1, False, ("pass", "fail")),
        ("shop.other", 1, True, ("fail", "fail")),
    ],
)
def test_entries_for_approvals(tool: str, number: int, *, strict: bool, outcomes: tuple[str, str]) -> None:
    """S3: used once, the full name, what is unmatched waits or fails; S4: reused, with * and ?, what is unmatched fails."""
    numbers = range(1, number + 1)
    made = [call(REFUND, {}, call_id=str(n)) for n in numbers]
    asked = run(*made, approvals=[approved(n) for n in numbers])
    assert each(answered(tool, strict=strict), asked) == row("-", "-", "-", *outcomes)


def test_cases_that_approve_in_a_tenants_gate() -> None:
    """S4 leaves them out; nobody else knows such a gate."""
    asked = run(call(REFUND, {}, call_id="1"), approvals=[approved(1)])
    for gate, outcome in ((NONE, "pass"), (Inputs(tenant_gate=True), "skipped")):
        assert each(answered(REFUND, strict=False), asked, gate) == row("-", "-", "-", "pass", outcome)


def test_no_checks() -> None:
    """Nothing is graded, the file is refused, no score is made, or the run must have completed."""
    for status, wanted in (("completed", "pass"), ("failed", "fail")):
        asked = run(status=status, error=None if status == "completed" else "boom")
        assert judge(vocabularies.lasso().cases[0], asked).outcome == "not_graded"
        assert each({"S3": {}, "S4": {}}, asked) == row("-", "-", "-", wanted, wanted)
    assert "assertions" in vocabularies.refused(vocabularies.scenarios)
    nothing = evalstone_files.config(suites={"main": {"dataset": "d", "checks": []}})
    (suite,) = evalstone_files.read(nothing)
    graded = evalstone_files.grade(suite, run())
    assert (list(graded.samples[0].results), graded.decision.verdict == "pass") == ([], False)


NUMBERS = {
    "1.0": row("-", "-", "pass", "pass", "pass"),
    "true": row("-", "-", "fail", "fail", "fail"),
    '"1"': row("-", "-", "fail", "fail", "fail"),
    "2": row("-", "-", "fail", "fail", "fail"),
}
"""What 1 is equal to."""


@pytest.mark.parametrize(("literal", "reply"), [*itertools.product(NUMBERS, ({"n": 1}, '{"n": 1}'))])
def test_numbers(literal: str, reply: Any) -> None:
    """1 is 1.0 and neither true nor a text, in a reply that is a structure or the text of one."""
    value = {"1.0": 1.0, "true": True, '"1"': "1", "2": 2}[literal]
    asked = {
        "S2": {"type": "exact", "expected": {"n": value}},
        "S3": {"expected_result": f"output.n == {literal}"},
        "S4": {"cel": f"output.n == {literal}"},
    }
    assert each(asked, run(reply=reply)) == NUMBERS[literal]
