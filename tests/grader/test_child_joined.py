"""A parent and its linked child in another trace, in either order of arrival, graded in between."""

from pathlib import Path
from typing import Any

import pytest

from collector import connect
from collector.decode import traces_protobuf
from grader.formats import native
from grader.grade import Options, grade
from grader.results import extension
from tests.grader.spans import Trace

SUITE = """
tracegrade: 1
suite: delegation
unknown: fail
cases:
  - name: the summary is written
    expect:
      - called: notes.write
      - called: orders.lookup
"""


def parent_and_child() -> tuple[Trace, Trace]:
    """A support agent, and the summarizer that its root span caused: linked, in a trace of its own."""
    parent, child = Trace(1), Trace(2)
    parent.agent(1, "support", asked="Summarize order A-1234")
    parent.tool(2, 1, "orders.lookup", {"order_id": "A-1234"}, {"total": 50})
    child.agent(1, "summarizer", at=5, seconds=5, asked="Order A-1234: 50", link=(parent, 1))
    child.tool(2, 1, "notes.write", {"text": "fifty"}, "ok", at=6)
    return parent, child


@pytest.mark.parametrize("first", ["parent", "child"])
def test_child_joined(first: str) -> None:
    """One run id, two verdicts, and the reason "child joined"."""
    parent, child = parent_and_child()
    early, late = (parent, child) if first == "parent" else (child, parent)
    suite = native.read(Path("delegation.yaml"), SUITE)
    with connect(":memory:", extensions=[extension()]) as store:
        before = _arrives_and_is_graded(store, early, suite)
        after = _arrives_and_is_graded(store, late, suite)
        told = store.query("why_changed", suite="delegation").to_pylist()

    (was,), (now,) = before.samples, after.samples
    assert (was.outcome, now.outcome) == ("fail", "pass")
    assert now.changed_because == "child joined"
    assert now.run.run_id == f"{parent.id.hex()}-{(1001).to_bytes(8, 'big').hex()}"
    assert sorted(now.run.traces) == sorted([parent.id.hex(), child.id.hex()])
    verdicts = [(r["run_id"], r["outcome"], r["previous_outcome"], r["changed_because"]) for r in told]
    assert verdicts == [(now.run.run_id, "pass", "fail", "child joined")]


def test_the_history_of_a_run_is_kept_under_one_id() -> None:
    """Both verdicts are found by the run's id of today, also the one given under the id that was absorbed."""
    parent, child = parent_and_child()
    suite = native.read(Path("delegation.yaml"), SUITE)
    with connect(":memory:", extensions=[extension()]) as store:
        _arrives_and_is_graded(store, child, suite)
        now = _arrives_and_is_graded(store, parent, suite).samples[0]
        history = store.query("run_history", run_id=now.run.run_id).to_pylist()
    assert [(r["outcome"], r["changed_because"]) for r in history] == [("fail", None), ("pass", "child joined")]
    assert {r["run_id"] for r in history} == {now.run.run_id}


def test_grading_again_changes_nothing() -> None:
    """The same tree and the same case: no reason is given, and the verdict stands."""
    parent, _ = parent_and_child()
    suite = native.read(Path("delegation.yaml"), SUITE)
    with connect(":memory:", extensions=[extension()]) as store:
        first = _arrives_and_is_graded(store, parent, suite).samples[0]
        second = grade(store, [suite], Options(quiet_seconds=None))[0].samples[0]
    assert (first.outcome, second.outcome) == ("fail", "fail")
    assert second.changed_because is None
    assert second.previous_outcome == "fail"


def _arrives_and_is_graded(store: Any, trace: Trace, suite: Any) -> Any:
    store.ingest(traces_protobuf(trace.body())).result()
    return grade(store, [suite], Options(quiet_seconds=None))[0]
