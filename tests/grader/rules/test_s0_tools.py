"""S0, AgentLasso check lists: how they are read, and checks of tools. Rules are numbered as in the reference of checks."""

from typing import Any, get_args

import pytest

from collector.tree import CallState
from tests.grader.rules.vocabularies import (
    REQUEST,
    TYPES,
    grade,
    holds,
    lasso,
    only,
    outcomes,
    refused,
    rows,
    sample,
    states,
    told,
)
from tests.grader.trees import SECOND, call, candidate, captured, child, job

TOOL = {"type": "tool_called", "tool": "tool"}


def test_S0_01_grading_is_a_pure_function_of_case_and_run() -> None:
    """The same case on the same run gives the same result, however often and after whatever else."""
    suite = lasso(TOOL, {"type": "output_contains", "value": "done"})
    first = sample(suite, "tool")
    sample(suite, "other")
    assert sample(suite, "tool") == first


@pytest.mark.parametrize("kind", TYPES)
def test_S0_02_the_seven_types_are_read(kind: str) -> None:
    """Each by its name."""
    assert lasso({"type": kind} | TYPES[kind]).cases[0].expect[0].kind == kind


def test_S0_02_an_unknown_type_is_refused() -> None:
    """With its line, its place, the nearest type and all that are known."""
    found = refused(lasso, {"type": "tool_caled", "tool": "x"})
    assert "checks[0].type: must be one of tool_called, tool_not_called" in found
    assert "did you mean 'tool_called'" in found


@pytest.mark.parametrize("version", [2, "1", 0, True, 1.5])
def test_S0_02_another_version_is_refused(version: Any) -> None:
    """A list that a newer tool wrote is never read as if it were known."""
    assert "checks_version" in refused(lasso, TOOL, checks_version=version)


def test_S0_02_without_a_version_the_case_says_how_it_was_read() -> None:
    """It is read as version 1, with a notice."""
    (case,) = lasso(TOOL, checks_version=None).cases
    assert not case.notices
    (case,) = lasso(checks=[TOOL]).cases
    assert case.notices == ("has no checks_version; its checks are read as version 1",)


def test_S0_03_an_id_stands_once() -> None:
    """Results are found by it."""
    found = refused(lasso, {"id": "c1"} | TOOL, {"id": "c1"} | TOOL)
    assert "checks[1].id: the id 'c1' stands on line 1 already" in found
    lasso({"id": "c1"} | TOOL, {"id": "c2"} | TOOL, TOOL, TOOL)


@pytest.mark.parametrize(("kind", "key"), [(k, p) for k, parameters in TYPES.items() for p in parameters])
def test_S0_03_a_missing_parameter_is_refused(kind: str, key: str) -> None:
    """Every parameter that a type needs."""
    assert f"checks[0].{key}: is missing" in refused(lasso, {"type": kind})


@pytest.mark.parametrize("kind", TYPES)
def test_S0_03_an_unknown_key_in_a_check_is_refused(kind: str) -> None:
    """It could change what is meant; the nearest name is told."""
    found = refused(lasso, {"type": kind, "severty": "minor"} | TYPES[kind])
    assert "checks[0].severty: unknown key 'severty'; did you mean 'severity'?" in found


def test_S0_03_all_mistakes_of_a_file_are_told_at_once() -> None:
    """An author mends them in one go."""
    found = refused(lasso, {"type": "tool_called"}, {"type": "x"}, {"type": "output_contains", "value": 5}, name=1)
    assert len(found.splitlines()) == 4


def test_S0_04_a_result_has_id_type_and_severity_of_its_check() -> None:
    """As they stand in the list."""
    suite = lasso({"id": "c1", "severity": "minor"} | TOOL, TOOL)
    found = [(r.check, r.kind, r.severity) for r in sample(suite).results]
    assert found == [("c1", "tool_called", "minor"), ("tool_called tool", "tool_called", "critical")]


def test_S0_05_arguments_are_never_compared() -> None:
    """A call counts whatever it was given."""
    assert outcomes(lasso(TOOL), call("tool", {"amount": 1}), call("tool", arguments_capture="absent")) == ["pass"]


@pytest.mark.parametrize("state", get_args(CallState))
def test_S0_05_an_attempt_counts_whatever_became_of_it(state: Any) -> None:
    """Requested, held, denied, answered, succeeded or failed: called, and for a forbidden tool a violation."""
    assert outcomes(lasso(TOOL, {"type": "tool_not_called", "tool": "tool"}), *states(state)) == ["pass", "fail"]


