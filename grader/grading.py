"""One suite over a stream of runs: select, check, aggregate, gate. Pure; no tree is kept once it is judged."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.case import Case, Suite
from grader.gate import CaseTally, GateDecision
from grader.inputs import NONE, Inputs
from grader.sample import Candidate, Sample, judge
from grader.select import Asked, Finder, quiet_at


@dataclass(slots=True)
class CaseReport:
    """A case with its samples."""

    case: Case
    samples: list[Sample]
    tally: CaseTally


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

    @property
    def samples(self) -> list[Sample]:
        """The samples of all cases."""
        return [s for c in self.cases for s in c.samples]


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
    work = _Work(suite, inputs)
    for candidate in candidates:
        quiet = 0 if quiet_seconds is None else quiet_at(candidate, quiet_seconds)
        if quiet is None or quiet > now:
            work.still_open += 1
            work.quiet_at = max(work.quiet_at, quiet or 0)
        else:
            work.add(candidate)
    for report in work.reports.values():
        if latest and report.case.samples is not None:
            del report.samples[: -report.case.samples]
        report.tally.outcomes.update(s.outcome for s in report.samples)
        report.tally.samples = report.samples
        report.tally.left_out = report.case.left_out if inputs.tenant_gate else ""
        if not report.samples:
            report.tally.note = work.absent(report.case)
    cases = list(work.reports.values())
    decision = suite.gate.decide([c.tally for c in cases])
    told = [*notices(suite), *work.notices()]
    return Grading(id, suite, now, cases, decision, work.judged, work.still_open, work.unmatched, told, work.quiet_at)


def notices(suite: Suite) -> list[str]:
    """What the suite asks that is not checked, the cases' own with their names."""
    return [*suite.notices, *(f"{c.name!r}: {n}" for c in suite.cases for n in c.notices)]


class _Work:
    """What gathers while runs stream by."""

    def __init__(self, suite: Suite, inputs: Inputs) -> None:
        self.beside = inputs
        self.reports = {c.name: CaseReport(c, [], CaseTally(c.name, verifies=c.verifies)) for c in suite.cases}
        self.policies = [c for c in suite.cases if c.policy]
        self.asking = [c for c in suite.cases if not c.policy]
        self.finder = Finder(suite.name, self.asking)
        self.asked = Asked()
        self.judged = self.still_open = self.unmatched = self.quiet_at = 0
        self.named_policies: set[str] = set()

    def add(self, candidate: Candidate) -> None:
        """Judges a run by every policy, and by the case that it answers."""
        self.judged += 1
        self.asked.add(candidate)
        for case in self.policies:
            self.reports[case.name].samples.append(judge(case, candidate, self.beside))
            if candidate.run.case_name == case.name:
                self.named_policies.add(case.name)
        found = self.finder.find(candidate) if self.asking else []
        if len(found) == 1:
            self.reports[found[0].name].samples.append(judge(found[0], candidate, self.beside))
        for case in found if len(found) > 1 else ():
            others = ", ".join(repr(c.name) for c in found if c is not case)
            reason = f"ambiguous: the input is also that of {others}"
            sample = Sample(case.name, case.hash, candidate.facts(), "indeterminate", None, reason)
            self.reports[case.name].samples.append(sample)
        self.unmatched += bool(self.asking) and not found

    def absent(self, case: Case) -> str:
        """Why a case has no sample, and what to do."""
        note = "no run for this case" if self.judged else "no run was selected"
        near = [] if case.policy else self.asked.nearest(case)
        if near:
            what = "case names" if case.match == "name" else "inputs"
            note += f"; nearest {what}: " + ", ".join(f"“{n}”" for n in near)
        if self.still_open:
            note += f"; {self.still_open} selected runs are still open (wait, or --include-open)"
        return note

    def notices(self) -> Iterable[str]:
        """What an author may not have meant."""
        for name in sorted(self.named_policies):
            yield (
                f"{name!r} has no request, so it is a policy for every selected run, though runs carry its name; "
                "`match: name` makes it a case for these runs alone"
            )
