"""The share of passing cases against a threshold (S4-27). Skipped cases count neither way, and are told (S4-26)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.gate import CaseTally, CaseVerdict, GateDecision, by_share, plural
from grader.shares import Share, read_share

ALL = read_share("100%")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseShare:
    """Passing / (passing + failing) is at least this. A case passes when every run of it does; one without a run fails."""

    threshold: Share = ALL

    def decide(self, cases: Sequence[CaseTally]) -> GateDecision:
        """Cases that are not decided count as failing, unless they could tip the balance: then there is no verdict."""
        verdicts = tuple(_case(tally) for tally in cases)
        counted = [v for v in verdicts if v.verdict is not None]
        passing = sum(v.verdict == "passed" for v in counted)
        skipped = len(verdicts) - len(counted)
        told = f"{passing} of {plural(len(counted), 'case')} passed, required {self.threshold.text}"
        told += f"; {plural(skipped, 'case')} skipped" if skipped else ""
        if not counted:
            return GateDecision("not gateable", (f"no case was graded; {plural(skipped, 'case')} skipped",), verdicts)
        if not any(tally.outcomes for tally in cases):
            return GateDecision("not gateable", (f"no case has a run: {counted[0].reason}",), verdicts)
        return by_share(verdicts, self.threshold, told)


def _case(tally: CaseTally) -> CaseVerdict:
    name, outcomes = tally.name, tally.outcomes
    if tally.left_out and not tally.applicable:
        return CaseVerdict(name, None, f"{name!r}: skipped, {tally.left_out}")
    if not tally.applicable:
        return CaseVerdict(name, "failed", f"{name!r}: {tally.note or 'no run for this case'}")
    told = f"{name!r}: {outcomes['pass']} of {plural(tally.applicable, 'run')} passed"
    if outcomes["fail"] or outcomes["error"]:
        return CaseVerdict(name, "failed", told)
    if outcomes["pass"] == tally.applicable:
        return CaseVerdict(name, "passed", told)
    return CaseVerdict(name, "not gateable", f"{told}; {tally.applicable - outcomes['pass']} not decided")


def read_threshold(raw: object) -> Share:
    """A number from 0 to 1, or a percentage as a text; exact, as it is written.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(raw, str):
        return read_share(raw)
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0 <= raw <= 1:
        raise ValueError('must be a number from 0 to 1, or a text such as "90%"')
    exact = Fraction(str(raw))  # 0.9 is nine tenths, not the nearest binary fraction
    return Share(exact.numerator, exact.denominator, f"{raw * 100:.6g}%")
