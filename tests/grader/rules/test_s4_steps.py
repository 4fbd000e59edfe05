"""Expectations about which tools and skills the jobs chose: S4-8 to S4-16."""

from pathlib import Path
from typing import Any

import pytest

from collector.tree import Delegation, Job, SkillRead
from grader.lint.lookup import look_up
from grader.lint.manifest import read_manifest
from grader.lint.seen import gathered
from tests.grader.rules.evals import READ, evals, judged, outcome, refused, tree
from tests.grader.trees import call, captured, child, job

LOOKUP, REFUND = "orders.lookup", "payments.refund"
SKILL = "support/refund-policy"


@pytest.mark.parametrize(
    ("calls", "called", "free"),
    [
        ((LOOKUP, REFUND), "pass", "fail"),
        ((LOOKUP, LOOKUP, REFUND), "pass", "fail"),
        ((LOOKUP,), "fail", "fail"),
        ((), "fail", "pass"),
        (("orders.other",), "fail", "pass"),
    ],
)
def test_S4_08_each_function_at_least_once_or_none_of_them(calls: Any, called: str, free: str) -> None:
    """One that is missing fails `tools_called`, one that is there fails `not_called`."""
    assert outcome({"tools_called": [LOOKUP, REFUND]}, job(*calls)) == called
    assert outcome({"not_called": [LOOKUP, REFUND]}, job(*calls)) == free


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        ("requested", True),
        ("awaiting_approval", False),
        ("denied", False),
        ("answered", True),
        ("succeeded", True),
        ("failed", True),
    ],
)
def test_S4_08_which_call_states_count(state: Any, counts: bool) -> None:
    """A call counts for one expectation exactly when it counts against the other."""
    root = job(call(REFUND, state=state))
    assert outcome({"tools_called": REFUND}, root) == ("pass" if counts else "fail")
    assert outcome({"not_called": REFUND}, root) == ("fail" if counts else "pass")
    assert outcome({"cel": f"tool_calls.size() == {int(counts)}"}, root) == "pass"


@pytest.mark.parametrize(
    ("name", "qualified", "wanted", "same"),
    [
        (LOOKUP, None, LOOKUP, True),
        ("lookup", LOOKUP, LOOKUP, True),
        ("lookup", None, LOOKUP, False),
        ("orders.lookup", "shop.orders.lookup", LOOKUP, False),
        ("orders.lookup", "shop.orders.lookup", "shop.orders.lookup", True),
        ("Orders.lookup", None, LOOKUP, False),
        ("refunds.lookup", None, LOOKUP, False),
        ("oz.skill", None, "oz.skill", True),
        ("intake.triage", None, "intake.triage", True),
    ],
)
def test_S4_09_names_are_tool_dot_function(name: str, qualified: str | None, wanted: str, same: bool) -> None:
    """The full name counts, case-sensitive; a flow's tool is named like any function."""
    root = job(call(name, qualified=qualified))
    assert outcome({"tools_called": wanted}, root) == ("pass" if same else "fail")
    assert outcome({"not_called": wanted}, root) == ("fail" if same else "pass")


def test_S4_09_a_name_is_split_at_its_last_dot() -> None:
    """What stands before it is the tool."""
    root = job("shop.orders.lookup")
    assert outcome({"cel": "tool_calls[0].tool == 'shop.orders' && tool_calls[0].function == 'lookup'"}, root) == "pass"


@pytest.mark.parametrize("key", ["tools_called", "not_called"])
@pytest.mark.parametrize("name", ["lookup", "orders.", ".lookup"])
def test_S4_09_a_name_without_a_tool_is_refused(key: str, name: str) -> None:
    """It could match no call, so that `not_called` would always hold."""
    assert "must be written <tool>.<function>" in refused({key: [name]})


@pytest.mark.parametrize("name", ["oz.delegate", "oz.quarantine", "oz.skill", "oz.read_result"])
def test_S4_09_built_ins_that_are_steps(name: str) -> None:
    """They are named like functions."""
    assert outcome({"tools_called": name}, job(name)) == "pass"
    assert outcome({"not_called": name}, job(name)) == "fail"


