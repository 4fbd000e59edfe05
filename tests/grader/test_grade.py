"""The main path over a real store."""

from typing import Any

import pytest

from collector import Store, connect
from collector.decode import traces_protobuf
from grader.grade import Options, grade
from grader.results import extension
from tests.grader.spans import Trace
from tests.grader.suites import suite

CASES = "  - {name: refund, request: Refund, expect: [{called: refund, with: {amount: 50}}]}\n"


@pytest.fixture
def store() -> Any:
    """An empty store."""
    with connect(":memory:", extensions=[extension()]) as opened:
        yield opened


def arrive(store: Store, number: int, amount: int, **more: Any) -> Trace:
    trace = Trace(number)
    trace.agent(1, "support", asked="Refund", **more)
    trace.tool(2, 1, "refund", {"amount": amount}, "ok")
    store.ingest(traces_protobuf(trace.body())).result()  # ty: ignore
    return trace


def test_settle_select_check_gate_record(store: Store) -> None:
    """From spans to a verdict on record."""
    arrive(store, 1, 50)
    arrive(store, 2, 60)
    (grading,) = grade(store, [suite(CASES)], Options(quiet_seconds=None))
    assert [s.outcome for s in grading.samples] == ["pass", "fail"]
    assert grading.decision.exit_code == 1
    assert grading.samples[1].reason == "refund was called once, with amount 60; expected 50"
    recorded = store.query("run_history", run_id=grading.samples[1].run.run_id).to_pylist()
    assert [(r["outcome"], r["reason"]) for r in recorded] == [("fail", grading.samples[1].reason)]
    assert store.query("known_suite", suite_hash=grading.suite.hash).to_pylist() == [{"known": 1}]


def test_fresh_runs_are_waited_for_once(store: Store) -> None:
    """A pipeline grades what has just run."""
    arrive(store, 1, 50)
    (grading,) = grade(store, [suite(CASES)], Options(quiet_seconds=0.3))
    assert [s.outcome for s in grading.samples] == ["pass"]
    assert len(store.query("run_history", run_id=grading.samples[0].run.run_id)) == 1


def test_it_waits_no_longer_than_the_quiet_period_and_tells(store: Store) -> None:
    """Runs that are still not quiet then are left out, with the reason."""
    arrive(store, 1, 50)
    told: list[str] = []
    slept: list[float] = []
    (grading,) = grade(store, [suite(CASES)], Options(quiet_seconds=3_600), told.append, slept.append)
    assert len(told) == len(slept) == 1
    assert 3_000 < slept[0] <= 3_600
    assert grading.still_open == 1
    assert "still open" in grading.decision.text


def test_one_trace_alone(store: Store) -> None:
    """`--trace` narrows, and settles that trace at once."""
    arrive(store, 1, 50)
    trace = arrive(store, 2, 60)
    (grading,) = grade(store, [suite(CASES)], Options(one=trace.id.hex(), quiet_seconds=None))
    assert [s.outcome for s in grading.samples] == ["fail"]


def test_several_suites_are_graded_each_on_its_own(store: Store) -> None:
    """One grading a suite."""
    arrive(store, 1, 50)
    found = grade(store, [suite(CASES), suite("  - {name: z, request: never}\n")], Options(quiet_seconds=None))
    assert [g.decision.exit_code for g in found] == [0, 2]


def test_late_spans_of_the_same_run_are_evidence_that_arrived(store: Store) -> None:
    """Another tree of the same run, without another job or trace."""
    trace = arrive(store, 1, 60)
    grade(store, [suite(CASES)], Options(quiet_seconds=None))
    late = Trace(1, start=trace.start)
    late.tool(3, 1, "refund", {"amount": 50}, "ok", at=3)
    store.ingest(traces_protobuf(late.body())).result()  # ty: ignore
    (grading,) = grade(store, [suite(CASES)], Options(quiet_seconds=None))
    (sample,) = grading.samples
    assert (sample.previous_outcome, sample.outcome, sample.changed_because) == ("fail", "pass", "evidence arrived")


def test_a_changed_case_is_the_reason(store: Store) -> None:
    """The tree is the same, the question is not."""
    arrive(store, 1, 60)
    grade(store, [suite(CASES)], Options(quiet_seconds=None))
    (grading,) = grade(store, [suite(CASES.replace("50", "60"))], Options(quiet_seconds=None))
    assert grading.samples[0].changed_because == "case changed"