def test_S0_05_calls_of_jobs_below_count_and_the_sentence_says_so() -> None:
    """The list knows one run: the run with everything below it."""
    found = only(lasso(TOOL), jobs=[child("helper", "tool")])
    assert found == ("pass", "tool was called once (counted over all 2 jobs of the run)")


def test_S0_07_the_offending_call_is_named_with_its_spans() -> None:
    """A person finds it."""
    result = sample(lasso({"type": "tool_not_called", "tool": "tool"}), call("tool", spans=["b" * 16])).results[0]
    assert ("tool was called once" in result.sentence, list(result.spans)) == (True, ["b" * 16])


def test_S0_10_an_empty_order_is_refused() -> None:
    """It would hold for every run."""
    assert "at least 1" in refused(lasso, {"type": "tool_order", "tools": []})


def test_S0_11_the_qualified_name_of_a_call_is_not_its_name() -> None:
    """Server and tool together are another text than the tool's name that the list has."""
    assert outcomes(lasso(TOOL), call("tool", qualified="server.tool")) == ["pass"]
    assert outcomes(lasso({"type": "tool_called", "tool": "server.tool"}), call("tool", qualified="server.tool")) == [
        "fail"
    ]


def test_S0_12_parallel_calls_stand_in_order_of_their_start_then_of_their_place() -> None:
    """Two that began at once keep the order in which they were asked for."""
    order = {"type": "tool_order", "tools": ["a", "b"]}
    at = 200 * SECOND
    assert outcomes(lasso(order), call("a", started=at), call("b", started=at)) == ["pass"]
    assert outcomes(lasso(order), call("b", started=at), call("a", started=at)) == ["fail"]
    below = [child("one", call("b", started=at + 2)), child("two", call("a", started=at + 1))]
    assert outcomes(lasso(order), jobs=below) == ["pass"]


@pytest.mark.parametrize("state", ["absent", "partial", "malformed"])
@pytest.mark.parametrize("kind", ["tool_called", "tool_not_called", "tool_order"])
def test_S0_13_calls_that_were_not_reported_fail_with_the_reason(kind: str, state: Any) -> None:
    """Also a tool that must not be called: nothing passes unverified."""
    outcome, sentence = only(lasso({"type": kind} | TYPES[kind]), capture=captured(tools=state))
    assert outcome == "fail"
    assert "tool calls were" in sentence


@pytest.mark.parametrize("row", rows("S0-5"), ids=told)
def test_S0_05_a_call_of_that_name_is_enough(row: list[Any]) -> None:
    """At least one call; how often does not matter."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-6"), ids=told)
def test_S0_06_a_missing_call_tells_what_was_called_instead(row: list[Any]) -> None:
    """The tool, and what the agent called."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-7"), ids=told)
def test_S0_07_a_forbidden_tool_was_never_called(row: list[Any]) -> None:
    """One call is a violation."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-8"), ids=told)
def test_S0_08_an_order_is_a_subsequence(row: list[Any]) -> None:
    """Other calls may happen in between."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-9"), ids=told)
def test_S0_09_each_step_of_an_order_needs_a_call_of_its_own(row: list[Any]) -> None:
    """A missing tool fails, a wrong order fails, a repeated one needs two; later calls undo nothing."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-10"), ids=told)
def test_S0_10_an_order_of_one_is_a_call(row: list[Any]) -> None:
    """It asks no more than that the tool was called."""
    holds(row)


@pytest.mark.parametrize("row", rows("S0-11"), ids=told)
def test_S0_11_names_match_whole_and_with_their_case(row: list[Any]) -> None:
    """Dots are part of the name; no part of it is enough."""
    holds(row)


def test_S0_01_a_case_is_found_by_name_id_or_request() -> None:
    """The name on the run decides first, then exactly the request."""
    suite = lasso(TOOL, id=17)
    runs = [
        candidate(job("tool", input="other"), id="by-name", case_name="refund"),
        candidate(job("tool", input="other"), id="by-id", case_name="17"),
        candidate(job("tool", input=REQUEST), id="by-request"),
        candidate(job("tool", input=REQUEST + "!"), id="not-at-all"),
    ]
    assert [s.run.run_id for s in grade(suite, *runs).samples] == ["by-name", "by-id", "by-request"]
