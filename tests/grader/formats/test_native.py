"""The native suite: what is accepted, and how every mistake is told."""

import random
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from collector.tree import Retrieval
from grader.formats import native
from grader.forms import CallItem
from grader.gates.shares import Shares
from grader.grading import grade_suite
from grader.part import Judge, Terms
from grader.pieces import forms
from grader.syntax.mistakes import SuiteError
from tests.grader.suites import data, suite
from tests.grader.trees import call, candidate, child, job


def test_the_whole_example_loads() -> None:
    """Every check of the subset, one case with a request and one policy."""
    found = native.read(*data("refunds.yaml"))
    first, policy = found.cases
    assert [c.kind for c in first.expect] == [
        "called", "called", "in_order", "every", "not_called", "limits", "captured", "reply", "json", "status",
        "constraints_reach", "child",
    ]  # fmt: skip
    assert (first.policy, policy.policy) == (False, True)
    assert [c.severity for c in first.expect].count("minor") == 1
    assert isinstance(found.gate, Shares)
    assert (found.gate.min_samples, found.gate.max_indeterminate.tell()) == (20, "5%")
    assert (found.select.service, found.select.since) == ("support-agent", "24h")


def test_every_check_stands_in_one_suite() -> None:
    """With every key of every form, so that what the schema promises is read."""
    found = native.read(*data("whole.yaml"))
    assert {c.kind for case in found.cases for c in case.expect} == set(forms())
    plain = YAML(typ="safe", pure=True).load(data("whole.yaml")[1])
    items = [item for case in plain["cases"] for item in case.get("expect", ())]
    items += [inner for item in items for inner in item.get("expect", ())]
    for key, form in forms().items():
        written = {name for item in items if key in item for name in item}
        own = {field.alias or name for name, field in form.model_fields.items()} - set(CallItem.model_fields)
        assert own <= written, key


def test_all_mistakes_of_a_file_at_once() -> None:
    """Each with file, line, field, and the nearest valid name."""
    path, text = data("many_mistakes.yaml")
    with pytest.raises(SuiteError) as raised:
        native.read(path, text)
    told = [(m.line, m.field, m.message) for m in raised.value.mistakes]
    assert [(line, field) for line, field, _ in told] == [
        (1, "suite"),
        (1, "tracegrade"),
        (2, "suites"),
        (3, "select.servce"),
        (3, "select.since"),
        (4, "gate.each_case.pass"),
        (8, "cases[0].request"),
        (10, "cases[0].expect[0]"),
        (12, "cases[0].expect[1].tims"),
        (13, "cases[0].expect[1].with.amount"),
        (14, "cases[0].expect[2]"),
        (18, "cases[0].expect[3].expect[0]"),
        (20, "cases[0].expect[3].expect[1].scope"),
        (21, "cases[0].expect[3].expect[1].times"),
        (22, "cases[0].expect[4].captured"),
        (23, "cases[0].expect[5].limits"),
        (24, "cases[1].name"),
        (25, "cases[1].when[0].called"),
    ]
    suggestions = [
        message.split("did you mean ")[1].split("?")[0] for _, _, message in told if "did you mean" in message
    ]
    assert suggestions == ["'suite'", "'service'", "'called'", "'times'", "'$between'", "'called'", "'tree'", "'tools'"]
    assert str(raised.value).startswith(f"{path}:1: suite: is missing")


@pytest.mark.parametrize("name", ["not_yaml.yaml", "alias_of_itself.yaml"])
def test_what_is_not_sound_yaml_is_a_mistake_with_a_line(name: str) -> None:
    """Never a traceback."""
    with pytest.raises(SuiteError) as raised:
        native.read(*data(name))
    assert all(m.line >= 1 for m in raised.value.mistakes)


def test_a_case_with_a_request_implies_completed() -> None:
    """Unless it names a status; a policy asks only what it says."""
    found = suite(
        "  - {name: a, request: x}\n"
        "  - {name: b, request: y, expect: [{status: failed}]}\n"
        "  - {name: c, expect: [{not_called: z}]}\n"
    )
    assert [[c.kind for c in case.expect] for case in found.cases] == [["status"], ["status"], ["not_called"]]
    assert found.cases[0].expect[0].label == "status completed (implied)"


