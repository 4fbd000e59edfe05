"""How well a judge agrees with people who labelled the same outputs. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.outcome import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One run of a case: what the judge said of its output, and what a person did."""

    case: str
    run_id: str
    judge: Result
    label: Result

    @property
    def compared(self) -> bool:
        """Whether both said something."""
        return self.judged and self.labelled

    @property
    def judged(self) -> bool:
        """Whether there is a verdict."""
        return self.judge.outcome in ("pass", "fail")

    @property
    def labelled(self) -> bool:
        """Whether there is a label."""
        return self.label.outcome in ("pass", "fail")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """`agreement` is the share of outputs on which both say pass or both say fail; None: nothing was compared.

    `kappa` is Cohen's: 1 where they always agree, 0 where no more than chance would have it, None where one cannot tell (all
    verdicts of both are the same one). `weighted_kappa` is that of levels, a difference weighing by its square; None where the
    judge or the labels have no levels. A false pass is an output that the judge passes and a person does not.
    """

    compared: int
    without_verdict: int
    without_label: int
    agreement: float | None
    kappa: float | None
    weighted_kappa: float | None
    false_pass: int
    false_fail: int
    differing: tuple[Pair, ...]


def agreement(pairs: Sequence[Pair], scale: int | None) -> Agreement:
    """Over the outputs of which both said something. `scale`: the judge's levels, where it has any."""
    both = [pair for pair in pairs if pair.compared]
    judge = [int(pair.judge.outcome == "pass") for pair in both]
    person = [int(pair.label.outcome == "pass") for pair in both]
    differing = tuple(p for p, a, b in zip(both, judge, person, strict=True) if a != b)
    return Agreement(
        compared=len(both),
        without_verdict=sum(pair.labelled and not pair.judged for pair in pairs),
        without_label=sum(not pair.labelled for pair in pairs),
        agreement=1 - len(differing) / len(both) if both else None,
        kappa=kappa(judge, person, 2),
        weighted_kappa=_by_level(both, scale),
        false_pass=sum(pair.judge.outcome == "pass" for pair in differing),
        false_fail=sum(pair.judge.outcome == "fail" for pair in differing),
        differing=differing,
    )


def kappa(one: Sequence[int], other: Sequence[int], categories: int) -> float | None:
    """Cohen's kappa of two raters over categories 0, 1, …, a disagreement weighing by the square of its distance.

    Of two categories that is the plain one. None where nothing was rated, or chance leaves no room for disagreement.
    """
    if not one:
        return None
    seen = sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
    shares = [[rater.count(category) for category in range(categories)] for rater in (list(one), list(other))]
    by_chance = sum(
        (a - b) ** 2 * shares[0][a] * shares[1][b] for a in range(categories) for b in range(categories)
    ) / len(one)
    return None if by_chance == 0 else 1 - seen / by_chance


def _by_level(both: Sequence[Pair], scale: int | None) -> float | None:
    """Where the labels are levels of the judge's own scale; labels that are all 0 or 1 are no levels."""
    if scale is None:
        return None
    judge = [_level(pair.judge.value, scale) for pair in both]
    person = [_level(pair.label.value, scale) for pair in both]
    known = [(a, b) for a, b in zip(judge, person, strict=True) if a is not None and b is not None]
    if len(known) < len(both) or all(level in (0, scale - 1) for level in person):
        return None
    return kappa([a for a, _ in known], [b for _, b in known], scale)


def _level(value: float | None, scale: int) -> int | None:
    """The level, counted from 0; None where the value is none of the scale's."""
    if value is None:
        return None
    level = value * (scale - 1)
    return round(level) if abs(level - round(level)) < _NEAR else None


_NEAR = 1e-6
