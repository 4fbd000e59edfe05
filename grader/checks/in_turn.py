"""`in_turn`: several checks, each of which is looked at only where those before it hold."""

from dataclasses import dataclass

from grader.outcome import Finding
from grader.scene import Primitive, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class InTurn:
    """The first that does not hold tells why; otherwise the last tells that all did."""

    parts: tuple[Primitive, ...]

    def decide(self, scene: Scene) -> Finding:
        """What comes after a miss is never evaluated."""
        finding = Finding(True, "nothing is expected")
        for part in self.parts:
            finding = part.decide(scene)
            if finding.truth is not True:
                break
        return finding


FORMS = ()
