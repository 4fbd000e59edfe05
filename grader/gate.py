"""The gate: one object from which the verdict, its text and the exit code come.

`each_case.pass` and `suite.pass` are shares of samples that passed among those that passed or failed (never a mean of
scores); errors and undecided samples are bounded by budgets of their own. A known failure stays a failure, whatever else
is not decided; what cannot be decided is never a pass.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from grader.case import Gate
from grader.outcome import Outcome
from grader.shares import Budget, read_share

Verdict = Literal["passed", "failed", "not gateable"]
EXIT_CODES: dict[Verdict, int] = {"passed": 0, "failed": 1, "not gateable": 2}

UNWRITTEN = Gate(
    each_case_pass=read_share("100%"), min_samples=1, suite_pass=None, max_error=Budget(0), max_indeterminate=Budget(0)
)
"""No gate written: every case passed with at least one sample."""


@dataclass(slots=True)
class CaseTally:
    """How the samples of a case came out. `skipped` ones count nowhere; `note` says why there are none."""

    name: str
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    note: str = ""

    @property
    def decided(self) -> int:
        """Samples that passed or failed."""
        return self.outcomes["pass"] + self.outcomes["fail"]

    @property
    def applicable(self) -> int:
        """Samples without the skipped ones."""
        return self.outcomes.total() - self.outcomes["skipped"]


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """What the gate makes of one case; None where the case applied to no run and so counts nowhere."""

    name: str
    verdict: Verdict | None
    reason: str


@dataclass(frozen=True, slots=True)
class GateDecision:
    """The verdict with its reasons; the text and the exit code follow from it alone."""

    verdict: Verdict
    reasons: tuple[str, ...]
    cases: tuple[CaseVerdict, ...]

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 2 not gateable."""
        return EXIT_CODES[self.verdict]

    @property
    def text(self) -> str:
        """One line, or several where there are several reasons."""
        return f"gate {self.verdict}: " + "; ".join(self.reasons)


def decide(gate: Gate | None, tallies: Sequence[CaseTally]) -> GateDecision:
    """The decision over all cases of a suite."""
    gate = gate or UNWRITTEN
    cases = tuple(_case(gate, t) for t in tallies)
    failed, undecided = _whole(gate, tallies)
    failed = [c.reason for c in cases if c.verdict == "failed"] + failed
    undecided = [c.reason for c in cases if c.verdict == "not gateable"] + undecided
    if failed:
        return GateDecision("failed", tuple(failed), cases)
    if undecided:
        return GateDecision("not gateable", tuple(undecided), cases)
    counted = sum(c.verdict == "passed" for c in cases)
    samples = sum(t.decided for t in tallies)
    return GateDecision("passed", (f"{_plural(counted, 'case')}, {_plural(samples, 'sample')}",), cases)


def worst(decisions: Sequence[GateDecision]) -> int:
    """The exit code over several suites: 2 over 1 over 0; none at all is not gateable."""
    return max((d.exit_code for d in decisions), default=EXIT_CODES["not gateable"])


def _case(gate: Gate, tally: CaseTally) -> CaseVerdict:
    name, passed, decided = tally.name, tally.outcomes["pass"], tally.decided
    if tally.outcomes["skipped"] and not tally.applicable:
        return CaseVerdict(name, None, f"{name!r} applied to none of {_plural(tally.outcomes['skipped'], 'run')}")
    if decided and not gate.each_case_pass.reached(passed, decided):
        share = f" ({100 * passed // decided}%)" if decided > 1 else ""
        required = gate.each_case_pass.text
        return CaseVerdict(name, "failed", f"{name!r}: {passed} of {decided} passed{share}, required {required}")
    if decided < gate.min_samples:
        return CaseVerdict(name, "not gateable", f"{name!r}: {_few(gate, tally)}")
    return CaseVerdict(name, "passed", f"{name!r}: {passed} of {decided} passed")


def _few(gate: Gate, tally: CaseTally) -> str:
    if not tally.applicable:
        return tally.note or "no run for this case"
    undecided = ", ".join(f"{n} {o}" for o, n in sorted(tally.outcomes.items()) if o not in ("pass", "fail", "skipped"))
    need = f"{_plural(tally.decided, 'sample')} decided, at least {gate.min_samples} needed"
    return f"{need} ({undecided})" if undecided else need


def _whole(gate: Gate, tallies: Sequence[CaseTally]) -> tuple[list[str], list[str]]:
    """What fails, and what stays undecided, over the suite as a whole."""
    total: Counter[Outcome] = Counter()
    for tally in tallies:
        total.update(tally.outcomes)
    applicable = total.total() - total["skipped"]
    decided = total["pass"] + total["fail"]
    failed, undecided = [], []
    if gate.suite_pass is not None and decided and not gate.suite_pass.reached(total["pass"], decided):
        failed.append(f"{total['pass']} of {decided} samples of the suite passed, required {gate.suite_pass.text}")
    if not decided:
        undecided.append("no sample passed or failed")
    for outcome, budget, word in (
        ("error", gate.max_error, "could not be judged"),
        ("indeterminate", gate.max_indeterminate, "are undecided for want of evidence"),
    ):
        if budget.exceeded(total[outcome], applicable):
            undecided.append(f"{total[outcome]} of {applicable} samples {word}, allowed {budget.tell()}")
    return failed, undecided


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