@pytest.mark.parametrize("key", ["tools_called", "not_called"])
def test_S4_10_built_ins_without_a_step_are_refused(key: str) -> None:
    """With the nearest that has one, or all of them."""
    found = refused({key: "oz.delegates"})
    assert "'oz.delegates' runs inside the agent's loop and leaves no step" in found
    assert "those that do are oz.delegate, oz.quarantine, oz.skill, oz.read_result; did you mean 'delegate'?" in found
    assert "did you mean" not in refused({key: "oz.plan"})


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        ((READ,), "pass"),
        ((SkillRead(SKILL, declared=False),), "pass"),
        ((READ, SkillRead("support/tone")), "pass"),
        ((SkillRead("support/tone"),), "fail"),
        ((SkillRead("billing/refund-policy"),), "fail"),
        ((SkillRead("refund-policy"),), "fail"),
        ((), "fail"),
    ],
)
def test_S4_11_each_skill_was_read(reads: Any, expected: str) -> None:
    """By a declared read or a harness's own; others are fine, one of an unknown plugin is not known to be it."""
    assert outcome({"skills_read": [SKILL]}, job(skills=list(reads))) == expected


def test_S4_11_all_of_them() -> None:
    """One of two is not enough, and a skill's name has its plugin."""
    assert outcome({"skills_read": [SKILL, "support/tone"]}, job(skills=[READ])) == "fail"
    assert "must be written <plugin>/<skill>" in refused({"skills_read": ["refund-policy"]})


def test_S4_12_the_whole_job_tree_counts() -> None:
    """Own work and delegated work satisfy alike, and break alike."""
    for root in (tree(own=(LOOKUP,)), tree(LOOKUP), job(jobs=[child("a", jobs=[child("b", LOOKUP)])])):
        assert outcome({"tools_called": LOOKUP}, root) == "pass"
        assert outcome({"not_called": LOOKUP}, root) == "fail"
        assert outcome({"cel": "tool_calls.size() == 1"}, root) == "pass"
    assert outcome({"skills_read": SKILL}, tree(skills=[READ])) == "pass"


def delegating() -> Job:
    """A lookup, a delegate whose job refunds, and a call after it."""
    helper = child("specialist", REFUND, delegation=Delegation(mode="waited", call_id="1"), started=102 * 10**9)
    return job(LOOKUP, call("oz.delegate", call_id="1"), call("mail.send", started=109 * 10**9), jobs=[helper])


@pytest.mark.parametrize(
    "source",
    [
        "tool_calls.map(c, c.function) == ['lookup', 'delegate', 'refund', 'send']",
        "tool_calls.map(c, c.tool) == ['orders', 'oz', 'payments', 'mail']",
        "tool_calls.map(c, c.target) == ['', 'specialist', '', '']",
        "tool_calls.map(c, c.agent) == ['support', 'support', 'specialist', 'support']",
    ],
)
def test_S4_13_tool_calls_in_the_order_in_which_they_began(source: str) -> None:
    """Of the whole tree, each with its tool, function, target and agent."""
    assert outcome({"cel": source}, delegating()) == "pass"


def test_S4_14_skills_read_in_cel() -> None:
    """Each once, in the order of the first read, over the tree."""
    early = [SkillRead("b/one", at=5), SkillRead("b/one", at=30)]
    root = job(skills=early, jobs=[child("helper", skills=[SkillRead("a/two", at=9), SkillRead("b/one", at=10)])])
    assert outcome({"cel": "skills_read == ['b/one', 'a/two']"}, root) == "pass"


