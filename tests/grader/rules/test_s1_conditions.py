"""S1, scenario checks: definitions, pass conditions and their evidence. Rules are numbered as in the reference of checks."""

from typing import Any, get_args

import pytest

from collector.tree import CallState
from tests.grader.rules.vocabularies import VOCABULARIES, grade, outcomes, refused, sample, scenarios, states
from tests.grader.trees import call, candidate, captured, child, job

REQUIRED = {"type": "tool_called", "tool": "tool"}
FORBIDDEN = {"type": "tool_not_called", "tool": "tool"}
BOTH = (REQUIRED, FORBIDDEN)
EXTENSIONS: dict[str, dict[str, Any]] = {
    "output_contains": {"value": "HELLO"},
    "output_not_contains": {"value": "guarantee"},
    "output_matches": {"value": "^\\{"},
    "output_valid_json": {},
}


def test_S1_01_a_check_sends_scenarios_and_judges_each_response() -> None:
    """A run answers the scenario whose input it was given."""
    suite = scenarios(REQUIRED, scenarios=[{"id": "a", "input": "A"}, {"input": {"text": "B"}}])
    runs = [candidate(job("tool", input=i), id=n) for n, i in (("r1", "A"), ("r2", {"text": "B"}), ("r3", "A B"))]
    grading = grade(suite, *runs)
    assert [(s.case, s.run.run_id) for s in grading.samples] == [("a", "r1"), ("scenario 2", "r2")]


@pytest.mark.parametrize(
    "change",
    [
        {"assertions": [FORBIDDEN]},
        {"samplesPerScenario": 2},
        {"requiredPassRate": 50},
        {"scenarios": [{"id": "a", "input": "other"}]},
        {"name": "other"},
        {"samplesPerScenario": 2, "minimumValidResults": 2},
    ],
)
def test_S1_02_editing_makes_another_version(change: Any) -> None:
    """Results carry a hash of what the definition asks, so runs stay with the version that judged them."""
    first, second = scenarios(REQUIRED), scenarios(REQUIRED, **change)
    assert first.hash != second.hash
    assert grade(first).suite.hash == first.hash


def test_S1_02_how_a_definition_is_written_makes_no_version() -> None:
    """Defaults that are spelled out ask the same."""
    spelled = scenarios(REQUIRED, samplesPerScenario=1, minimumValidResults=1, requiredPassRate=100, version=4)
    assert scenarios(REQUIRED).hash == spelled.hash


def test_S1_03_every_condition_applies_to_every_scenario() -> None:
    """Each case has them all."""
    suite = scenarios(*BOTH, scenarios=[{"id": "a", "input": "A"}, {"id": "b", "input": "B"}])
    assert [[c.kind for c in case.expect] for case in suite.cases] == [["tool_called", "tool_not_called"]] * 2


def test_S1_04_a_tool_is_required_or_forbidden() -> None:
    """The two kinds that are certain."""
    assert outcomes(scenarios(*BOTH), "tool") == ["pass", "fail"]
    assert outcomes(scenarios(*BOTH), "other") == ["fail", "pass"]


@pytest.mark.parametrize("kind", EXTENSIONS)
def test_S1_04_conditions_on_the_response_are_extensions_and_marked(kind: str) -> None:
    """In the result's name and in a notice; without the response they are indeterminate."""
    suite = scenarios({"type": kind} | EXTENSIONS[kind])
    assert suite.cases[0].expect[0].label.endswith("(extension)")
    assert f"extension: {kind}" in suite.notices[0]
    assert outcomes(suite, reply='{"a": "hello"}') == ["pass"]
    assert outcomes(suite, reply="I guarantee") == ["fail"]
    assert outcomes(suite, reply=None, capture=captured(reply="absent")) == ["indeterminate"]
    assert not scenarios(*BOTH).notices


def test_S1_04_an_unknown_kind_and_a_pattern_that_is_none_are_refused() -> None:
    """With what is known, and why."""
    assert "did you mean 'tool_called'" in refused(scenarios, {"type": "tool_caled", "tool": "x"})
    assert "not a regular expression" in refused(scenarios, {"type": "output_matches", "value": "("})
    assert "assertions[0].tool: is missing" in refused(scenarios, {"type": "tool_called"})


