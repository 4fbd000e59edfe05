"""A gate over cases: the share of cases that passed, among those that were graded (S0: every one).

A case passes when every run of it does. What was not decided counts as not passed; a case with nothing to grade is left
out of the rate, and is never a pass (S0-28, S0-29).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.gate import CaseTally, CaseVerdict, GateDecision, by_share, plural
from grader.shares import Share, read_share

ALL = read_share("100%")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRate:
    """At least this share of the graded cases passed."""

    least: Share = ALL

    def decide(self, cases: Sequence[CaseTally]) -> GateDecision:
        """Failed where even a pass of all that is undecided would not do."""
        verdicts = tuple(_case(c) for c in cases)
        told = [v for v in verdicts if v.verdict is not None]
        passed = sum(v.verdict == "passed" for v in told)
        out = len(verdicts) - len(told)
        rate = f"{passed} of {plural(len(told), 'graded case')} passed, required {self.least.text}"
        rate += f" ({out} not graded)" if out else ""
        if not told:
            return GateDecision("not gateable", ("no case was graded",), verdicts)
        return by_share(verdicts, self.least, rate)


def _case(tally: CaseTally) -> CaseVerdict:
    name, outcomes = tally.name, tally.outcomes
    if not tally.verifies:
        return CaseVerdict(name, None, f"{name!r}: not graded, it has no checks")
    if outcomes["skipped"] and not tally.applicable:
        return CaseVerdict(name, None, f"{name!r}: skipped in {plural(outcomes['skipped'], 'run')}")
    if not tally.applicable:
        return CaseVerdict(name, "not gateable", f"{name!r}: {tally.note or 'no run for this case'}")
    graded = tally.applicable - outcomes["not_graded"]
    told = f"{name!r}: {outcomes['pass']} of {plural(graded, 'run')} passed"
    if not graded:
        return CaseVerdict(name, None, f"{name!r}: not graded, none of its checks was decided")
    if outcomes["fail"]:
        return CaseVerdict(name, "failed", told)
    if outcomes["pass"] == graded:
        return CaseVerdict(name, "passed", told)
    open_ = ", ".join(f"{outcomes[o]} {o}" for o in ("error", "indeterminate") if outcomes[o])
    return CaseVerdict(name, "not gateable", f"{told} ({open_})")
