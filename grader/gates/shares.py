"""The native gate: shares of samples that passed, a case and over the suite, with budgets for what was not decided.

`each_case.pass` and `suite.pass` are shares of samples that passed among those that passed or failed (never a mean of
scores); errors and undecided samples are bounded by budgets of their own.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.gate import CaseTally, CaseVerdict, GateDecision, plural, settle
from grader.outcome import Outcome
from grader.shares import Budget, Share, read_share

ALL, NONE = read_share("100%"), Budget(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """What must hold; as it stands: every case passed with at least one sample.

    `each_case_pass` and `suite_pass` count passes among passes and fails; budgets count among all samples.
    """

    each_case_pass: Share = ALL
    min_samples: int = 1
    suite_pass: Share | None = None
    max_error: Budget = NONE
    max_indeterminate: Budget = NONE

    def decide(self, cases: Sequence[CaseTally]) -> GateDecision:
        """Each case for itself, then the suite as a whole."""
        verdicts = tuple(_case(self, t) for t in cases)
        failed, undecided = _whole(self, cases)
        counted = sum(c.verdict == "passed" for c in verdicts)
        held = f"{plural(counted, 'case')}, {plural(sum(t.decided for t in cases), 'sample')}"
        return settle(verdicts, failed, undecided, held)


def _case(gate: Shares, tally: CaseTally) -> CaseVerdict:
    name, passed, decided = tally.name, tally.outcomes["pass"], tally.decided
    if tally.outcomes["skipped"] and not tally.applicable:
        return CaseVerdict(name, None, f"{name!r} applied to none of {plural(tally.outcomes['skipped'], 'run')}")
    if decided and not gate.each_case_pass.reached(passed, decided):
        share = f" ({100 * passed // decided}%)" if decided > 1 else ""
        required = gate.each_case_pass.text
        return CaseVerdict(name, "failed", f"{name!r}: {passed} of {decided} passed{share}, required {required}")
    if decided < gate.min_samples:
        return CaseVerdict(name, "not gateable", f"{name!r}: {_few(gate, tally)}")
    return CaseVerdict(name, "passed", f"{name!r}: {passed} of {decided} passed")


def _few(gate: Shares, tally: CaseTally) -> str:
    if not tally.applicable:
        return tally.note or "no run for this case"
    undecided = ", ".join(f"{n} {o}" for o, n in sorted(tally.outcomes.items()) if o not in ("pass", "fail", "skipped"))
    need = f"{plural(tally.decided, 'sample')} decided, at least {gate.min_samples} needed"
    return f"{need} ({undecided})" if undecided else need


def _whole(gate: Shares, tallies: Sequence[CaseTally]) -> tuple[list[str], list[str]]:
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