def test_defaults_reach_every_check_and_its_own_words_win() -> None:
    """Scope, state and severity; also in what a child must satisfy."""
    found = suite(
        "  - name: a\n    expect:\n      - called: f\n      - {called: f, scope: tree, state: failed, severity: critical}\n"
        "      - {child: c, expect: [{called: g}]}\n",
        "defaults: {scope: job, state: executed, severity: minor}",
    )
    plain, own, nested = (c.primitive for c in found.cases[0].expect)
    assert (plain.scope, plain.wanted.states.name) == ("job", "executed")  # ty: ignore
    assert (own.scope, own.wanted.states.name) == ("tree", "failed")  # ty: ignore
    assert nested.body[0].scope == "job"  # ty: ignore
    assert [c.severity for c in found.cases[0].expect] == ["minor", "critical", "minor"]


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        ("  - {name: a, match: exact}\n", "match needs a request"),
        ("  - {name: a, request: x, expect: []}\n", "at least 1 item"),
        ("  - {name: a, expect: [{called: f, with: {a: 1}, with_exactly: {a: 1}}]}\n", "exclude each other"),
        ("  - {name: a, expect: [{called: f, times: {min: 3, max: 1}}]}\n", "max is smaller than min"),
        ("  - {name: a, expect: [{called: f, times: -1}]}\n", "greater than or equal to 0"),
        ("  - {name: a, expect: [{called: f, times: true}]}\n", "whole number"),
        ("  - {name: a, expect: [called]}\n", "must be a check"),
        ("  - {name: a, expect: [{call: [f]}]}\n", "unknown check 'call'; did you mean 'calls'"),
        ("  - {name: a, request: 5}\n", "request: must be a text, or a mapping or list"),
        ("  - {name: a, request: {}}\n", "request: is empty"),
        ("  - {name: a, request: ''}\n", "request: is empty"),
        ("  - {name: a, request: {a: 1}, match: contains}\n", "needs a request that is a text"),
        ("  - {name: a, unknwon: fail}\n", "unknown key 'unknwon'"),
        ("  []\n", "at least 1 item"),
        ("  - just text\n", "must be a mapping"),
    ],
)
def test_mistakes(cases: str, message: str) -> None:
    """What an author may get wrong, and how it is told."""
    with pytest.raises(SuiteError, match=message):
        suite(cases)


def test_a_request_may_be_a_value() -> None:
    """A mapping or a list is the case of runs whose input equals it, whatever the order of its keys."""
    found = suite("  - {name: a, request: {order: A-1, items: [1, 2]}}\n  - {name: b, request: [1, {x: null}]}\n")
    assert [c.request for c in found.cases] == [{"order": "A-1", "items": [1, 2]}, [1, {"x": None}]]
    asked = [{"items": [1, 2.0], "order": "A-1"}, '[1, {"x": null}]', {"order": "A-1"}]
    runs = [candidate(job(input=value), id=str(n)) for n, value in enumerate(asked)]
    grading = grade_suite(found, runs, id="g", now=0)
    assert [(c.case.name, [s.run.run_id for s in c.samples]) for c in grading.cases] == [("a", ["0"]), ("b", ["1"])]


def test_what_is_not_graded_inside_a_child_is_told() -> None:
    """A note there keeps the child from nothing; a judge does."""
    found = suite(
        "  - name: a\n    expect:\n      - {child: c, expect: [{note: friendly}]}\n"
        "      - {child: c, expect: [{called: f}, {judge: friendly}]}\n"
    )
    assert found.cases[0].notices == ("note friendly (in check 1)",)
    (sample,) = grade_suite(found, [candidate(job(jobs=[child("c", "f")]))], id="g", now=0).samples
    assert [r.outcome for r in sample.results] == ["pass", "indeterminate"]


