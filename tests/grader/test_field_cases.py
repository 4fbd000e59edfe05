"""Faults that people reported of systems that do this job; each with the right answer.

The numbers in the names are places in our list of such reports; `tests/normalize/test_field_cases.py` has the others.
"""

from typing import Any

import pytest

from collector import connect
from collector.decode import traces_protobuf
from grader.grade import Options, grade
from grader.grading import grade_suite
from grader.results import extension
from tests.grader.spans import Trace
from tests.grader.suites import suite
from tests.grader.trees import call, candidate, captured, job, model_call


def outcome(check: str, *calls: Any, head: str = "", **more: Any) -> tuple[str, str]:
    """The outcome of one check over a run with these calls, and its sentence."""
    found = suite(f"  - name: c\n    expect: [{check}]\n", head)
    (sample,) = grade_suite(found, [candidate(job(*calls, **more))], id="g", now=0).samples
    return sample.results[0].outcome, sample.results[0].sentence


def test_field_02_two_equal_calls_expected() -> None:
    """[s, s] against [s, s] passes; one alone fails and says how many there were."""
    assert outcome("{called: s, times: 2}", "s", "s")[0] == "pass"
    assert outcome("{called: s, times: 2}", "s") == ("fail", "s was called once; expected exactly twice")
    assert outcome("{in_order: [s, s]}", "s")[0] == "fail"
    assert [outcome("{calls: [s, s]}", *["s"] * n)[0] for n in (1, 2, 3)] == ["fail", "pass", "fail"]


def test_field_04_arguments_asked_for_and_no_calls() -> None:
    """Undecided where calls were not captured, failed where there were none; never a silent pass."""
    check = "{called: s, with: {a: 1}}"
    assert outcome(check, capture=captured(tools="absent"))[0] == "indeterminate"
    assert outcome(check)[0] == "fail"


def test_field_05_more_calls_than_expected() -> None:
    """At least once holds with three; the value is never above 1."""
    calls = [call("weather", {"city": "Shanghai", "time": t}) for t in ("9:00", "13:00", "21:00")]
    found = suite("  - name: c\n    expect: [{called: weather, with: {city: Shanghai}}]\n")
    (sample,) = grade_suite(found, [candidate(job(*calls))], id="g", now=0).samples
    assert (sample.outcome, sample.value) == ("pass", 1.0)


def test_field_06_an_unexpected_call_beside_the_expected_one() -> None:
    """An exact set fails, a superset passes."""
    calls = ("weather_check", "temperature_conversion")
    assert outcome("{called: weather_check}", *calls)[0] == "pass"
    assert outcome("{limits: {tool_calls: 1}}", *calls)[0] == "fail"
    assert outcome("{calls: [weather_check]}", *calls) == ("fail", "called beyond that: temperature_conversion")
    assert outcome("{calls: [weather_check], match: at_least}", *calls)[0] == "pass"


def test_field_08_a_handoff_without_arguments() -> None:
    """An empty object is an object: it matches what asks for nothing, and breaks no share."""
    handoff = call("transfer_to_refunds", {}, kind="handoff")
    assert outcome("{called: transfer_to_refunds, with: {}}", handoff)[0] == "pass"
    assert outcome("{called: transfer_to_refunds, with_exactly: {}}", handoff)[0] == "pass"
    assert outcome("{limits: {same_call: 1}}", handoff)[0] == "pass"
    assert outcome("{called: transfer_to_refunds, with: {order: 1}}", handoff)[0] == "fail"


def test_field_09_three_of_four_expected_calls() -> None:
    """What is missing is named, the check fails whole, and calls of one name are given to the entries that they fit."""
    check = "{calls: [{tool: s, with: {a: 1}}, s, {tool: s, with: {a: 2}}, t], match: at_least}"
    three = [call("s", {"a": 2}), call("s", {"a": 1}), call("s", {"a": 3})]
    verdict, sentence = outcome(check, *three)
    assert verdict == "fail"
    assert "t" in sentence.replace("at_least", "")
    assert outcome(check, *three, "t")[0] == "pass"
    assert outcome(check, call("s", {"a": 1}), call("s", {"a": 1}), call("s", {"a": 3}), "t")[0] == "fail"


def test_field_10_no_tools_expected_and_one_that_deletes() -> None:
    """An order that holds vacuously is no proof that nothing was called."""
    assert outcome("{limits: {tool_calls: 0}}", "delete_all")[0] == "fail"
    assert outcome("{not_called: delete_all}", "delete_all")[0] == "fail"


