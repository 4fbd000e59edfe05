"""A gate over scores: each check gives each sample a score of its own, and the gate looks at all of them together.

A score is a value with a pass or a fail, or an error: what could not be scored. Errors are kept apart from rates and
means, and have a budget of their own, so that a recorder or a judge that breaks is noticed and never helps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.gate import CaseTally, CaseVerdict, GateDecision, Verdict, plural, settle
from grader.shares import Share

NEVER = Share(0, 1, "0")
_EXACT = 1_000_000
"""Values are shares of small numbers (two thirds): told exactly up to this denominator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What must hold. `checks` are the labels of the scores that every sample must have.

    `min_pass_rate`: scores that passed among those that passed or failed. `min_mean`: the mean value over the same
    scores. `min_mean_of`: the same of one check's. `max_error_rate`: errors among all scores. `max_cost_usd`: dollars
    over all runs. `needs_baseline`: there must be an earlier grading to compare with, and nobody gives one here.
    """

    checks: tuple[str, ...]
    min_pass_rate: Share | None = None
    min_mean: Share | None = None
    min_mean_of: tuple[tuple[str, Share], ...] = ()
    max_error_rate: Share = NEVER
    max_cost_usd: float | None = None
    needs_baseline: bool = False

    def decide(self, cases: Sequence[CaseTally]) -> GateDecision:
        """Over the suite as a whole; a sample that failed does not fail it by itself."""
        scores = _Sheet(cases, self.checks)
        failed, undecided = [], []
        if scores.decided:
            failed += self._rates(scores)
        else:
            undecided.append("nothing was scored" if scores.runs else "no sample has a run")
        undecided += [f"{of} was never scored" for of, _ in self.min_mean_of if not scores.of(of) and scores.decided]
        if scores.runs and self.max_error_rate.exceeded(scores.errors, scores.all):
            failed.append(f"{scores.tell_errors()}, allowed {self.max_error_rate.text}")
        for answer, reasons in ((True, failed), (None, undecided)):
            reasons += [text for over, text in self._cost(scores) if over is answer]
        if self.needs_baseline:
            undecided.append("require_baseline: there is no earlier grading to compare with")
        decision = settle((), failed, undecided, scores.tell())
        return replace(decision, cases=tuple(_case(t, decision.verdict) for t in cases))

    def _rates(self, scores: "_Sheet") -> list[str]:
        """What the scores there are do not reach; equality reaches."""
        failed = []
        if self.min_pass_rate is not None and not self.min_pass_rate.reached(scores.passed, scores.decided):
            failed.append(f"{scores.tell()}, required {self.min_pass_rate.text}")
        if self.min_mean is not None and not _reaches(scores.values, self.min_mean):
            failed.append(f"the mean score is {_mean(scores.values):.4g}, required {self.min_mean.text}")
        for label, share in self.min_mean_of:
            values = scores.of(label)
            if values and not _reaches(values, share):
                failed.append(f"the mean score of {label} is {_mean(values):.4g}, required {share.text}")
        return failed

    def _cost(self, scores: "_Sheet") -> list[tuple[bool | None, str]]:
        """Known costs are a lower bound: they can break the limit, only all of them keep it."""
        if self.max_cost_usd is None or not scores.runs:
            return []
        text = f"the runs cost ${scores.cost:.6g}, allowed ${self.max_cost_usd:g}"
        if scores.cost > self.max_cost_usd:
            return [(True, text)]
        return [(None, f"{text}; {plural(scores.unpriced, 'run')} did not say")] if scores.unpriced else []


class _Sheet:
    """All scores of a suite. A sample without a run, or that could not be judged, has an error for each of its checks."""

    def __init__(self, cases: Sequence[CaseTally], checks: Sequence[str]) -> None:
        self.by_check: dict[str, list[Fraction]] = {}
        self.values: list[Fraction] = []
        self.passed = self.errors = self.runs = self.unpriced = self.missing = 0
        self.cost = 0.0
        self.why = ""
        for case in cases:
            if not case.samples:
                self.missing += 1
                self._lost(len(checks), f"{case.name!r}: {case.note or 'no run for this case'}")
            for sample in case.samples:
                self.runs += 1
                self.unpriced += sample.run.cost_usd is None
                self.cost += sample.run.cost_usd or 0.0
                if not sample.results:
                    self._lost(len(checks), f"{case.name!r}: {sample.reason}")
                for result in sample.results:
                    if result.outcome in ("pass", "fail") and result.value is not None:
                        self._score(result.check, result.value, passed=result.outcome == "pass")
                    else:
                        self._lost(1, f"{case.name!r}: {result.sentence}")

    def _score(self, check: str, value: float, *, passed: bool) -> None:
        exact = Fraction(value).limit_denominator(_EXACT)
        self.by_check.setdefault(check, []).append(exact)
        self.values.append(exact)
        self.passed += passed

    def _lost(self, number: int, why: str) -> None:
        self.errors += number
        self.why = self.why or why

    @property
    def decided(self) -> int:
        """Scores that passed or failed."""
        return len(self.values)

    @property
    def all(self) -> int:
        """With the errors."""
        return self.decided + self.errors

    def of(self, check: str) -> list[Fraction]:
        """One check's values."""
        return self.by_check.get(check, [])

    def tell(self) -> str:
        """For a sentence."""
        if not self.decided:
            return "nothing was scored"
        return f"{self.passed} of {plural(self.decided, 'score')} passed ({100 * self.passed // self.decided}%)"

    def tell_errors(self) -> str:
        """How many, and the first."""
        missing = f", {plural(self.missing, 'sample')} without a run" if self.missing else ""
        return f"{self.errors} of {plural(self.all, 'score')} could not be made{missing} (first {self.why})"


def _mean(values: Sequence[Fraction]) -> float:
    return float(sum(values) / len(values))


def _reaches(values: Sequence[Fraction], share: Share) -> bool:
    return sum(values) * share.bottom >= share.top * len(values)


def _case(tally: CaseTally, gate: Verdict) -> CaseVerdict:
    """How one sample came out: all its checks passed on every run, or not. What a passed gate allows is no failure."""
    passed, runs = tally.outcomes["pass"], tally.outcomes.total()
    told = f"{passed} of {runs} passed" if runs else tally.note or "no run for this case"
    verdict: Verdict = "failed" if tally.outcomes["fail"] else "passed" if runs and passed == runs else "not gateable"
    if gate == "passed" and verdict != "passed":
        return CaseVerdict(tally.name, gate, f"{tally.name!r}: {told}, which the gate allows")
    return CaseVerdict(tally.name, verdict, f"{tally.name!r}: {told}")
