"""`expect`, compiled: every expectation has its policies, and less evidence never makes a pass."""

import copy
import itertools
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.tree import CAPTURE_KINDS, Approval, Capture, Job, SkillRead
from grader.case import Check
from grader.expectations.expect import read_expect
from grader.outcome import Truth
from grader.scene import Scene
from grader.syntax.foreign import Sheet
from tests.grader.trees import call, captured, child, job, model_call, run

RULES = ("only once",)
TEXT = """
status: completed
contains: done
not_contains: [fail]
equals: done
cel: output == 'done' || tool_calls.size() == 0 || skills_read.size() == 0
max_cost_usd: 0.02
max_seconds: 30
tools_called: [a.lookup]
not_called: [a.refund]
skills_read: [a/policy]
constraints_reach: 1
approvals: [{what: a.lookup, decision: approve}]
"""
NEEDS = {
    "contains": ["reply"],
    "not_contains": ["reply"],
    "equals": ["reply"],
    "cel": ["reply", "tools", "requests", "skills"],
    "max_cost_usd": ["model_calls"],
    "tools_called": ["tools"],
    "not_called": ["tools", "requests"],
    "skills_read": ["skills"],
    "constraints_reach": ["children"],
    "approvals": ["approvals"],
}
"""The evidence that an expectation asks for."""


def checks(text: str = TEXT) -> tuple[Check, ...]:
    """All checks of an expectation."""
    sheet = Sheet(Path("f.yaml"), text)
    found = read_expect(sheet.fields(), RULES).checks
    assert sheet.mistakes == []
    return found


ALL = checks()


def truths(root: Job) -> list[Truth]:
    """Of every check."""
    scene = Scene(run(root))
    return [check.primitive.decide(scene).truth for check in ALL]


def whole() -> Job:
    """A run that meets them all."""
    helper = child("helper", constraints=list(RULES), skills=[SkillRead("a/policy")])
    approval = Approval("a.lookup", "1", decision="approve", source="human", requested_arguments={"n": 1})
    first = call("a.lookup", {"n": 1}, call_id="1")
    return job(first, jobs=[helper], constraints=list(RULES), approvals=[approval], model_calls=[model_call()])


def without(root: Job, kind: str, state: Any) -> Job:
    """The same run of which less was captured."""
    emptied: dict[str, tuple[str, Any]] = {
        "tools": ("tool_calls", []),
        "reply": ("reply", None),
        "skills": ("skills", []),
        "approvals": ("approvals", []),
        "model_calls": ("model_calls", []),
        "children": ("jobs", []),
        "constraints": ("constraints", None),
    }
    poorer = copy.deepcopy(root)
    for each in list(poorer.walk()):
        each.capture[kind] = Capture(state)
        if kind in emptied:
            setattr(each, *emptied[kind])
    return poorer


def test_all_hold_on_a_run_that_meets_them() -> None:
    """So that the tests below take something away."""
    assert set(truths(whole())) == {True}
    assert {c.kind for c in ALL} == {line.partition(":")[0] for line in TEXT.split("\n") if line}


def test_what_an_expectation_asks_for_must_be_there() -> None:
    """Taken away, no check that asked for it still holds."""
    for kind, state in itertools.product(CAPTURE_KINDS, ("absent", "malformed", "partial")):
        for check, truth in zip(ALL, truths(without(whole(), kind, state)), strict=True):
            shown = check.label.startswith("approvals bind")
            if kind in NEEDS.get(check.kind, []) and not shown:
                assert truth is not True, (check.label, kind, state)


CALLS = st.builds(
    lambda name, state, known: call(name, {"n": 1}, call_id="1", state=state, arguments_capture=known),
    st.sampled_from(["a.lookup", "a.refund"]),
    st.sampled_from(["requested", "denied", "succeeded"]),
    st.sampled_from(["present", "absent"]),
)
APPROVALS = st.builds(
    lambda tool, decision, source, n: Approval(
        tool, "1", decision=decision, source=source, requested_arguments={"n": n}
    ),
    st.sampled_from(["a.lookup", "a.refund", None]),
    st.sampled_from(["approve", "reject", "pending"]),
    st.sampled_from(["human", "policy"]),
    st.integers(1, 2),
)
CAPTURES = st.dictionaries(st.sampled_from(CAPTURE_KINDS), st.sampled_from(["present", "partial", "absent"]))
JOBS = st.builds(
    lambda calls, below, approvals, capture, reply: job(
        *calls,
        jobs=[child("helper", *below, constraints=list(RULES), skills=[SkillRead("a/policy")])],
        approvals=approvals,
        capture=captured(**capture),
        constraints=list(RULES),
        reply=reply,
        model_calls=[model_call()],
    ),
    st.lists(CALLS, max_size=3),
    st.lists(CALLS, max_size=2),
    st.lists(APPROVALS, max_size=2),
    CAPTURES,
    st.sampled_from(["done", "fail", {"a": "done"}]),
)


@settings(max_examples=30)
@given(JOBS)
def test_less_evidence_never_makes_a_pass(root: Job) -> None:
    """What failed or was open stays so; where some was lost that is known, more of it is not lost without a sign."""
    before = truths(root)
    kinds = ("tools", "requests", "reply", "skills", "approvals", "model_calls")
    for kind, state in itertools.product(kinds, ("absent", "partial")):
        if state == "absent" and root.capture[kind].state == "partial":
            continue
        for check, was, now in zip(ALL, before, truths(without(root, kind, state)), strict=True):
            if not check.label.startswith(
                "approvals bind"
            ):  # without the approval nothing binds; the replay fails then
                assert was is True or now is not True, (check.label, kind, state)