def test_field_12_calls_are_given_to_expectations_by_the_best_assignment() -> None:
    """An expectation that every call fits must not take the only call of one that is choosier, in either order."""
    calls = [call("f", {"a": 1}), call("f", {"b": 2})]
    for check in ("{calls: [f, {tool: f, with: {a: 1}}]}", "{calls: [{tool: f, with: {a: 1}}, f]}"):
        assert outcome(check, *calls)[0] == outcome(check, *calls[::-1])[0] == "pass"
    assert outcome("{calls: [{tool: f, with: {a: 1}}, {tool: f, with: {a: 1}}]}", *calls)[0] == "fail"


def test_field_17_no_match_never_takes_foreign_spans() -> None:
    """A request that no run was asked has no sample, however near in time another run is."""
    found = suite("  - {name: c, request: mine, expect: [{called: s}]}\n")
    grading = grade_suite(found, [candidate(job("s", input="yours"))], id="g", now=0)
    assert grading.samples == []
    assert grading.decision.exit_code == 2


def test_field_18_waiting_for_traces_is_not_a_failure() -> None:
    """An open run is no sample; nothing is recorded as failed."""
    found = suite("  - {name: c, request: x, expect: [{called: s}]}\n")
    grading = grade_suite(found, [candidate(job(input="x"), open=True)], id="g", now=0, quiet_seconds=10)
    assert (grading.samples, grading.still_open, grading.decision.exit_code) == ([], 1, 2)


def test_field_39_a_denied_call_is_attempted_but_not_executed() -> None:
    """Approved and executed is one call that counts; denied and narrated as done fails where execution is asked."""
    approved = call("refund", state="succeeded", attempts=2)
    assert outcome("{called: refund, times: 1, state: executed}", approved)[0] == "pass"
    denied = call("refund", state="denied")
    told = outcome("{called: refund, state: executed}", denied, reply="I refunded it.")
    assert told == ("fail", "refund was called once, in state denied; expected executed")
    assert outcome("{called: refund, state: denied}", denied)[0] == "pass"


def test_field_44_two_searches_asked_for_and_no_trace_of_any() -> None:
    """Without a run the gate stays shut; with one that recorded no calls the check is undecided, not passed."""
    asked = suite("  - {name: c, request: x, expect: [{called: search, times: {min: 2}}]}\n")
    assert grade_suite(asked, [], id="g", now=0).decision.verdict == "not gateable"
    unseen = outcome("{called: search, times: {min: 2}}", capture=captured(tools="absent", requests="absent"))
    assert unseen[0] == "indeterminate"


def test_field_45_everything_sampled_out_is_not_a_pass() -> None:
    """Zero runs, zero cases that apply: not gateable."""
    found = suite("  - {name: p, when: {called: never}, expect: [{called: x}]}\n")
    assert grade_suite(found, [], id="g", now=0).decision.verdict == "not gateable"
    assert grade_suite(found, [candidate()], id="g", now=0).decision.verdict == "not gateable"


def test_field_49_a_redacted_argument_is_undecided() -> None:
    """What a redactor left proves a match, never a mismatch."""
    redacted = call("f", {"card": "[REDACTED]", "n": 1}, arguments_capture="partial")
    assert outcome("{called: f, with: {card: '4111'}}", redacted)[0] == "indeterminate"
    assert outcome("{called: f, with: {n: 1}}", redacted)[0] == "pass"


def test_field_51_missing_tokens_are_unknown_never_zero() -> None:
    """A limit on tokens that were not captured is undecided, and undecided through the store as well."""
    calls = [model_call(output_tokens=None)]
    assert outcome("{limits: {output_tokens: 10}}", model_calls=calls)[0] == "indeterminate"


def test_field_51_a_span_delivered_twice_counts_once() -> None:
    """Re-delivery changes no count and no verdict."""
    trace = Trace(1)
    trace.agent(1, "support", asked="x")
    trace.tool(2, 1, "refund", {"amount": 1}, "ok")
    found = suite("  - {name: c, request: x, expect: [{called: refund, times: 1}]}\n")
    with connect(":memory:", extensions=[extension()]) as store:
        for _ in range(2):
            store.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
        (grading,) = grade(store, [found], Options(quiet_seconds=None))
    assert [s.outcome for s in grading.samples] == ["pass"]


@pytest.mark.parametrize(("passing", "code"), [(9, 0), (8, 1)])
def test_field_55_verdict_text_and_exit_code_are_one(passing: int, code: int) -> None:
    """The gate compares the share of samples per case, says so in words, and exits accordingly."""
    found = suite("  - {name: c, request: x, expect: [{called: s}]}\n", 'gate: {each_case: {pass: "90%"}}')
    runs = [candidate(job(*(["s"] if n < passing else []), input="x"), id=f"r{n}") for n in range(10)]
    decision = grade_suite(found, runs, id="g", now=0).decision
    assert decision.exit_code == code
    assert decision.text.startswith("gate passed" if code == 0 else "gate failed")
    assert ("required 90%" in decision.text) == (code == 1)
