"""Several processes make the same grading as one, and one that dies leaves no run without an answer."""

import dataclasses
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from collector import tree_text
from grader import workers
from grader.case import Suite
from grader.grading import Grading, gathered
from grader.inputs import Inputs
from grader.part import Terms
from grader.report.formats import json, junit, text
from grader.report.report_format import Page
from grader.stored_run import StoredRun
from grader.workers import LOST, Crew, Worker
from tests.grader.suites import suite
from tests.grader.trees import SECOND, call, job, run

CASES = """
  - {name: refund, request: Refund, expect: [{called: refund, with: {amount: {$between: [0, 50]}}}, {reply: {contains: done}}]}
  - {name: twin a, request: same, expect: [{status: completed}]}
  - {name: twin b, request: same, expect: [{status: completed}]}
  - {name: policy, when: {called: refund}, expect: [{every: refund, preceded_by: lookup}]}
  - {name: fixture, request: Fixture, expect: [{expr: context.amount == 5}]}
  - {name: nobody, request: Refunt, expect: [{called: refund}]}
"""
TERMS = Terms(now=1_000 * SECOND, quiet_seconds=10, inputs=Inputs(context={"run-11": {"amount": 5}}))


def stored(number: int) -> list[StoredRun]:
    """Runs of several kinds: one that may still grow, one that answers two cases, one with facts given beside it."""
    asked = ("Refund", "same", "other", "Fixture")
    rows = []
    for n in range(number):
        refund = call("refund", {"amount": n})
        calls = (["lookup", refund], [refund], ["lookup"], [])
        made = run(
            job(*calls[n // 4 % 4], input=asked[n % 4]),
            id=f"run-{n}",
            open=n % 7 == 6,
            case_name=("policy" if n == 9 else None),
        )
        rows.append(StoredRun(made.id, tree_text.to_json(made).decode(), f"digest-{n}", n * SECOND * 10))
    return rows


def graded(crew: Crew, asked: Suite, batches: Iterator[list[StoredRun]] | list[list[StoredRun]], runs: int) -> Grading:
    crew.prepare(asked, TERMS, runs)
    return gathered(asked, crew.parts(asked, TERMS, batches), TERMS, id="g")


def wait_for(crew: Crew) -> None:
    end = time.monotonic() + 60
    while not crew.ready and time.monotonic() < end:
        time.sleep(0.02)


def reports(grading: Grading) -> list[str]:
    page = Page(width=120, colour=False)
    return [form.FORMAT.render([grading], page) for form in (json, junit, text)]


def once_ready(crew: Crew, rows: list[StoredRun], then: Callable[[], None] | None = None) -> Iterator[list[StoredRun]]:
    """Batches of three, the second when workers are there. With `then` they stand still, and it is done when they have some."""
    for begin in range(0, len(rows), 3):
        yield rows[begin : begin + 3]
        wait_for(crew)
        for worker in crew.workers if then and begin == 0 else ():
            os.kill(worker.process.pid, signal.SIGSTOP)
        if then and crew.handed == 1:
            then()


ROWS = stored(120)


@pytest.fixture(scope="module")
def alone() -> Grading:
    """Graded by this process, one run after another."""
    return graded(Crew(1), suite(CASES), [[row] for row in ROWS], len(ROWS))


def test_processes_make_the_same_reports_as_one(alone: Grading) -> None:
    """Byte for byte, samples in the same order, whoever judged them."""
    with Crew(2, many=1) as crew:
        together = graded(crew, suite(CASES), once_ready(crew, ROWS), len(ROWS))
        assert crew.handed > 0
    assert together.samples == alone.samples
    assert reports(together) == reports(alone)
    assert (together.selected, together.still_open, together.unmatched) == (
        alone.selected,
        alone.still_open,
        alone.unmatched,
    )
    assert (together.quiet_at, together.notices) == (alone.quiet_at, alone.notices)
    assert {s.outcome for s in alone.samples} == {"pass", "fail", "indeterminate", "skipped"}
    assert [s.run.run_id for s in alone.samples if s.case == "fixture" and s.outcome == "pass"] == ["run-11"]


def test_few_runs_start_no_process(alone: Grading) -> None:
    """A start takes longer than judging them."""
    with Crew(2) as crew:
        assert graded(crew, suite(CASES), [ROWS], len(ROWS)).samples == alone.samples
        assert crew.workers == []


def test_a_suite_that_its_text_does_not_tell_is_judged_here(alone: Grading) -> None:
    """A worker that reads another suite is given nothing."""
    changed = dataclasses.replace(suite(CASES), hash="0" * 32)
    with Crew(2, many=1) as crew:
        assert graded(crew, changed, once_ready(crew, ROWS), len(ROWS)).samples == alone.samples
        assert (crew.ready, crew.handed) == (True, 0)


def test_runs_of_a_worker_that_died_are_judged_by_another(alone: Grading) -> None:
    """Once killed is no verdict."""
    with Crew(2, many=1) as crew:

        def kill() -> None:
            crew.workers[0].process.kill()

        grading = graded(crew, suite(CASES), once_ready(crew, ROWS, kill), len(ROWS))
        assert crew.handed > 0
        assert not crew.workers[0].alive
    assert grading.samples == alone.samples


def test_runs_on_which_every_worker_dies_are_errors(alone: Grading, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with what to do; the others are judged, and nothing hangs."""

    class Doomed(Worker):
        def __init__(self) -> None:
            super().__init__()
            self.process.kill()

    with Crew(2, many=1) as crew:

        def kill() -> None:
            monkeypatch.setattr(workers, "Worker", Doomed)
            crew.workers[0].process.kill()

        grading = graded(crew, suite(CASES), once_ready(crew, ROWS, kill), len(ROWS))
    errors = [s for s in grading.samples if s.outcome == "error"]
    assert errors
    assert {s.reason for s in errors} == {LOST}
    assert len(grading.samples) == len(alone.samples)
    lost = {s.run.run_id for s in errors}
    assert len(lost) <= 3 * crew.handed
    assert [s for s in grading.samples if s.run.run_id not in lost] == [
        s for s in alone.samples if s.run.run_id not in lost
    ]


def test_a_crew_that_ends_early_leaves_no_process() -> None:
    """Also where it has much to do still."""
    with Crew(2, many=1) as crew:
        crew.prepare(suite(CASES), TERMS, len(ROWS))
        (worker,) = crew.workers
        answers = [worker.ask(ROWS) for _ in range(50)]
    assert worker.process.poll() is not None
    assert all(answer.done() for answer in answers)


def test_where_no_process_can_start_this_one_judges(alone: Grading, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the interpreter is not to be found."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with Crew(2, many=1) as crew:
        assert graded(crew, suite(CASES), [ROWS], len(ROWS)).samples == alone.samples
        assert crew.workers == []