STEPS: list[dict[str, Any]] = [
    {"tools_called": LOOKUP},
    {"not_called": REFUND},
    {"cel": "tool_calls.size() == 1"},
    {"cel": "output == 'done' || tool_calls.size() == 1"},
    {"skills_read": SKILL},
    {"cel": "output == 'done' || skills_read.size() == 1"},
]


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("expect", STEPS)
def test_S4_15_steps_that_cannot_be_read_fail_the_case(expect: dict[str, Any], below: bool) -> None:
    """With the reason, even where a step is there that would do, and where a delegated job's cannot be read."""
    assert outcome(expect, job(LOOKUP, skills=[READ])) == "pass"
    broken = captured(skills="malformed") if "skills" in str(expect) else captured(tools="malformed")
    own, helper = (captured(), broken) if below else (broken, captured())
    root = job(LOOKUP, skills=[READ], capture=own, jobs=[child("helper", capture=helper)])
    found = judged(expect, root)
    assert found.outcome == "fail"
    assert "captured but cannot be read" in found.reason


@pytest.mark.parametrize("expect", STEPS)
def test_S4_15_steps_that_were_not_captured_fail_the_case(expect: dict[str, Any]) -> None:
    """Nothing seen is not nothing done."""
    found = judged(expect, job(capture=captured(tools="absent", skills="absent")))
    assert found.outcome == "fail"
    assert "not captured" in found.reason


@pytest.mark.parametrize(
    "source", ["output == 'done'", "output != 'tool_calls'", "output != 'skills_read' && calls == 0", "seconds > 1.0"]
)
def test_S4_15_other_expressions_do_not_need_steps(source: str) -> None:
    """A name inside a text mentions nothing."""
    assert outcome({"cel": source}, job(capture=captured(tools="absent", skills="absent"))) == "pass"


@pytest.mark.parametrize("field", ["arguments", "result", "state", "name"])
def test_S4_15_names_only(field: str) -> None:
    """What a call carried or returned is not seen."""
    root = job(call(LOOKUP, {"id": 1}, {"id": 1}))
    assert outcome({"cel": f"tool_calls.exists(c, has(c.{field}))"}, root) == "fail"
    assert outcome({"cel": f"!tool_calls.exists(c, has(c.{field}))"}, root) == "pass"


def told(expect: dict[str, Any], folder: Path, delegate: str) -> tuple[list[str], list[str]]:
    """Errors and warnings for the agent `support`, who has a tool, a skill, and a delegate with another tool."""
    path = folder / "agents.yaml"
    path.write_text(
        f"agents:\n- {{name: support, tools: [{LOOKUP}], skills: [{SKILL}], delegates: [{delegate}]}}\n"
        f"- {{name: cashier, tools: [{REFUND}]}}\n"
    )
    found = look_up(evals(expect, agent="support"), None, read_manifest(path))
    return [m.message for m in found.errors], [m.message for m in found.warnings]


def test_S4_16_a_name_out_of_reach_is_refused_with_the_nearest(tmp_path: Path) -> None:
    """Functions and skills, of the agent and its delegates."""
    for expect in ({"tools_called": [LOOKUP, REFUND]}, {"skills_read": SKILL}):
        assert told(expect, tmp_path, "cashier") == ([], [])
    ((error,), warnings) = told({"not_called": "orders.lokup"}, tmp_path, "cashier")
    assert (error, warnings) == (
        "the tool 'orders.lokup' cannot be reached by support; did you mean 'orders.lookup'?",
        [],
    )
    ((error,), _) = told({"skills_read": "support/refund-polcy"}, tmp_path, "cashier")
    assert error.endswith("did you mean 'support/refund-policy'?")


def test_S4_16_where_a_delegate_cannot_be_seen_it_is_a_warning(tmp_path: Path) -> None:
    """It may have what the manifest does not know."""
    errors, (warning,) = told({"tools_called": "mail.send"}, tmp_path, "elsewhere")
    assert errors == []
    assert "elsewhere may have it" in warning


def test_S4_16_without_a_manifest_a_name_that_no_trace_shows_is_a_warning() -> None:
    """With the nearest."""
    seen = gathered([("tool", LOOKUP, None), ("skill", SKILL, None)])
    found = look_up(evals({"tools_called": [LOOKUP, "orders.lokup"], "skills_read": SKILL}), seen, None)
    assert found.errors == []
    assert [m.message for m in found.warnings] == [
        "no stored trace has shown the tool 'orders.lokup'; did you mean 'orders.lookup'?"
    ]
