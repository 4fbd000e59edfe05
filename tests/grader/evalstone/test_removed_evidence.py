"""Less evidence never makes a pass: every check type over runs of which something is taken away."""

import copy
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.tree import Capture, Run
from grader.case import Case
from grader.sample import Candidate, judge
from tests.grader.evalstone_files import config, read
from tests.grader.trees import call, job, run

CHECKS: list[dict[str, Any]] = [
    {"type": "exact", "expected": "I refund R-1."},
    {"type": "exact", "expected": {"answer": 1}},
    {"type": "contains", "needles": []},
    {"type": "contains", "needles": ["refund", "R-2"]},
    {"type": "contains", "needles": ["refund", "R-2"], "require_all": False},
    {"type": "regex", "pattern": r"R-\d"},
    {"type": "regex", "pattern": r"\.$", "must_match": False},
    {"type": "regex", "pattern": "zzz", "must_match": False},
    {"type": "json_schema", "schema": {"type": "object"}},
    {"type": "json_schema", "schema": {}},
    {"type": "numeric_tolerance", "expected": 1, "output_path": "answer"},
    {"type": "length", "max_chars": 11},
    {"type": "length", "min_chars": 3},
    {"type": "length", "max_words": 0},
    {"type": "safety.refusal"},
    {"type": "safety.refusal", "expected": True},
    {"type": "safety.no_pii"},
    {"type": "safety.forbidden", "phrases": ["refund"]},
    {"type": "trajectory.finished"},
    *({"type": "trajectory.tool_called", "name": "a", "min_times": n} for n in (0, 1, 2)),
    *({"type": "trajectory.tool_called", "name": "a", "min_times": 0, "max_times": n} for n in (0, 1)),
    {"type": "trajectory.tool_order", "before": "a", "after": "b"},
    {"type": "trajectory.tool_order", "before": "b", "after": "a"},
    *({"type": "trajectory.max_steps", "n": n} for n in range(3)),
    {"type": "trajectory.no_repeated_calls"},
]
REPLIES = (
    "I refund R-1.",
    "refund R-2",
    '{"answer": 1}',
    {"answer": 1, "steps": [{"tool": "a"}, {"tool": "a"}]},
    "I can't help.",
    "",
    None,
)
STATES = ("present", "partial", "absent", "malformed")


@cache
def case() -> Case:
    """One sample with a check of each kind."""
    checks = {str(n): check for n, check in enumerate(CHECKS)}
    (suite,) = read(config(checks=checks, suites={"main": {"dataset": "d", "checks": list(checks)}}))
    return suite.cases[0]


def passed(made: Run) -> set[str]:
    """The checks that pass."""
    return {r.check for r in judge(case(), Candidate(made, "")).results if r.outcome == "pass"}


def less(whole: Run, data: st.DataObject) -> Run:
    """The run without some of its reply, its calls or their arguments, and marked so."""
    made = copy.deepcopy(whole)
    root = made.root
    reply = data.draw(st.sampled_from(STATES))
    if reply != "present":
        text = root.reply if isinstance(root.reply, str) else ""
        root.reply = text[: data.draw(st.integers(0, len(text)))] if reply == "partial" else None
        root.capture["reply"] = Capture(reply)
    tools = data.draw(st.sampled_from(STATES))
    if tools != "present":
        kept = data.draw(st.sets(st.sampled_from(range(4)))) if tools == "partial" else set()
        root.tool_calls = [c for n, c in enumerate(root.tool_calls) if n in kept]
        root.capture["tools"] = Capture(tools)
    for one in root.tool_calls:
        if data.draw(st.booleans()):
            one.arguments, one.arguments_capture = None, "absent"
    return made


CALLS = st.lists(
    st.sampled_from([call("a", {"x": 1}), call("b"), call("a", {"x": 2}), call("a", state="denied")]), max_size=4
)


@settings(max_examples=150, deadline=None)
@given(CALLS, st.sampled_from(REPLIES), st.data())
def test_no_check_comes_to_pass_by_a_loss(calls: list[Any], reply: Any, data: st.DataObject) -> None:
    """What did not pass with all evidence does not pass with less; steps in a reply are part of that reply."""
    whole = run(job(*copy.deepcopy(calls), reply=reply))
    after = passed(less(whole, data))
    if not isinstance(reply, dict):
        assert after <= passed(whole)


def test_without_any_evidence_nothing_passes() -> None:
    """Not even what an empty reply or an empty trajectory would meet."""
    nothing = run(job(reply=None))
    for capture in nothing.root.capture.values():
        capture.state = "absent"
    assert passed(nothing) == set()


def test_every_check_passes_for_some_run() -> None:
    """So that the property above has something to lose."""
    runs = [run(job(*calls, reply=r)) for calls in ((), ("a", "b"), ("b", "a"), ("a", "a")) for r in REPLIES]
    assert set().union(*map(passed, runs)) == {str(n) for n in range(len(CHECKS))}
