"""What a grading asked of judges and what that cost."""

from dataclasses import dataclass, field, replace
from typing import Any

from grader.gate import plural


@dataclass(slots=True)
class Tally:
    """Counts of questions and tokens. `usd`: dollars, None where a model's price is not known (`unpriced`).

    Of a dry run `calls` are those that would be made, tokens and dollars what they can come to at most.
    """

    calls: int = 0
    cached: int = 0
    failed: int = 0
    not_asked: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    unpriced: set[str] = field(default_factory=set)

    def copy(self) -> "Tally":
        """As it is now."""
        return replace(self, unpriced=set(self.unpriced))

    def since(self, before: "Tally") -> "Tally":
        """What came after `before`."""
        usd = None if self.usd is None or before.usd is None else self.usd - before.usd
        return Tally(
            self.calls - before.calls, self.cached - before.cached, self.failed - before.failed,
            self.not_asked - before.not_asked, self.input_tokens - before.input_tokens,
            self.output_tokens - before.output_tokens, usd, self.unpriced - before.unpriced,
        )  # fmt: skip

    def pay(self, model: str, cost: float | None) -> None:
        """Adds a cost in dollars; one that is not known makes the sum unknown."""
        if cost is None:
            self.unpriced.add(model)
            self.usd = None
        elif self.usd is not None:
            self.usd += cost

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "calls": self.calls, "cached": self.cached, "without_verdict": self.failed, "not_asked": self.not_asked,
            "input_tokens": self.input_tokens, "output_tokens": self.output_tokens, "cost_usd": self.usd,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of the questions of one suite. `stopped`: why some were not asked; `capped`: a cap was it."""

    tally: Tally
    stopped: str = ""
    capped: bool = False

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person must know."""
        tally = self.tally
        cost = "" if tally.usd is None else f", ${tally.usd:.4f}"
        failed = f", {tally.failed} without a verdict" if tally.failed else ""
        told = [f"judges: {tally.calls} asked, {tally.cached} cached{failed}{cost}"]
        if tally.not_asked:
            told.append(f"judges: {plural(tally.not_asked, 'question')} not asked: {self.stopped}")
        if tally.unpriced:
            told.append(
                f"judges: the price of {', '.join(sorted(tally.unpriced))} is not known, so neither is the cost"
            )
        return tuple(told)

    @property
    def left(self) -> str:
        """Why the rest is not graded; "" where all were asked."""
        return f"{self.stopped}; the rest is not graded" if self.capped and self.tally.not_asked else ""
