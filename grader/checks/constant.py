"""A finding that is known before any run: what a check comes to that cannot be carried out as it is written."""

from dataclasses import dataclass

from grader.outcome import Finding, Truth
from grader.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """The same for every run."""

    truth: Truth
    sentence: str

    def decide(self, scene: Scene) -> Finding:  # noqa: ARG002
        """Whatever happened."""
        return Finding(self.truth, self.sentence)


FORMS = ()
