"""Zero evidence is never green: removing evidence never turns a failure or an open question into a pass."""

import copy
import itertools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.tree import CAPTURE_KINDS, Approval, Capture, Delegation, Job, SkillRead
from grader.forms import Defaults
from grader.outcome import Truth
from grader.pieces import forms
from grader.scene import Primitive, Scene
from grader.schema import any_item
from tests.grader.trees import call, captured, child, job, model_call, run

TOOLS = ("lookup", "refund")
STATES = ["requested", "awaiting_approval", "denied", "answered", "succeeded", "failed"]
CALLS = st.builds(
    lambda name, number, amount, state, known: call(
        name, {"amount": amount}, call_id=number, state=state, arguments_capture=known
    ),
    st.sampled_from(TOOLS),
    st.sampled_from([None, "1", "2"]),
    st.integers(1, 2),
    st.sampled_from(STATES),
    st.sampled_from(["present", "absent", "partial"]),
)
APPROVALS = st.builds(
    lambda tool, number, decision, source: Approval(tool, number, decision=decision, source=source),
    st.sampled_from(TOOLS),
    st.sampled_from([None, "1", "2"]),
    st.sampled_from(["approve", "edit", "reject", "pending"]),
    st.sampled_from(["human", "policy", "auto", "unknown"]),
)
SKILLS = st.builds(SkillRead, st.sampled_from(["a/policy", "policy", "a/tone"]), declared=st.booleans())
CAPTURES = st.dictionaries(
    st.sampled_from(CAPTURE_KINDS), st.sampled_from(["present", "partial", "absent", "malformed"])
)
HANDED = Delegation(mode="waited", payload={"a": 1}, payload_capture="present")
JOBS = st.builds(
    lambda calls, below, capture, approvals, skills: job(
        *calls,
        jobs=[child("helper", *below, skills=skills[1:], delegation=HANDED)],
        capture=captured(**capture),
        model_calls=[model_call()],
        constraints=["c"],
        reply='{"a": 1}',
        approvals=approvals,
        skills=skills[:1],
    ),
    st.lists(CALLS, max_size=4),
    st.lists(CALLS, max_size=2),
    CAPTURES,
    st.lists(APPROVALS, max_size=3),
    st.lists(SKILLS, max_size=2),
)

MUST_NOT = [
    {"not_called": "refund"},
    {"not_called": ["refund", "lookup"], "with": {"amount": 1}},
    {"not_called": "refund", "state": "succeeded", "scope": "job"},
    {"called": "refund", "times": 0},
    {"called": "refund", "times": {"max": 1}},
    {"called": "refund", "times": {"max": 1}, "with": {"amount": 1}},
    {"every": "refund", "preceded_by": "lookup"},
    {"limits": {"usd": 0.005}},
    {"limits": {"output_tokens": 1}},
    {"limits": {"tool_calls": 2, "same_call": 1, "model_calls": 1, "usd": 1}},
    {"reply": {"excludes": "a", "max_words": 1}},
    {"child": "helper", "triggered": {"max": 1}, "expect": [{"not_called": "refund"}]},
    {"calls": ["refund"], "match": "at_most"},
    {"calls": ["refund", {"tool": "refund", "with": {"amount": 1}}], "match": "at_most", "scope": "job"},
    {"calls": ["refund", "lookup"], "state": "succeeded"},
    {"approved": "refund"},
    {"approved": "refund", "by": "human", "scope": "job", "state": "executed"},
    {"expr": '"refund" not in tools'},
    {"expr": "not skills_read or not tool_calls", "scope": "job"},
    {"expr": "cost_usd < 0.005 or model_calls == 0"},
    {"expr": "output.b is null or not output"},
    {"cel": "!tool_calls.exists(c, c.function == 'refund' && c.arguments.amount == 1)"},
    {"cel": "size(skills_read) == 0 && calls < 1"},
]
MUST = [
    {"called": "refund"},
    {"called": "refund", "times": 1, "with": {"amount": 1}},
    {"in_order": ["lookup", "refund"]},
    {"captured": ["tools", "reply"]},
    {"json": {"path": "a", "equals": 1}},
    {"constraints_reach": 0, "constraints": ["c"]},
    {"child": "helper", "expect": [{"called": "lookup"}]},
    {"child": "helper", "payload": "payload.a == 1 and payload_raw == ''"},
    {"calls": ["lookup", {"tool": "lookup", "with": {"amount": 1}}], "match": "at_least"},
    {"skills_read": ["a/policy"]},
    {"skills_read": "policy", "declared": True, "scope": "job"},
    {"expr": "output.a == 1 and 'lookup' in tools"},
    {"cel": "output.a == 1 && 'a/policy' in skills_read"},
]


def primitive(item: dict[str, Any]) -> Primitive:
    any_item()
    key = next(k for k in item if k in forms())
    return forms()[key].model_validate(item).compile(Defaults())


ALL = [(item, primitive(item)) for item in MUST_NOT + MUST]


def truths(root: Job) -> list[Truth]:
    """The answer of every check, by its place in ALL."""
    scene = Scene(run(root))
    return [check.decide(scene).truth for _, check in ALL]


EMPTY = {"reply": lambda: None, "approvals": list, "skills": list, "model_calls": list}
"""What a job holds of a kind that is gone; kinds that are not here leave nothing but their capture."""


def without(root: Job, kind: str, left: Any, *, calls: bool) -> Job:
    """The same run of which less (`left`) was captured: of that kind, and with `calls` the tool calls with it."""
    poorer = copy.deepcopy(root)
    for each in poorer.walk():
        each.capture[kind] = Capture(left)
        if kind == "tools" and calls:
            each.tool_calls = []
        if kind == "tool_args":
            for one in each.tool_calls:
                one.arguments, one.arguments_capture = None if left == "absent" else {}, left
        if kind == "cost":
            for model in each.model_calls:
                model.cost_usd = model.output_tokens = None
        if kind in EMPTY:
            setattr(each, kind, EMPTY[kind]())
    return poorer


LEFT = ("absent", "partial", "malformed")


@settings(max_examples=25)
@given(JOBS, st.booleans())
def test_less_evidence_never_makes_a_pass(root: Job, calls: bool) -> None:
    """What failed or was open stays so: for every check, every kind of evidence, and whatever is left of it."""
    before = truths(root)
    for kind, left in itertools.product(CAPTURE_KINDS, LEFT):
        after = truths(without(root, kind, left, calls=calls))
        for (item, _), was, now in zip(ALL, before, after, strict=True):
            assert was is True or now is not True, (item, kind, left)


@given(JOBS)
def test_a_call_lost_and_said_so_never_makes_a_pass(root: Job) -> None:
    """A lost call with incomplete capture cannot clear a suspicion."""
    poorer = copy.deepcopy(root)
    for each in poorer.walk():
        each.tool_calls = each.tool_calls[1:]
        each.capture["tools"] = Capture("partial")
    for (item, _), was, now in zip(ALL, truths(root), truths(poorer), strict=True):
        assert was is True or now is not True, item


@given(JOBS)
def test_the_same_run_gives_the_same_answer(root: Job) -> None:
    """A check is pure: it changes nothing and depends on nothing else."""
    kept = copy.deepcopy(root)
    assert truths(root) == truths(root)
    assert root == kept
