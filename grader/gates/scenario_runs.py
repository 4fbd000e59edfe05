"""The run of a check over scenarios: four rules in order, each scenario held to the rate and the minimum on its own (S1).

A sample is determinate when it passed or failed; the rate counts determinate samples alone. A run that the definition
asks for and nobody recorded is an errored sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.gate import CaseTally, CaseVerdict, GateDecision, Verdict, plural
from grader.shares import Share

MOST_SAMPLES = 10
"""Samples of one run of a check, over all its scenarios (S1-15)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRuns:
    """`samples` are asked for a scenario; at least `minimum` determinate ones are needed, `rate` of which passed."""

    samples: int
    minimum: int
    rate: Share

    def decide(self, cases: Sequence[CaseTally]) -> GateDecision:
        """Error, Fail, Indeterminate, Pass: the first that applies."""
        verdicts = tuple(self._scenario(c) for c in cases)
        found = sum(c.outcomes.total() for c in cases)
        if found > MOST_SAMPLES:
            return GateDecision("not gateable", (_too_many(found),), verdicts)
        whole = sum(max(c.outcomes.total(), self.samples) for c in cases)
        errored = sum(c.outcomes["error"] + self._missing(c) for c in cases)
        failed = [v.reason for v in verdicts if v.verdict == "failed"]
        short = [v.reason for v in verdicts if v.verdict == "not gateable"]
        if errored == whole:  # S1-21 rule 1
            return _decision(
                "not gateable", "Error", [f"every sample errored ({errored} of {whole})", *short], verdicts
            )
        if failed:  # S1-22 rule 2
            return _decision("failed", "Fail", failed, verdicts)
        if short:  # S1-23 rule 3
            return _decision("not gateable", "Indeterminate", short, verdicts)
        passed = sum(c.outcomes["pass"] for c in cases)  # S1-24 rule 4
        held = f"{plural(len(cases), 'scenario')}, {passed} of {plural(whole, 'sample')} passed"
        return _decision("passed", "Pass", [held], verdicts)

    def _missing(self, tally: CaseTally) -> int:
        """Samples that were asked for and not recorded: errors (S1-27)."""
        return max(0, self.samples - tally.outcomes.total())

    def _scenario(self, tally: CaseTally) -> CaseVerdict:
        name, passed, determinate = tally.name, tally.outcomes["pass"], tally.decided
        told = f"{name!r}: {passed} of {plural(determinate, 'determinate sample')} passed, required {self.rate.text}"
        told += self._others(tally)
        if determinate and not self.rate.reached(passed, determinate):
            return CaseVerdict(name, "failed", told)
        if determinate < self.minimum:
            return CaseVerdict(name, "not gateable", f"{told}; at least {self.minimum} determinate needed")
        return CaseVerdict(name, "passed", told)

    def _others(self, tally: CaseTally) -> str:
        """The samples outside the rate, which stay visible (S1-26)."""
        missing, outcomes = self._missing(tally), tally.outcomes
        parts = [
            f"{outcomes[o]} {w}" for o, w in (("error", "errored"), ("indeterminate", "indeterminate")) if outcomes[o]
        ]
        parts += [f"{missing} not recorded" + (f": {tally.note}" if tally.note else "")] if missing else []
        return f" ({', '.join(parts)})" if parts else ""


def _decision(verdict: Verdict, word: str, reasons: list[str], cases: tuple[CaseVerdict, ...]) -> GateDecision:
    return GateDecision(verdict, (f"run {word}: {reasons[0]}", *reasons[1:]), cases)


def _too_many(found: int) -> str:
    return (
        f"{found} runs answer the scenarios, and a run of this check has at most {MOST_SAMPLES} samples: "
        "narrow them (--since, --batch), or --latest takes the newest of each scenario"
    )
