"""What a gate is: the one object from which the verdict, its text and the exit code come.

Each vocabulary has a rule of its own for how samples become a verdict (`grader/gates/`); a report reads decisions only.
Whatever the rule: a known failure stays a failure, and what cannot be decided is never a pass.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from grader.outcome import Outcome
from grader.shares import Share

if TYPE_CHECKING:
    from grader.sample import Sample

Verdict = Literal["passed", "failed", "not gateable"]
EXIT_CODES: dict[Verdict, int] = {"passed": 0, "failed": 1, "not gateable": 2}


@dataclass(slots=True)
class CaseTally:
    """How the samples of a case came out. `skipped` ones count nowhere; `note` says why there are none.

    `left_out` says why the case is left out of this grading as a whole ("" where it is not), with or without runs.

    `samples` in the order in which the runs started; `verifies` is False where the case has nothing to grade.
    """

    name: str
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    note: str = ""
    samples: "Sequence[Sample]" = ()
    verifies: bool = True
    left_out: str = ""

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
    """What the gate makes of one case; None where it counts nowhere: it applied to no run, or has nothing to grade."""

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


class Gate(Protocol):
    """A rule with its parameters. Implementations MUST be frozen dataclasses: they are part of the suite's hash."""

    def decide(self, cases: Sequence[CaseTally]) -> GateDecision:
        """The decision over all cases of a suite, a verdict a case in the same order."""
        ...


def settle(cases: tuple[CaseVerdict, ...], failed: list[str], undecided: list[str], held: str) -> GateDecision:
    """The decision that follows from what failed and what stayed undecided, the cases' own verdicts included."""
    failed = [c.reason for c in cases if c.verdict == "failed"] + failed
    undecided = [c.reason for c in cases if c.verdict == "not gateable"] + undecided
    if failed:
        return GateDecision("failed", tuple(failed), cases)
    if undecided:
        return GateDecision("not gateable", tuple(undecided), cases)
    return GateDecision("passed", (held,), cases)


def by_share(cases: tuple[CaseVerdict, ...], least: Share, told: str) -> GateDecision:
    """The share of passed cases among those with a verdict. Undecided ones count as not passed, unless they could tip it."""
    counted = [c for c in cases if c.verdict is not None]
    passed = sum(c.verdict == "passed" for c in counted)
    open_ = [c.reason for c in counted if c.verdict == "not gateable"]
    if least.reached(passed, len(counted)):
        return GateDecision("passed", (told,), cases)
    if open_ and least.reached(passed + len(open_), len(counted)):
        return GateDecision("not gateable", (*open_, told), cases)
    return GateDecision("failed", (*(c.reason for c in counted if c.verdict == "failed"), told), cases)


def worst(decisions: Sequence[GateDecision]) -> int:
    """The exit code over several suites: 2 over 1 over 0; none at all is not gateable."""
    return max((d.exit_code for d in decisions), default=EXIT_CODES["not gateable"])


def plural(number: int, word: str) -> str:
    """For a sentence: "1 case", "2 cases"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
