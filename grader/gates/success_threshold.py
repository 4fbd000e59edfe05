"""A gate over cases that are run several times: a case passes where enough of its runs did (S3-45).

A run that was asked for and not recorded, or that could not be judged, is neither: it keeps a case from being decided
only where it could have decided it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.gate import CaseTally, CaseVerdict, GateDecision, plural, settle
from grader.shares import Share


@dataclass(frozen=True, slots=True)
class Runs:
    """A case is run `number` times, of which at least `least` pass."""

    case: str
    number: int
    least: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class SuccessThreshold:
    """Each case against its own threshold; all of them must pass. Where more runs were recorded than asked for, all count."""

    cases: tuple[Runs, ...]

    def decide(self, cases: Sequence[CaseTally]) -> GateDecision:
        """Every case must pass."""
        asked = {runs.case: runs for runs in self.cases}
        verdicts = tuple(_case(asked[tally.name], tally) for tally in cases)
        held = f"{plural(len(cases), 'case')}, {plural(sum(t.decided for t in cases), 'run')}"
        return settle(verdicts, [], [], held)


def _case(runs: Runs, tally: CaseTally) -> CaseVerdict:
    passed, recorded = tally.outcomes["pass"], tally.applicable
    whole = max(runs.number, recorded)
    missing = whole - tally.decided
    told = f"{tally.name!r}: {passed} of {plural(whole, 'run')} passed, required {runs.least.text}"
    if not recorded:
        return CaseVerdict(tally.name, "not gateable", f"{tally.name!r}: {tally.note or 'no run for this case'}")
    if runs.least.reached(passed, whole):
        return CaseVerdict(tally.name, "passed", told)
    if not runs.least.reached(passed + missing, whole):
        return CaseVerdict(tally.name, "failed", told)
    return CaseVerdict(tally.name, "not gateable", f"{told}; {_open(whole - recorded, recorded - tally.decided)}")


def _open(unrecorded: int, undecided: int) -> str:
    parts = [f"{unrecorded} not recorded"] if unrecorded else []
    return ", ".join(parts + ([f"{undecided} not decided"] if undecided else []))
