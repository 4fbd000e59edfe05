"""The examples of the source as whole files, and every expectation once: a run that passes, and one that fails by it."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from collector.tree import Delegation, Job, SkillRead
from grader.case import Suite
from grader.sample import Candidate, Sample, judge
from grader.suites import read_suites
from tests.captures import load
from tests.grader.rules.evals import READ, asked, graded
from tests.grader.suites import DATA
from tests.grader.trees import call, candidate, captured, child, job, model_call

FOLDER = DATA.parent / "vocabularies" / "expectations" / "suites"
RULE = "no personal data leaves the EU"


def example(name: str) -> Suite:
    """A file of the test data, its format recognised by its content."""
    (suite,) = read_suites([FOLDER / name])
    assert suite.format == "expectations"
    return suite


def failing(sample: Sample) -> list[str]:
    """The kinds of the checks that failed."""
    return [r.kind for r in sample.results if r.outcome == "fail"]


def refunded(*more: str, **fields: Any) -> Job:
    """A run of the first example."""
    given: dict[str, Any] = {"skills": [READ]} | fields
    return job("orders.lookup", "payments.refund", *more, **given)


@pytest.mark.parametrize(
    ("root", "kinds"),
    [
        (refunded(), []),
        (refunded("payments.refund"), ["cel"]),
        (refunded("oz.delegate"), ["not_called"]),
        (refunded(skills=[]), ["skills_read"]),
        (job("payments.refund", skills=[READ]), ["tools_called"]),
        (job("orders.lookup", jobs=[child("cashier", "payments.refund", skills=[READ])]), []),
    ],
)
def test_which_tools_and_skills_it_chose(root: Job, kinds: list[str]) -> None:
    """The example looks the order up before refunding, needs no specialist, and reads the policy."""
    assert failing(judge(example("refunds.yaml").cases[0], candidate(root))) == kinds


def test_a_recorded_run_of_the_first_example() -> None:
    """Its tools are those that are asked for; skills were not recorded, so that the case fails for them alone."""
    (run,) = load("pydantic-ai-v5__native__dotted").trees()
    (report,) = graded(example("refunds.yaml"), Candidate(run, "d")).cases
    assert failing(report.samples[0]) == ["skills_read"]
    assert "not captured" in report.samples[0].reason


def test_recorded_runs_that_pass() -> None:
    """A structured answer and dotted names, as frameworks record them."""
    files = {
        "recorded.yaml": "pydantic-ai-v5__native__dotted",
        "recorded-answer.yaml": "pydantic-ai-v5__native__structured",
    }
    for file, name in files.items():
        (case,) = example(file).cases
        (run,) = load(name).trees()
        assert judge(case, Candidate(run, "d")).outcome == "pass", name
        (other,) = load(next(n for n in files.values() if n != name)).trees()
        assert judge(case, Candidate(other, "d")).outcome == "fail", name


def test_an_approval_of_a_recorded_run() -> None:
    """It passes where the case answers it as the person did."""
    (run,) = load("pydantic-ai-v5__native__approval").trees()
    approved, denied, unanswered = example("recorded-approval.yaml").cases
    assert judge(approved, Candidate(run, "d")).outcome == "pass"
    assert failing(judge(denied, Candidate(run, "d"))) == ["approvals"]
    assert failing(judge(unanswered, Candidate(run, "d"))) == ["approvals"]


@pytest.mark.parametrize(
    ("middle", "deepest", "outcome"),
    [([RULE], [RULE], "pass"), ([RULE], ["no data leaves the EU"], "fail"), ([], [RULE], "fail")],
)
def test_the_rule_reaches_the_specialists(middle: list[str], deepest: list[str], outcome: str) -> None:
    """Two jobs down."""
    below = child("triage", constraints=middle, jobs=[child("specialist", constraints=deepest)])
    (case,) = example("triage.yaml").cases
    assert judge(case, candidate(job(constraints=[RULE], jobs=[below]))).outcome == outcome


EDITED = asked(decision="edit", call_id="1", requested_arguments={"amount": 100}, final_arguments={"amount": 50})
LOOP = asked(None, "reject", kind="loop")


@pytest.mark.parametrize(
    ("approvals", "reply", "kinds"),
    [
        ([EDITED, LOOP], "refunded 50", []),
        ([EDITED], "refunded 50", []),
        ([EDITED], "refunded 100", ["contains"]),
        ([asked()], "refunded 50", ["approvals"]),
        ([EDITED, asked(None, "approve", kind="loop")], "refunded 50", ["approvals"]),
        ([EDITED, asked("mail.send")], "refunded 50", ["approvals"]),
    ],
)
def test_a_large_refund_is_edited_down(approvals: Any, reply: str, kinds: list[str]) -> None:
    """The refund is edited, loops are denied, and everything else is unanswered."""
    (case,) = example("approvals.yaml").cases
    assert failing(judge(case, candidate(job(approvals=approvals, reply=reply)))) == kinds


def whole() -> Job:
    """A run that meets every expectation of `every.json`."""
    helper = child("cashier", model_calls=[model_call()], constraints=[RULE, "no discounts"], skills=[READ])
    helper.delegation = Delegation(mode="waited", call_id="1")
    return job(
        "orders.lookup",
        call("oz.delegate", call_id="1"),
        call("payments.refund", {"amount": 500}, call_id="2", state="denied"),
        jobs=[helper],
        reply={"text": "refunded", "amount": 50},
        model_calls=[model_call()],
        constraints=[RULE, "no discounts"],
        approvals=[asked("payments.refund", "reject", call_id="2")],
    )


def _set(name: str, value: Any) -> Callable[[Job], Any]:
    return lambda root: setattr(root, name, value)


BROKEN: list[tuple[list[str], Callable[[Job], Any]]] = [
    ([], lambda _: None),
    (["status"], _set("status", "failed")),
    (["contains", "contains", "equals", "cel"], _set("reply", {"text": "refused", "amount": 51})),
    (["not_contains", "equals"], _set("reply", {"text": "refunded, guaranteed: guarantee", "amount": 50})),
    (["equals"], _set("reply", {"text": "refunded", "amount": 50, "to": "you"})),
    (["cel"], lambda root: root.model_calls.extend([model_call(cost_usd=0)] * 2)),
    (["cel", "max_cost_usd"], lambda root: root.jobs[0].model_calls.append(model_call(cost_usd=0.05))),
    (["max_seconds"], lambda root: setattr(root, "ended", (root.ended or 0) + 1)),
    (["tools_called"], lambda root: root.tool_calls.pop(0)),
    (["not_called"], lambda root: root.jobs[0].tool_calls.append(call("oz.quarantine"))),
    (["skills_read"], lambda root: setattr(root.jobs[0], "skills", [SkillRead("support/tone")])),
    (["constraints_reach"], lambda root: setattr(root.jobs[0], "constraints", None)),
    (["approvals"], lambda root: setattr(root.approvals[0], "decision", "timeout")),
    (["approvals"], lambda root: root.jobs[0].approvals.append(asked("mail.send", "reject"))),
    (["tools_called", "not_called", "not_called"], lambda root: root.capture.update(captured(tools="malformed"))),
]


@pytest.mark.parametrize(("kinds", "change"), BROKEN)
def test_every_expectation(kinds: list[str], change: Callable[[Job], Any]) -> None:
    """One change to the run, and what asks for it fails, nothing else."""
    root = copy.deepcopy(whole())
    change(root)
    assert failing(judge(example("every.json").cases[0], candidate(root))) == kinds


def test_the_other_cases_and_the_file_itself() -> None:
    """A failure that is wanted, and a case that only has to complete."""
    suite = example("every.json")
    _, failure, plain = suite.cases
    assert (suite.name, suite.select.agent, suite.notices) == ("every expectation", "support", ("not read: 'retries'",))
    assert judge(failure, candidate(job(status="failed", error="no such order: B-0"))).outcome == "pass"
    assert judge(failure, candidate(job(status="failed", error="timeout"))).outcome == "fail"
    assert judge(plain, candidate(job())).outcome == "pass"
    assert judge(plain, candidate(job(status="cancelled"))).outcome == "fail"