def test_checks_know_their_lines() -> None:
    """Also below `when`; a check that is implied has its case's."""
    found = suite(
        "  - name: a\n    request: x\n    when: {called: f}\n    expect:\n      - called: g\n      - called: h\n"
    )
    (case,) = found.cases
    assert (case.line, [c.line for c in case.when], [c.line for c in case.expect]) == (5, [7], [9, 10, 8])


def _shuffled(value: Any, order: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        order.shuffle(keys)
        return {k: _shuffled(value[k], order) for k in keys}
    return [_shuffled(v, order) for v in value] if isinstance(value, list) else value


ASKED = {"refunds.yaml": "Refund order A-1234, it arrived broken", "whole.yaml": {"order": "A-1234", "wish": "refund"}}


@pytest.mark.parametrize("name", ASKED)
@settings(max_examples=20, deadline=None)
@given(order=st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_neither_hash_nor_verdict(name: str, order: random.Random) -> None:
    """Sorting or shuffling all keys gives the same suite."""
    path, text = data(name)
    plain = YAML(typ="safe", pure=True).load(text)
    shuffled = native.read(path, orjson.dumps(_shuffled(plain, order)).decode())
    original = native.read(path, text)
    assert shuffled.hash == original.hash
    root = job(call("payments.refund", {"amount": 60}), "orders.lookup", jobs=[child("summarizer", "llm.complete")])
    root.input = ASKED[name]
    verdicts = [grade_suite(s, [candidate(root)], id="g", now=0) for s in (original, shuffled)]
    outcomes = [[[(r.outcome, r.sentence) for r in s.results] for s in g.samples] for g in verdicts]
    assert outcomes[0] == outcomes[1]


def test_another_question_is_another_hash() -> None:
    """Of the case and of the suite; where it stands in the file does not matter."""
    one, two = (suite(f"  - {{name: a, expect: [{{called: f, times: {n}}}]}}\n") for n in (1, 2))
    moved = suite("\n\n  - {name: a, expect: [{called: f, times: 1}]}\n")
    assert one.cases[0].hash != two.cases[0].hash
    assert one.hash != two.hash
    assert one.hash == moved.hash


def test_it_is_recognised_by_its_key() -> None:
    """By content, not by the file's name."""
    assert native.recognises("# c\ntracegrade: 1\n")
    assert not native.recognises("version: '1.0'\nagent: x\n")
    assert native.read(Path("x"), data("minimal.yaml")[1]).name == "smallest"


SHORT = """
  - name: a
    request: hello
    expect:
      - judge: friendly
      - rag: faithfulness
      - child: helper
        expect: [{judge: polite}]
      - human: tone
      - called: lookup
        severity: %s
"""


@pytest.mark.parametrize(
    ("severity", "calls", "short", "asked"),
    [
        ("critical", (), True, ["LabelWanted"]),
        ("critical", (), False, ["Question", "Question", "Question", "LabelWanted"]),
        ("minor", (), True, ["LabelWanted", "Question", "Question", "Question"]),
        ("critical", ("lookup",), True, ["LabelWanted", "Question", "Question", "Question"]),
    ],
)
def test_a_short_circuit_asks_no_model_about_a_run_that_failed(
    severity: str, calls: tuple[str, ...], short: bool, asked: list[str]
) -> None:
    """By a critical check; also not about its children. A label costs nothing, so it is looked up."""
    made = suite(SHORT % severity, f"short_circuit: {str(short).lower()}")
    runs = [
        candidate(
            job(*calls, jobs=[child("helper")], retrievals=[Retrieval("q", [{"id": "d", "content": "the documents"}])])
        )
    ]
    part = Judge(made, Terms(now=0)).part(runs)
    assert [type(ask).__name__ for one in part.waiting for ask in one.asked] == asked
    if asked == ["LabelWanted"]:
        spared = [r for r in part.samples["a"][0].results if "short_circuit" in r.sentence]
        assert [(r.kind, r.outcome, r.value) for r in spared] == [(k, "fail", 0.0) for k in ("judge", "rag", "child")]
