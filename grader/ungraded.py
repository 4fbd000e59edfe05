"""What no evidence can decide here, as a primitive: it is listed with every result and can neither pass nor fail."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Ungraded:
    """A sentence for people, or a check whose judge is not there. `why` follows the text."""

    text: str
    why: str

    def decide(self, scene: Scene) -> Finding:  # noqa: ARG002
        """Never decided."""
        return Finding(None, f"“{self.text}” {self.why}")