@pytest.mark.parametrize("state", get_args(CallState))
def test_S1_05_an_attempt_counts_whatever_its_status(state: Any) -> None:
    """Requested, succeeded and failed all count, and so do calls that were held or denied."""
    assert outcomes(scenarios(*BOTH), *states(state)) == ["pass", "fail"]


@pytest.mark.parametrize(
    "key", ["result", "arguments", "args", "order", "before", "count", "times", "minCalls", "status"]
)
def test_S1_06_results_arguments_order_and_counts_are_refused(key: str) -> None:
    """A condition that would be read as less than it says is worse than none."""
    assert f"assertions[0].{key}: '{key}' is not supported" in refused(scenarios, REQUIRED | {key: 1})
    assert "did you mean 'tool'" in refused(scenarios, REQUIRED | {"tol": "x"})


EVIDENCE = [
    {"name": "lookup", "status": "succeeded", "input": {"id": 1}, "output": {}},
    {"name": "tool", "status": "failed"},
]


def reported(evidence: Any, **more: Any) -> list[Any]:
    """Outcomes of both conditions where the trace records no calls and the endpoint's response is this."""
    return outcomes(scenarios(*BOTH), reply=evidence, capture=captured(tools="absent"), **more)


def test_S1_07_an_endpoint_reports_its_calls_in_its_response() -> None:
    """Where the trace itself records none; what it records goes first."""
    assert reported({"toolCalls": EVIDENCE}) == ["pass", "fail"]
    assert reported({"toolCalls": EVIDENCE[:1]}) == ["fail", "pass"]
    assert outcomes(scenarios(*BOTH), "tool", reply={"toolCalls": []}) == ["pass", "fail"]


@pytest.mark.parametrize("status", ["requested", "succeeded", "failed"])
def test_S1_08_the_three_statuses_are_known(status: str) -> None:
    """Each is an attempt."""
    assert reported({"toolCalls": [{"name": "tool", "status": status}]}) == ["pass", "fail"]


def test_S1_09_no_calls_captured_fails_the_required_and_passes_the_forbidden() -> None:
    """Captured and empty is evidence."""
    assert outcomes(scenarios(*BOTH)) == ["fail", "pass"]
    assert reported({"toolCalls": []}) == ["fail", "pass"]


def test_S1_10_calls_that_were_not_captured_are_indeterminate() -> None:
    """Both kinds; with the reason."""
    assert reported({"text": "hi"}) == ["indeterminate", "indeterminate"]
    assert reported("hi") == ["indeterminate", "indeterminate"]
    found = sample(scenarios(*BOTH), capture=captured(tools="absent"))
    assert (found.outcome, "tool calls were not captured" in found.reason) == ("indeterminate", True)


def test_S1_11_malformed_evidence_is_indeterminate() -> None:
    """Also where a call of that name can be read in it."""
    assert outcomes(scenarios(*BOTH), "tool", capture=captured(tools="malformed")) == ["indeterminate"] * 2
    below = child("helper", capture=captured(tools="malformed"))
    assert outcomes(scenarios(*BOTH), "tool", jobs=[below]) == ["indeterminate"] * 2


@pytest.mark.parametrize(
    "evidence",
    [
        None,
        {},
        "tool",
        [*EVIDENCE, "tool"],
        [*EVIDENCE, {"status": "failed"}],
        [*EVIDENCE, {"name": "", "status": "failed"}],
        [*EVIDENCE, {"name": 5, "status": "failed"}],
        [*EVIDENCE, {"name": "x"}],
        [*EVIDENCE, {"name": "x", "status": "done"}],
        [*EVIDENCE, {"name": "x", "status": ["failed"]}],
    ],
)
def test_S1_12_one_bad_entry_spoils_the_whole_evidence(evidence: Any) -> None:
    """No list, no object, no name, or a status that is not one of the three."""
    assert reported({"toolCalls": evidence}) == ["indeterminate", "indeterminate"]
    found = sample(scenarios(REQUIRED), reply={"toolCalls": evidence}, capture=captured(tools="absent"))
    assert "toolCalls" in found.reason


