"""The main path: settle → select → check → aggregate → gate → record. Everything between the two ends is pure."""

import dataclasses
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pyarrow as pa

from collector import ReadOnly, Store
from grader.case import Suite
from grader.grading import Grading, merged, reported
from grader.inputs import NONE, Inputs
from grader.judge import second_look
from grader.judge.judges import Judges
from grader.judge.options import JudgeOptions
from grader.part import Part, Terms
from grader.results import change, reading, rows
from grader.select import NANOSECONDS, QUIET_SECONDS
from grader.workers import BATCH, Crew


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the command line narrows: it overrides the suite's own selection."""

    since: str | None = None
    one: str | None = None
    batch: str | None = None
    quiet_seconds: float | None = QUIET_SECONDS
    """Silence after which a run is done; None: runs that may still grow count too."""
    inputs: Inputs = NONE
    processes: int = 1
    """How many judge at the same time, where there are many runs; 0: one a core."""
    latest: bool = False
    """Of a case that asks for a number of samples, only so many of the newest runs."""
    judging: JudgeOptions | None = None
    """None: nobody is asked, and what only a judge or a person could tell has no verdict."""


def grade(
    store: Store,
    suites: Sequence[Suite],
    options: Options,
    tell: Callable[[str], None] = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
) -> list[Grading]:
    """Grades every suite over the runs that it selects, and records each grading in one transaction.

    Runs that have ended, and whose newest evidence is younger than the quiet period, are waited for (once, and no longer
    than that period): a pipeline grades what has just run. `tell` hears of it.
    """
    ids = None if options.one is None else [options.one]
    unbuilt = store.settle(ids)
    with Crew(options.processes) as crew:
        surveys = [survey(store, suite, options, crew) for suite in suites]
        quiet_at = max((one.whole.quiet_at for one in surveys), default=0)
        if quiet_at:
            seconds = min((quiet_at - time.time_ns()) / NANOSECONDS, options.quiet_seconds or 0.0)
            tell(f"waiting {max(seconds, 0):.0f} s for evidence that may still come (--include-open does not wait)")
            sleep(max(seconds, 0.0))
            unbuilt = store.settle(ids)
            surveys = [survey(store, suite, options, crew) for suite in suites]
    judges = None if options.judging is None else options.judging.judges(store)
    gradings = [
        conclude(store, one, options, judges) for one in surveys
    ]  # nobody is asked before all evidence is there
    if unbuilt:
        tell(f"{len(unbuilt)} traces could not be made into trees and are in no run, the first is {unbuilt[0]}")
    for grading in gradings if options.judging is None or not options.judging.dry_run else ():
        try:
            record(store, grading)
        except ReadOnly:
            tell(f"the grading of {grading.suite.name!r} is not recorded in the store: a read token may only read")
    return gradings


@dataclass(frozen=True, slots=True)
class Survey:
    """What the store holds for a suite, and what of it is known without asking anybody."""

    suite: Suite
    terms: Terms
    found: pa.Table
    whole: Part


def look(store: Store, suite: Suite, options: Options, crew: Crew, judges: Judges | None = None) -> Grading:
    """The grading of what the store holds now; nothing is waited for, and of the grading nothing is recorded."""
    return conclude(store, survey(store, suite, options, crew), options, judges)


def survey(store: Store, suite: Suite, options: Options, crew: Crew) -> Survey:
    """Selects the runs, and judges them as far as their evidence goes."""
    now = time.time_ns()
    select = dataclasses.replace(
        suite.select, since=options.since or suite.select.since, batch=options.batch or suite.select.batch
    )
    terms = Terms(
        now=now, quiet_seconds=options.quiet_seconds, inputs=options.inputs, attributes=suite.select.attributes
    )
    moment = datetime.fromtimestamp(now / NANOSECONDS, UTC)
    crew.prepare(suite, terms, 1 if options.one else reading.how_many(store, select, moment))
    found = reading.selected(store, select, moment, options.one)
    whole = merged(suite, crew.parts(suite, terms, reading.batches(found, BATCH)), latest=options.latest)
    return Survey(suite, terms, found, whole)


def conclude(store: Store, one: Survey, options: Options, judges: Judges | None = None) -> Grading:
    """The grading, once those were asked whom the suite's checks ask (`judges` None: nobody)."""
    asked = None
    if one.whole.waiting and judges is not None and options.judging is not None:
        panel = options.judging.panel(one.suite, judges, store)
        asked = second_look.settle(one.whole, one.suite, one.terms, panel, lambda ids: reading.again(one.found, ids))
    return reported(one.suite, one.whole, one.terms, id=uuid.uuid4().hex, asked=asked)


def record(store: Store, grading: Grading) -> None:
    """Writes the grading down, with what changed since the one before it, in one transaction."""
    samples = grading.samples
    run_ids = sorted({s.run.run_id for s in samples})
    change.mark(samples, reading.earlier(store, grading.suite.name, run_ids))
    known = store.query("known_suite", suite_hash=grading.suite.hash).column("known")[0].as_py() > 0
    store.append(rows.tables(grading, suite_known=known), batch_id=f"grading-{grading.id}")
