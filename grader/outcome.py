"""What a check can come to: the three-valued answer of a primitive, and the outcome that a policy makes of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Outcome = Literal["pass", "fail", "indeterminate", "error", "not_graded", "skipped"]
"""Only pass is a pass. `skipped` was left out on purpose: it counts nowhere."""

Truth = bool | None
"""Over all that could have happened given what was captured: True, False, or None where the evidence cannot decide."""

Severity = Literal["critical", "minor"]
Unknown = Literal["indeterminate", "fail", "error"]
"""What a suite makes of None. `pass` is not among them: missing evidence is never green."""

Policy = Literal["indeterminate", "fail", "error", "not_graded"]
"""What a vocabulary makes of None; `not_graded` is for what no evidence could decide (a sentence, a judge without a key)."""


Need = Literal["every", "any"]
"""Of several findings: all must hold, or one is enough."""


class BrokeError(Exception):
    """A check broke, and its outcome is an error; the message tells a person why, without data."""


@dataclass(slots=True)
class Finding:
    """A primitive's answer: the truth, a sentence that a person can act on, and the spans that it rests on.

    `value` is 0..1 where the primitive measures a share, else None (then 1 or 0 by the truth).
    """

    truth: Truth
    sentence: str
    spans: Sequence[str] = ()
    value: float | None = None


@dataclass(slots=True)
class Result:
    """One check's outcome on one run. `position` is its place in the case ("2", or "3.1" below a child).

    Of a check that asked somebody: what that cost in dollars (None: not known), the seconds that it took, and whether all
    answers were known before. `quotes`: other runs whose words the sentence may repeat.
    """

    check: str
    kind: str
    position: str
    outcome: Outcome
    value: float | None
    severity: Severity
    sentence: str
    spans: Sequence[str] = ()
    cost_usd: float | None = None
    seconds: float | None = None
    cached: bool | None = None
    quotes: Sequence[str] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """By position: a fifth of the time that names take to pickle."""
        return Result, (
            self.check, self.kind, self.position, self.outcome, self.value, self.severity, self.sentence, self.spans,
            self.cost_usd, self.seconds, self.cached, self.quotes,
        )  # fmt: skip


def outcome_of(truth: Truth, unknown: Policy) -> Outcome:
    """The policy: the one place where a missing answer becomes an outcome."""
    if truth is None:
        return unknown
    return "pass" if truth else "fail"


def value_of(finding: Finding) -> float | None:
    """The finding's own value, else 1 or 0; None where the evidence could not decide."""
    if finding.value is not None or finding.truth is None:
        return finding.value
    return 1.0 if finding.truth else 0.0


def every(truths: Iterable[Truth]) -> Truth:
    """And: one False decides, then one None leaves it open."""
    answer: Truth = True
    for truth in truths:
        if truth is False:
            return False
        if truth is None:
            answer = None
    return answer


def either(truths: Iterable[Truth]) -> Truth:
    """Or: one True decides, then one None leaves it open."""
    answer: Truth = False
    for truth in truths:
        if truth is True:
            return True
        if truth is None:
            answer = None
    return answer


def combine(findings: Sequence[Finding], need: Need = "every") -> Finding:
    """Several as one: the sentence tells what decided, else everything; value is the share that held."""
    truths = [f.truth for f in findings]
    truth = every(truths) if need == "every" else either(truths)
    telling = [f for f in findings if f.truth is truth] or list(findings)
    sentence = "; ".join([f.sentence for f in telling])
    spans = list(dict.fromkeys([s for f in telling for s in f.spans]))
    if truth is None:
        return Finding(None, sentence, spans)
    return Finding(truth, sentence, spans, truths.count(True) / max(1, len(truths)))
