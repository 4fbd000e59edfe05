"""Levels of a rubric's scale, 1 to `scale`: what a level is worth, and which level passes."""

from dataclasses import dataclass

LEAST_SCALE = 2


def default_pass_level(scale: int) -> int:
    """The second-highest level; the top one on a scale of two (S2-24)."""
    return scale if scale == LEAST_SCALE else scale - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """A scale with the rule that passes: a level (`pass_level`) or a value from 0 to 1 (`threshold`)."""

    scale: int
    pass_level: int | None = None
    threshold: float | None = None

    def value(self, level: int) -> float:
        """0 for the lowest level, 1 for the highest (S2-25)."""
        return (level - 1) / (self.scale - 1)

    def passes(self, level: int) -> bool:
        """By the threshold where there is one, else by the level (S2-26)."""
        if self.threshold is not None:
            return self.value(level) >= self.threshold
        return level >= (default_pass_level(self.scale) if self.pass_level is None else self.pass_level)

    def tell(self) -> str:
        """For a sentence: "1 to 5, passes at 4"."""
        at = default_pass_level(self.scale) if self.pass_level is None else self.pass_level
        return f"1 to {self.scale}, passes at {f'{self.threshold:g} of 1' if self.threshold is not None else at}"