def test_S1_13_a_recorder_that_always_reports_decides() -> None:
    """An empty list from it is as good as a full one: calls seen in part refute what they can."""
    assert reported({"toolCalls": []}) == ["fail", "pass"]
    assert outcomes(scenarios(*BOTH), "tool", capture=captured(tools="partial")) == ["pass", "fail"]
    assert outcomes(scenarios(*BOTH), capture=captured(tools="partial")) == ["indeterminate", "indeterminate"]


def test_S1_15_limits_of_a_definition() -> None:
    """At most ten scenarios, ten conditions and ten samples; at least one of each."""
    many = [{"id": str(n), "input": str(n)} for n in range(11)]
    assert "scenarios: has 11 entries; allowed are 10" in refused(scenarios, REQUIRED, scenarios=many)
    assert "assertions: has 11 entries; allowed are 10" in refused(scenarios, *[REQUIRED] * 11)
    assert "are 12; a run has at most 10" in refused(scenarios, REQUIRED, scenarios=many[:6], samplesPerScenario=2)
    assert "must have at least 1 entry" in refused(scenarios, REQUIRED, scenarios=[])
    assert "must have at least 1 entry" in refused(scenarios)
    assert len(scenarios(*[REQUIRED] * 10, scenarios=many[:10]).cases) == 10
    assert scenarios(REQUIRED, scenarios=many[:5], samplesPerScenario=2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"requiredPassRate": 0},
        {"requiredPassRate": 0.5},
        {"requiredPassRate": 101},
        {"requiredPassRate": "100%"},
        {"requiredPassRate": True},
        {"minimumValidResults": 0},
        {"minimumValidResults": 2},
        {"minimumValidResults": 4, "samplesPerScenario": 3},
        {"minimumValidResults": 1.5},
        {"samplesPerScenario": 0},
        {"samplesPerScenario": 11},
    ],
)
def test_S1_17_rates_and_minima_out_of_bounds_are_refused(wrong: Any) -> None:
    """The rate is 1 to 100 %, the minimum 1 to the number of samples."""
    assert next(iter(wrong)) in refused(scenarios, REQUIRED, **wrong)


def test_S1_17_bounds_themselves_are_allowed() -> None:
    """Both ends."""
    for rate in (1, 100, 66.5):
        scenarios(REQUIRED, requiredPassRate=rate)
    scenarios(REQUIRED, samplesPerScenario=10, minimumValidResults=10)


def test_S1_18_starting_values_are_the_defaults() -> None:
    """One sample, one valid result, 100 %."""
    gate: Any = scenarios(REQUIRED).gate
    assert (gate.samples, gate.minimum, gate.rate.text) == (1, 1, "100%")
    more: Any = scenarios(REQUIRED, samplesPerScenario=3).gate
    assert (more.samples, more.minimum, more.rate.text) == (3, 1, "100%")
    assert gate.rate.reached(1, 1)
    assert not gate.rate.reached(999_999, 1_000_000)


def test_S1_ids_stand_once_and_inputs_are_there() -> None:
    """A scenario without an input is asked by no run."""
    twice = [{"id": "a", "input": "A"}, {"id": "a", "input": "B"}]
    assert "a scenario 'a' stands on line 1 already" in refused(scenarios, REQUIRED, scenarios=twice)
    assert "scenarios[0].input: is missing" in refused(scenarios, REQUIRED, scenarios=[{"id": "a"}])


def test_S1_06_the_example_of_the_source_is_read_as_three_conditions() -> None:
    """Require a lookup, require an escalation, forbid the refund."""
    from grader.suites import read_suites

    (suite,) = read_suites([VOCABULARIES / "scenario" / "suites" / "refund.json"])
    assert [c.kind for c in suite.cases[0].expect] == ["tool_called", "tool_called", "tool_not_called"]
    kept = ["lookup_order", call("escalate")]
    assert sample(suite, *kept).outcome == "pass"
    assert sample(suite, *kept, call("issue_refund", state="requested")).outcome == "fail"
