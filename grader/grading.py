"""One suite over a stream of runs: select, check, aggregate, gate. Pure; no tree is kept once it is judged."""

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from grader.case import Case, Suite
from grader.gate import CaseTally, GateDecision, Verdict
from grader.inputs import NONE, Inputs
from grader.judge.tally import Asked
from grader.part import Judge, Part, Terms
from grader.sample import Candidate, Sample


@dataclass(slots=True)
class CaseReport:
    """A case with its samples."""

    case: Case
    samples: list[Sample]
    tally: CaseTally
    quotes: Collection[str] = ()
    """Runs whose inputs its note repeats."""


@dataclass(slots=True)
class Grading:
    """One evaluation of a suite; immutable once written. Times are nanoseconds since the epoch."""

    id: str
    suite: Suite
    started: int
    cases: list[CaseReport]
    decision: GateDecision
    selected: int
    still_open: int
    unmatched: int
    notices: list[str] = field(default_factory=list)
    quiet_at: int = 0
    """When those of the open runs whose root has ended will have been quiet for long enough; 0: there are none."""
    asked: Asked | None = None
    """What became of judges; None: the suite asked none."""

    @property
    def samples(self) -> list[Sample]:
        """The samples of all cases."""
        return [s for c in self.cases for s in c.samples]

    @property
    def quotes(self) -> list[str]:
        """Runs whose inputs the reasons may repeat, besides those of the samples."""
        return sorted({run for c in self.cases for run in c.quotes})


def grade_suite(
    suite: Suite,
    candidates: Iterable[Candidate],
    *,
    id: str,  # noqa: A002
    now: int,
    quiet_seconds: float | None = None,
    inputs: Inputs = NONE,
    latest: bool = False,
) -> Grading:
    """The grading of the runs that were selected. `quiet_seconds` None: open runs count too.

    `latest`: of a case that asks for a number of samples, only that many of the newest runs are samples.
    """
    terms = Terms(now=now, quiet_seconds=quiet_seconds, inputs=inputs)
    return gathered(suite, [Judge(suite, terms).part(candidates)], terms, id=id, latest=latest)


def gathered(suite: Suite, parts: Iterable[Part], terms: Terms, *, id: str, latest: bool = False) -> Grading:  # noqa: A002
    """The grading of the parts in the order of their runs; nobody is asked anything."""
    return reported(suite, merged(suite, parts, latest=latest), terms, id=id)


def merged(suite: Suite, parts: Iterable[Part], *, latest: bool = False) -> Part:
    """All parts as one. `latest`: see `grade_suite`."""
    whole = Part({})
    for part in parts:
        whole.extend(part)
    for case in suite.cases if latest else ():
        if case.samples is not None:
            whole.keep_newest(case.name, case.samples)
    return whole


def reported(suite: Suite, whole: Part, terms: Terms, *, id: str, asked: Asked | None = None) -> Grading:  # noqa: A002
    """The grading that follows from all samples. `asked`: what became of judges, where there were any."""
    reports = [_report(case, whole, terms) for case in suite.cases]
    decision = suite.gate.decide([r.tally for r in reports])
    told = [*notices(suite), *_policies_named(whole)]
    if asked is not None:
        told += asked.notices
        decision = _stopped(decision, asked)
    return Grading(
        id, suite, terms.now, reports, decision, whole.judged, whole.still_open, whole.unmatched, told, whole.quiet_at,
        asked,
    )  # fmt: skip


def _stopped(decision: GateDecision, asked: Asked) -> GateDecision:
    """Where a cap kept judges from being asked, the rest is not graded: what is known to fail fails, nothing passes."""
    if not asked.left:
        return decision
    verdict: Verdict = "not gateable" if decision.verdict == "passed" else decision.verdict
    return dataclasses.replace(decision, verdict=verdict, reasons=(asked.left, *decision.reasons))


def notices(suite: Suite) -> list[str]:
    """What the suite asks that is not checked, the cases' own with their names."""
    return [*suite.notices, *(f"{c.name!r}: {n}" for c in suite.cases for n in c.notices)]


def _report(case: Case, whole: Part, terms: Terms) -> CaseReport:
    samples = whole.samples.get(case.name, [])
    tally = CaseTally(case.name, verifies=case.verifies)
    tally.outcomes.update(s.outcome for s in samples)
    tally.samples = samples
    tally.left_out = case.left_out if terms.inputs.tenant_gate else ""
    near = [] if samples or case.policy else whole.asked.nearest(case)
    if not samples:
        tally.note = _absent(case, whole, near)
    return CaseReport(case, samples, tally, whole.asked.whose(near) if near else ())


def _absent(case: Case, whole: Part, near: Sequence[str]) -> str:
    """Why a case has no sample, and what to do. `near`: what came closest."""
    note = "no run for this case" if whole.judged else "no run was selected"
    if near:
        what = "case names" if case.match == "name" else "inputs"
        note += f"; nearest {what}: " + ", ".join(f"“{n}”" for n in near)
    if whole.still_open:
        note += f"; {whole.still_open} selected runs are still open (wait, or --include-open)"
    return note


def _policies_named(whole: Part) -> Iterable[str]:
    """What an author may not have meant."""
    for name in sorted(whole.named_policies):
        yield (
            f"{name!r} has no request, so it is a policy for every selected run, though runs carry its name; "
            "`match: name` makes it a case for these runs alone"
        )
